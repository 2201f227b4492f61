package dev.chert.formats.parquet;

import java.io.InputStream;
import java.lang.foreign.MemorySegment;

/// The bytes of a segment, borrowed, for codecs that read streams.
final class SegmentStream extends InputStream {
    private final MemorySegment bytes;
    private long position;

    SegmentStream(MemorySegment bytes) {
        this.bytes = bytes;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        int count = (int) Math.min(length, bytes.byteSize() - position);
        if (count == 0 && length > 0) {
            return -1;
        }
        MemorySegment.copy(bytes, position, MemorySegment.ofArray(target), offset, count);
        position += count;
        return count;
    }
}
