package dev.chert.formats.parquet;

import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.source.InputFile;
import java.lang.foreign.MemorySegment;

/// Reads the bytes of a column chunk ahead, a window at a time.
///
/// A window is one positional read into one reserved buffer: the rest of the chunk, 2 MiB at most, or as much as
/// a page needs. Pages that are not compressed are used where they lie: who keeps a piece of a window retains its
/// buffer, so a window that was left lives as long as its columns.
final class ChunkInput {
    /// The largest block that the engine's slabs lend again; see [dev.chert.memory.Buffer].
    private static final long WINDOW_BYTES = 2 << 20;

    private final InputFile file;
    private final long end;
    private final Allocator allocator;
    private Buffer window;
    private long windowStart;
    private long bytesRead;

    /// @param end byte of the file at which the chunk ends
    ChunkInput(InputFile file, long end, Allocator allocator) {
        this.file = file;
        this.end = end;
        this.allocator = allocator;
    }

    /// Byte of the file at which the chunk ends.
    long end() {
        return end;
    }

    long bytesRead() {
        return bytesRead;
    }

    /// The bytes of the file from `position` on, which lie before [#end()]; borrowed until the next call.
    PageBytes read(long position, long length) {
        assert length <= end - position;
        if (window == null || position < windowStart || position + length > windowStart + window.size()) {
            move(position, length);
        }
        return PageBytes.of(window, position - windowStart, length);
    }

    private void move(long position, long length) {
        Buffer next = allocator.allocate(Math.max(length, Math.min(WINDOW_BYTES, end - position)));
        long known = 0;
        if (window != null && position >= windowStart && position < windowStart + window.size()) {
            known = windowStart + window.size() - position;
            MemorySegment.copy(window.segment(), position - windowStart, next.segment(), 0, known);
        }
        close();
        window = next;
        windowStart = position;
        file.read(position + known, next.segment().asSlice(known));
        bytesRead += next.size() - known;
    }

    /// Gives the window back.
    void close() {
        if (window != null) {
            window.release();
            window = null;
        }
    }
}
