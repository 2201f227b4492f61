package dev.chert.source;

import java.lang.foreign.MemorySegment;

/// An open file that is read at any place. Thread-safe.
public interface InputFile extends AutoCloseable {
    FileSystem.FileEntry entry();

    /// Fills `target` with the bytes from `position` on.
    ///
    /// @throws dev.chert.error.CorruptFileException where the file ends before, naming the place
    void read(long position, MemorySegment target);

    @Override
    void close();
}
