package dev.chert.source;

import java.util.List;
import java.util.Map;

/// A file format, found through [java.util.ServiceLoader].
public interface FileFormat {
    /// Lower case, as in `format = 'parquet'`.
    String name();

    /// Whether a file is of this format by its name's ending.
    boolean hasEnding(String path);

    /// Makes a source over files of one schema; reads their metadata.
    ///
    /// @param files   at least one
    /// @param options the format's options by name; an unknown one is refused by name
    /// @throws dev.chert.error.CorruptFileException where a file is not of this format or damaged
    TableSource open(List<FileSystem.FileEntry> files, FileSystem fileSystem, Map<String, String> options);
}
