package dev.chert.source;

import dev.chert.error.QueryCancelledException;
import dev.chert.error.ResourceException;
import dev.chert.error.ValidationException;
import dev.chert.query.NearestName;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/// The files of this machine, by path or `file:` URI.
///
/// A relative path counts from the working directory of the JVM. Symbolic links are followed; what a path really
/// names is what must lie within the allowed paths.
///
/// @param allowedPaths directories and files that may be read (`files.allowed-paths`), or empty: all
public record LocalFileSystem(List<String> allowedPaths) implements FileSystem {
    private static final String GLOB_SIGNS = "*?[{";

    /// Reads whatever the process may read.
    public static final LocalFileSystem UNRESTRICTED = new LocalFileSystem(List.of());

    public LocalFileSystem {
        allowedPaths = List.copyOf(allowedPaths);
    }

    @Override
    public List<FileEntry> list(String location) {
        Path path = path(location);
        if (path != null && Files.isDirectory(path)) {
            List<FileEntry> files = below(location, path, Integer.MAX_VALUE, null);
            if (files.isEmpty()) {
                throw new ValidationException(
                        location + ": the directory has no files" + " (names that begin with '.' or '_' do not count)");
            }
            return files;
        }
        if (path != null && Files.exists(path)) {
            return List.of(entry(location, path));
        }
        int glob = firstGlobSign(location);
        if (glob < 0) {
            throw noSuchFile(location, path);
        }
        return matching(location, glob);
    }

    @Override
    public InputFile open(FileEntry file) {
        Path path = path(file.path());
        if (path == null) {
            throw noSuchFile(file.path(), null);
        }
        checkAllowed(file.path(), path);
        try {
            return new LocalInputFile(file, path);
        } catch (IOException e) {
            throw cannotOpen(file.path(), path, e);
        }
    }

    /// The files that a glob names. The part before the first wildcard is searched.
    private List<FileEntry> matching(String location, int glob) {
        int lastSlash = location.lastIndexOf('/', glob);
        String root = lastSlash < 0 ? "" : location.substring(0, lastSlash + 1);
        Path start = path(root.isEmpty() ? "." : root);
        if (start == null || !Files.isDirectory(start)) {
            throw new ValidationException(location + ": there is no directory '" + root + "'");
        }
        String pattern = location.substring(lastSlash + 1);
        PathMatcher matcher;
        try {
            matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        } catch (PatternSyntaxException e) {
            throw new ValidationException(
                    location + ": is no file, and as a glob: " + e.getDescription() + "; expected *, ?, **, [abc] or"
                            + " {a,b}",
                    null,
                    e);
        }
        int depth = pattern.contains("**")
                ? Integer.MAX_VALUE
                : 1 + (int) pattern.chars().filter(c -> c == '/').count();
        List<FileEntry> files = below(root, start, depth, matcher);
        if (files.isEmpty()) {
            throw new ValidationException(location + ": matches no file");
        }
        return files;
    }

