package dev.chert.formats.parquet;

import dev.chert.batch.Layouts;
import java.lang.foreign.MemorySegment;

/// Ranges of bits over segments, least significant bit first, at any bit.
final class BitRange {
    private BitRange() {}

    /// Sets bits `first` to `first + count - 1`.
    static void fill(MemorySegment bits, int first, int count) {
        int bit = first;
        int end = first + count;
        while (bit < end && (bit & 7) != 0) {
            set(bits, bit++);
        }
        int wholeBytes = (end - bit) >>> 3;
        if (wholeBytes > 0) {
            bits.asSlice(bit >>> 3, wholeBytes).fill((byte) 0xFF);
            bit += wholeBytes << 3;
        }
        while (bit < end) {
            set(bits, bit++);
        }
    }

    private static void set(MemorySegment bits, int bit) {
        long at = bit >>> 3;
        bits.set(Layouts.BYTE, at, (byte) (bits.get(Layouts.BYTE, at) | 1 << (bit & 7)));
    }

    /// Copies bits into a range whose bits are all 0.
    ///
    /// @return how many of them are 1
    static int copy(MemorySegment from, long fromBit, MemorySegment to, int toBit, int count) {
        int ones = 0;
        int done = 0;
        while (done < count) {
            int target = toBit + done;
            int room = 8 - (target & 7);
            if (room == 8 && count - done >= 64 && (fromBit + done >>> 3) + 9 <= from.byteSize()) {
                long word = word(from, fromBit + done);
                to.set(Layouts.LONG, target >>> 3, word);
                ones += Long.bitCount(word);
                done += 64;
            } else {
                int width = Math.min(room, count - done);
                int piece = piece(from, fromBit + done, width);
                long at = target >>> 3;
                to.set(Layouts.BYTE, at, (byte) (to.get(Layouts.BYTE, at) | piece << (target & 7)));
                ones += Integer.bitCount(piece);
                done += width;
            }
        }
        return ones;
    }

    /// 64 bits from any bit on; 9 bytes must be there.
    private static long word(MemorySegment bits, long bit) {
        long at = bit >>> 3;
        int shift = (int) (bit & 7);
        long low = bits.get(Layouts.LONG, at) >>> shift;
        return shift == 0 ? low : low | (long) bits.get(Layouts.BYTE, at + 8) << 64 - shift;
    }

    /// Up to 8 bits from any bit on.
    private static int piece(MemorySegment bits, long bit, int width) {
        long at = bit >>> 3;
        int shift = (int) (bit & 7);
        int value = (bits.get(Layouts.BYTE, at) & 0xFF) >>> shift;
        if (shift + width > 8) {
            value |= (bits.get(Layouts.BYTE, at + 1) & 0xFF) << 8 - shift;
        }
        return value & (1 << width) - 1;
    }
}
