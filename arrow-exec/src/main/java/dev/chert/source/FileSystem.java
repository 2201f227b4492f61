package dev.chert.source;

import java.io.Serializable;
import java.util.List;

/// Where files are: finds them and opens them for reading at any place.
///
/// Every path that a query names passes through here.
public interface FileSystem extends Serializable {
    /// Finds files by a path, a directory (all files below it whose name does not begin with `.` or `_`) or a
    /// glob (`*`, `?`, `**`, `[abc]`, `{a,b}`).
    ///
    /// @return in the order of their paths; never empty
    /// @throws dev.chert.error.ValidationException where there is none, naming what helps
    List<FileEntry> list(String location);

    /// Opens a file; the caller closes it.
    ///
    /// @throws dev.chert.error.ValidationException where it cannot be opened
    InputFile open(FileEntry file);

    /// A file as it was when it was listed.
    ///
    /// @param path         as a user would write it
    /// @param size         bytes
    /// @param modifiedTime milliseconds since 1970-01-01T00:00:00Z; with path and size the key of every cache
    record FileEntry(String path, long size, long modifiedTime) implements Serializable {}
}
