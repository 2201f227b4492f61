package dev.chert.planner.catalog;

import dev.chert.batch.Schema;
import dev.chert.error.ValidationException;
import dev.chert.source.FileFormat;
import dev.chert.source.FileSystem;
import dev.chert.source.FileSystem.FileEntry;
import dev.chert.source.TableSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/// Makes tables of paths: a file, a directory or a glob, whose format is told by the files' endings.
public final class FileTables {
    private final FileSystem fileSystem;
    private final Supplier<List<FileFormat>> finder;
    private List<FileFormat> formats;

    /// @param fileSystem opens every path
    /// @param formats    the formats that there are
    public FileTables(FileSystem fileSystem, List<FileFormat> formats) {
        this(fileSystem, () -> List.copyOf(formats));
    }

    private FileTables(FileSystem fileSystem, Supplier<List<FileFormat>> finder) {
        this.fileSystem = fileSystem;
        this.finder = finder;
    }

    /// With the formats on the class path, which are looked for when the first path is opened.
    public static FileTables installed(FileSystem fileSystem) {
        return new FileTables(fileSystem, () -> {
            List<FileFormat> found = new ArrayList<>();
            ServiceLoader.load(FileFormat.class).forEach(found::add);
            return found;
        });
    }

    private synchronized List<FileFormat> formats() {
        if (formats == null) {
            formats = finder.get();
        }
        return formats;
    }

    /// True of a name that cannot be a table's as people write them: a table that is not found under it is a file that
    /// is not there.
    public static boolean looksLikePath(String name) {
        return name.indexOf('/') >= 0 || name.indexOf('\\') >= 0 || name.indexOf('.') >= 0 || name.indexOf('*') >= 0;
    }

    /// Opens a path by its files' endings.
    public CatalogTable open(String location) {
        List<FileEntry> files = fileSystem.list(location);
        FileFormat format = format(location, files);
        return new FileTable(format.open(files, fileSystem, Map.of()));
    }

    private FileFormat format(String location, List<FileEntry> files) {
        FileFormat found = null;
        for (FileEntry file : files) {
            Optional<FileFormat> format =
                    formats().stream().filter(f -> f.hasEnding(file.path())).findFirst();
            if (format.isEmpty()) {
                throw new ValidationException("the ending of '" + file.path() + "' tells no format"
                        + "; expected a file of one of the formats "
                        + formats().stream().map(FileFormat::name).toList());
            }
            if (found != null && found != format.get()) {
                throw new ValidationException("'" + location + "' holds files of different formats: " + found.name()
                        + " and " + format.get().name() + "; name those of one format with a pattern such as *."
                        + found.name());
            }
            found = format.get();
        }
        return found;
    }

    private record FileTable(TableSource source) implements CatalogTable {
        @Override
        public Schema schema() {
            return source.schema();
        }
    }
}
