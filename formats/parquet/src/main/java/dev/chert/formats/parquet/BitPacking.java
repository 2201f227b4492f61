package dev.chert.formats.parquet;

import dev.chert.batch.Layouts;
import java.lang.foreign.MemorySegment;

/// Unpacks integers of 1 to 32 bits, least significant bit first.
/// Source: Parquet Encodings.md, "Run Length Encoding / Bit-Packing Hybrid".
final class BitPacking {
    private BitPacking() {}

    /// Writes `count` values as int32.
    ///
    /// @param packed   has the values' bits from `firstBit` on, and may end with the last of them
    /// @param unpacked room for `count` int32
    static void unpack(MemorySegment packed, long firstBit, int width, MemorySegment unpacked, int count) {
        long mask = (1L << width) - 1;
        int fast = valuesWithWholeWord(packed.byteSize(), firstBit, width, count);
        MemorySegment out = unpacked.asSlice(0, (long) count * Integer.BYTES);
        long bit = firstBit;
        for (int i = 0; i < fast; i++) {
            long word = packed.get(Layouts.LONG, bit >>> 3);
            out.setAtIndex(Layouts.INT, i, (int) (word >>> (bit & 7) & mask));
            bit += width;
        }
        for (int i = fast; i < count; i++) {
            out.setAtIndex(Layouts.INT, i, (int) (lastWord(packed, bit >>> 3) >>> (bit & 7) & mask));
            bit += width;
        }
    }

    /// How many of the values begin in a byte from which 8 bytes can be read.
    private static int valuesWithWholeWord(long bytes, long firstBit, int width, int count) {
        long lastBit = (bytes - Long.BYTES) * 8 + 7;
        return lastBit < firstBit ? 0 : (int) Math.min(count, (lastBit - firstBit) / width + 1);
    }

    /// The fewer than 8 bytes from `at` to the end.
    private static long lastWord(MemorySegment packed, long at) {
        long word = 0;
        for (long i = packed.byteSize() - 1; i >= at; i--) {
            word = word << 8 | packed.get(Layouts.BYTE, i) & 0xFF;
        }
        return word;
    }
}
