package dev.chert.formats.parquet;

import dev.chert.error.ValidationException;
import dev.chert.source.FileFormat;
import dev.chert.source.FileSystem;
import dev.chert.source.TableSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The Parquet file format. It has no options.
public final class ParquetFormat implements FileFormat {
    @Override
    public String name() {
        return "parquet";
    }

    @Override
    public boolean hasEnding(String path) {
        String name = path.toLowerCase(Locale.ROOT);
        return name.endsWith(".parquet") || name.endsWith(".parq") || name.endsWith(".pq");
    }

    @Override
    public TableSource open(List<FileSystem.FileEntry> files, FileSystem fileSystem, Map<String, String> options) {
        for (String option : options.keySet()) {
            throw new ValidationException("unknown option '" + option + "': format parquet has no options");
        }
        return ParquetSource.of(files, fileSystem);
    }
}
