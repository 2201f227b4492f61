package dev.chert.formats.parquet;

import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Room for the codes of one batch, shared by the columns of a reader.
final class ScratchCodes {
    private final Allocator allocator;
    private final int rows;
    private Buffer buffer;

    ScratchCodes(Allocator allocator, int rows) {
        this.allocator = allocator;
        this.rows = rows;
    }

    MemorySegment segment() {
        if (buffer == null) {
            buffer = allocator.allocate((long) rows * Integer.BYTES);
        }
        return buffer.segment();
    }

    void close() {
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
    }
}
