package dev.chert.formats.parquet;

import dev.chert.memory.Buffer;
import dev.chert.source.InputFile;
import java.lang.foreign.MemorySegment;

/// Reads the bytes of a column chunk, as far ahead as memory allows.
///
/// A window is one reserved buffer: what is asked for, and beyond it as much as the split's readers share out
/// ([SplitContext#windowBytes()]), but nothing beyond while memory is tight. It goes as soon as nothing that it has
/// is still to come, and while memory is tight, as soon as a page of it was read. Pages that are not compressed are
/// used where they lie: who keeps a piece of a window retains its buffer, so a window that was left lives as long as
/// its columns.
final class ChunkInput {
    /// Read between two looks for cancellation.
    private static final long PIECE_BYTES = 8 << 20;

    private final InputFile file;
    private final long end;
    private final SplitContext context;
    private Buffer window;
    private long windowStart;
    private long bytesRead;

    /// @param end byte of the file at which the chunk ends
    ChunkInput(InputFile file, long end, SplitContext context) {
        this.file = file;
        this.end = end;
        this.context = context;
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
        long ahead = context.isTight() ? 0 : Math.min(context.windowBytes(), end - position);
        Buffer next = context.allocator().allocate(Math.max(length, ahead));
        long known = 0;
        if (window != null && position >= windowStart && position < windowStart + window.size()) {
            known = windowStart + window.size() - position;
            MemorySegment.copy(window.segment(), position - windowStart, next.segment(), 0, known);
        }
        close();
        window = next;
        windowStart = position;
        for (long at = known; at < next.size(); at += PIECE_BYTES) {
            context.query().checkCancelled();
            long bytes = Math.min(PIECE_BYTES, next.size() - at);
            file.read(position + at, next.segment().asSlice(at, bytes));
            bytesRead += bytes;
        }
    }

    /// Gives the window back unless it has bytes at `position` or after it, and there is memory to keep them.
    void passed(long position) {
        if (window != null && (position >= windowStart + window.size() || context.isTight())) {
            close();
        }
    }

    /// Gives the window back.
    void close() {
        if (window != null) {
            window.release();
            window = null;
        }
    }
}