    /// All files below `start`, in the order of their paths. Interrupting the thread stops the search.
    ///
    /// @param prefix  how a user would write `start`
    /// @param depth   how many levels of directories are looked into
    /// @param matcher of paths from `start`, or null for all
    private List<FileEntry> below(String prefix, Path start, int depth, PathMatcher matcher) {
        List<FileEntry> files = new ArrayList<>();
        String base = prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/";
        try {
            Files.walkFileTree(start, EnumSet.of(FileVisitOption.FOLLOW_LINKS), depth, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    return directory.equals(start) || !isHidden(directory)
                            ? FileVisitResult.CONTINUE
                            : FileVisitResult.SKIP_SUBTREE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (Thread.currentThread().isInterrupted()) {
                        throw new QueryCancelledException(
                                prefix + ": the thread was interrupted while it listed the files");
                    }
                    Path relative = start.relativize(file);
                    if (attributes.isRegularFile()
                            && !isHidden(file)
                            && (matcher == null || matcher.matches(relative))) {
                        files.add(entry(base + relative.toString().replace('\\', '/'), file));
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                    if (e instanceof FileSystemLoopException) {
                        return FileVisitResult.CONTINUE; // a link to a directory that is walked already
                    }
                    throw e;
                }
            });
        } catch (IOException e) {
            throw new ValidationException(prefix + ": cannot be listed: " + reason(e), null, e);
        }
        files.sort((a, b) -> a.path().compareTo(b.path()));
        return List.copyOf(files);
    }

    private static boolean isHidden(Path path) {
        String name = path.getFileName().toString();
        return name.startsWith(".") || name.startsWith("_");
    }

    private FileEntry entry(String name, Path path) {
        checkAllowed(name, path);
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return new FileEntry(
                    name, attributes.size(), attributes.lastModifiedTime().toMillis());
        } catch (IOException e) {
            throw cannotOpen(name, path, e);
        }
    }

    private void checkAllowed(String name, Path path) {
        if (allowedPaths.isEmpty()) {
            return;
        }
        Path real = real(path);
        for (String allowed : allowedPaths) {
            Path directory = path(allowed);
            if (directory != null && real.startsWith(real(directory))) {
                return;
            }
        }
        throw new ValidationException(name + ": lies outside files.allowed-paths, which has "
                + String.join(", ", allowedPaths) + "; whoever made the environment can add it there");
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path.toAbsolutePath().normalize(); // is not there: opening it says so
        }
    }

    /// The path that a text names, or null where it can be none on this machine.
    private static Path path(String location) {
        try {
            return location.startsWith("file:") ? Path.of(URI.create(location)) : Path.of(location);
        } catch (InvalidPathException e) {
            return null;
        } catch (IllegalArgumentException e) {
            throw new ValidationException(location + ": is no file URI: " + e.getMessage(), null, e);
        }
    }

    private static int firstGlobSign(String location) {
        for (int i = 0; i < location.length(); i++) {
            if (GLOB_SIGNS.indexOf(location.charAt(i)) >= 0) {
                return i;
            }
        }
        return -1;
    }

    private static ValidationException cannotOpen(String name, Path path, IOException cause) {
        return cause instanceof NoSuchFileException
                ? noSuchFile(name, path)
                : new ValidationException(name + ": cannot be opened: " + reason(cause), null, cause);
    }

    private static ValidationException noSuchFile(String name, Path path) {
        Path parent = path == null ? null : path.toAbsolutePath().getParent();
        String help = "";
        if (parent != null && !Files.isDirectory(parent)) {
            help = "; nor is there a directory '" + parent + "'";
        } else if (parent != null && path.getFileName() != null) {
            String nearest = nearest(parent, path.getFileName().toString());
            help = nearest == null ? "" : "; the nearest name in its directory is '" + nearest + "'";
        }
        return new ValidationException(name + ": no such file" + help);
    }

    private static String nearest(Path directory, String name) {
        try (Stream<Path> siblings = Files.list(directory)) {
            return NearestName.of(
                    name,
                    siblings.limit(1_000)
                            .map(sibling -> sibling.getFileName().toString())
                            .toList());
        } catch (IOException e) {
            return null; // a hint only: the message stands without it
        }
    }

    private static String reason(IOException cause) {
        return switch (cause) {
            case AccessDeniedException denied -> "access to " + denied.getFile() + " is denied";
            case NoSuchFileException _ -> "no such file";
            default -> cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        };
    }

    /// Opens a channel for positional reads; an open that fails for want of file handles is the machine's.
    static FileChannel openChannel(String name, Path path) throws IOException {
        try {
            return FileChannel.open(path, StandardOpenOption.READ);
        } catch (java.nio.file.FileSystemException e) {
            if (e.getReason() != null && e.getReason().contains("Too many open files")) {
                throw new ResourceException(
                        name + ": the process has too many open files; raise its limit (ulimit -n)", e);
            }
            throw e;
        }
    }
}
