package dev.chert.formats.parquet;

import dev.chert.batch.Layouts;
import dev.chert.query.QueryContext;
import java.lang.foreign.MemorySegment;
import java.util.zip.DataFormatException;

/// What a decoder of the Lempel-Ziv kind has written so far: bytes of its input, or of its own output again.
///
/// Checks every length and distance, and looks for cancellation now and then.
final class DecodedBytes {
    private static final long UNCHECKED_BYTES = 256 << 10;

    private final MemorySegment from;
    private final MemorySegment to;
    private final QueryContext query;
    private long position;
    private long nextCheck;

    /// @param from the input, borrowed
    /// @param to   room for the whole output, borrowed
    DecodedBytes(MemorySegment from, MemorySegment to, QueryContext query) {
        this.from = from;
        this.to = to;
        this.query = query;
    }

    /// Bytes that were written.
    long length() {
        return position;
    }

    /// Writes `length` bytes of the input from byte `at` on.
    void append(long at, long length) throws DataFormatException {
        if (length < 0 || length > from.byteSize() - at) {
            throw new DataFormatException("the input ends within " + length + " bytes from byte " + at + " on");
        }
        checkRoom(length);
        MemorySegment.copy(from, at, to, position, length);
        position += length;
    }

    /// Writes `length` bytes that begin `distance` bytes back, which may be fewer: then they repeat.
    void repeat(long distance, long length) throws DataFormatException {
        if (distance < 1 || distance > position) {
            throw new DataFormatException("a copy from " + distance + " bytes back, of " + position);
        }
        checkRoom(length);
        long source = position - distance;
        if (distance >= Long.BYTES && to.byteSize() - position >= length + Long.BYTES) {
            for (long i = 0; i < length; i += Long.BYTES) { // up to 7 bytes too many, which are written again
                to.set(Layouts.LONG, position + i, to.get(Layouts.LONG, source + i));
            }
        } else {
            for (long i = 0; i < length; i++) {
                to.set(Layouts.BYTE, position + i, to.get(Layouts.BYTE, source + i));
            }
        }
        position += length;
    }

    private void checkRoom(long length) throws DataFormatException {
        if (length < 0 || length > to.byteSize() - position) {
            throw new DataFormatException("it gives more than " + to.byteSize() + " bytes");
        }
        if (position >= nextCheck) {
            query.checkCancelled();
            nextCheck = position + UNCHECKED_BYTES;
        }
    }
}
