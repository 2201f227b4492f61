package dev.chert.batch;

import java.lang.foreign.MemorySegment;

/// Bits over a segment, least significant first: bit `i` is bit `i & 7` of byte `i >> 3`, as in Arrow.
public final class Bitmap {
    private Bitmap() {}

    /// Bytes for `bits` bits, rounded up to whole 64-byte blocks.
    public static long paddedBytes(int bits) {
        return ((bits + 511L) >>> 9) << 6;
    }

    public static boolean get(MemorySegment bits, int i) {
        return (bits.get(Layouts.BYTE, i >>> 3) >>> (i & 7) & 1) != 0;
    }

    public static void set(MemorySegment bits, int i) {
        long at = i >>> 3;
        bits.set(Layouts.BYTE, at, (byte) (bits.get(Layouts.BYTE, at) | 1 << (i & 7)));
    }

    public static void clear(MemorySegment bits, int i) {
        long at = i >>> 3;
        bits.set(Layouts.BYTE, at, (byte) (bits.get(Layouts.BYTE, at) & ~(1 << (i & 7))));
    }

    public static void put(MemorySegment bits, int i, boolean value) {
        long at = i >>> 3;
        int shift = i & 7;
        int rest = bits.get(Layouts.BYTE, at) & ~(1 << shift);
        bits.set(Layouts.BYTE, at, (byte) (rest | (value ? 1 : 0) << shift));
    }

    /// Sets bits `0` to `count - 1` and clears the rest of the segment.
    public static void fillOnes(MemorySegment bits, int count) {
        long whole = count >>> 3;
        bits.asSlice(0, whole).fill((byte) 0xFF);
        bits.asSlice(whole).fill((byte) 0);
        int rest = count & 7;
        if (rest != 0) {
            bits.set(Layouts.BYTE, whole, (byte) ((1 << rest) - 1));
        }
    }

    /// The number of ones among bits `0` to `count - 1`.
    public static int countOnes(MemorySegment bits, int count) {
        int ones = 0;
        int words = count >>> 6;
        for (int w = 0; w < words; w++) {
            ones += Long.bitCount(bits.getAtIndex(Layouts.LONG, w));
        }
        for (int i = words << 6; i < count; i++) {
            ones += get(bits, i) ? 1 : 0;
        }
        return ones;
    }
}
