package dev.chert.arrow;

import dev.chert.batch.Layouts;
import java.lang.foreign.MemorySegment;
import org.apache.arrow.memory.ArrowBuf;

/// Copies bytes between arrow-java's buffers and segments, through a heap array: the one way that needs no native
/// access. Not thread-safe.
final class ArrowBytes {
    private static final int CHUNK = 32 << 10;

    private final byte[] chunk = new byte[CHUNK];

    void copyIn(ArrowBuf from, long fromOffset, MemorySegment to, long toOffset, long length) {
        for (long done = 0; done < length; done += CHUNK) {
            int bytes = (int) Math.min(CHUNK, length - done);
            from.getBytes(fromOffset + done, chunk, 0, bytes);
            MemorySegment.copy(chunk, 0, to, Layouts.BYTE, toOffset + done, bytes);
        }
    }

    void copyOut(MemorySegment from, long fromOffset, ArrowBuf to, long toOffset, long length) {
        for (long done = 0; done < length; done += CHUNK) {
            int bytes = (int) Math.min(CHUNK, length - done);
            MemorySegment.copy(from, Layouts.BYTE, fromOffset + done, chunk, 0, bytes);
            to.setBytes(toOffset + done, chunk, 0, bytes);
        }
    }
}
