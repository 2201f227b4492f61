package dev.chert.formats.parquet;

import dev.chert.batch.Layouts;
import java.lang.foreign.MemorySegment;

/// Decodes runs of repeated and of bit-packed integers of one width.
///
/// ```text
/// header, varint    bit 0 = 0: a value repeated header / 2 times, in as many bytes as it needs
///                   bit 0 = 1: header / 2 groups of 8 values, bit-packed
/// ```
/// Source: Parquet Encodings.md, "Run Length Encoding / Bit-Packing Hybrid". A last group may be cut after the
/// bytes of the last value, as some writers do.
final class HybridDecoder {
    private static final int MOST_VARINT_BYTES = 5;

    private final MemorySegment bytes;
    private final int width;
    private final String what;
    private final Location page;
    private long position;

    // the run at hand
    private long runLeft;
    private boolean isPacked;
    private int runValue;
    private long packedBit;

    /// @param bytes the runs, borrowed
    /// @param width bits of a value, 0 to 32
    /// @param what  names the values in errors
    HybridDecoder(MemorySegment bytes, int width, String what, Location page) {
        this.bytes = bytes;
        this.width = width;
        this.what = what;
        this.page = page;
    }

    /// Writes the next `count` values as int32.
    void ints(MemorySegment out, int count) {
        int done = 0;
        while (done < count) {
            int length = nextInRun(count - done);
            MemorySegment target = out.asSlice((long) done * Integer.BYTES, (long) length * Integer.BYTES);
            if (isPacked) {
                BitPacking.unpack(bytes, packedBit, width, target, length);
            } else {
                fill(target, runValue, length);
            }
            advance(length);
            done += length;
        }
    }

    private static void fill(MemorySegment out, int value, int count) {
        for (int i = 0; i < count; i++) {
            out.setAtIndex(Layouts.INT, i, value);
        }
    }

    /// Writes the next `count` values, each 0 or 1, as bits into a range whose bits are all 0.
    ///
    /// @return how many are 1
    int bits(MemorySegment out, int firstBit, int count) {
        assert width == 1;
        int ones = 0;
        int done = 0;
        while (done < count) {
            int length = nextInRun(count - done);
            if (isPacked) {
                ones += BitRange.copy(bytes, packedBit, out, firstBit + done, length);
            } else if (runValue == 1) {
                BitRange.fill(out, firstBit + done, length);
                ones += length;
            }
            advance(length);
            done += length;
        }
        return ones;
    }

    /// Skips the next `count` values if one run repeats 1 so often; else moves nothing.
    boolean skipOnes(int count) {
        nextInRun(count);
        if (isPacked || runValue != 1 || runLeft < count) {
            return false;
        }
        advance(count);
        return true;
    }

    private void advance(int count) {
        runLeft -= count;
        packedBit += (long) count * width;
    }

    /// How many of `wanted` values the run at hand has, at least one; begins the next run where it has none.
    private int nextInRun(int wanted) {
        while (runLeft == 0) {
            nextRun(wanted);
        }
        return (int) Math.min(runLeft, wanted);
    }

    private void nextRun(int wanted) {
        if (position >= bytes.byteSize()) {
            throw page.corrupt("its %s end %d values too early, after %d bytes", what, wanted, bytes.byteSize());
        }
        long header = varint();
        long count = header >>> 1;
        isPacked = (header & 1) != 0;
        if (isPacked) {
            long packedBytes = Math.min(count * width, bytes.byteSize() - position);
            packedBit = position * 8;
            runLeft = width == 0 ? count * 8 : Math.min(count * 8, packedBytes * 8 / width);
            position += packedBytes;
            if (width == 0) {
                isPacked = false;
                runValue = 0;
            }
        } else {
            runValue = repeatedValue();
            runLeft = count;
        }
    }

    private int repeatedValue() {
        int valueBytes = (width + 7) >>> 3;
        if (valueBytes > bytes.byteSize() - position) {
            throw page.corrupt("its %s end within a repeated value, after %d bytes", what, bytes.byteSize());
        }
        int value = 0;
        for (int i = 0; i < valueBytes; i++) {
            value |= (bytes.get(Layouts.BYTE, position++) & 0xFF) << 8 * i;
        }
        if (width < Integer.SIZE && value >>> width != 0) {
            throw page.corrupt("its %s repeat %d, which has more than %d bits", what, value, width);
        }
        return value;
    }

    private long varint() {
        long value = 0;
        for (int i = 0; i < MOST_VARINT_BYTES && position < bytes.byteSize(); i++) {
            byte b = bytes.get(Layouts.BYTE, position++);
            value |= (b & 0x7FL) << 7 * i;
            if (b >= 0) {
                return value;
            }
        }
        throw page.corrupt("its %s have a run header that does not end, before byte %d", what, position);
    }
}
