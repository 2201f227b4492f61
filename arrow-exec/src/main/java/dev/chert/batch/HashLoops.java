package dev.chert.batch;

import java.lang.foreign.MemorySegment;

/// Loops that turn packed values into hashes: first the bits that stand for a value, equal for equal values, then
/// a mix.
final class HashLoops {
    /// What NULL hashes like.
    static final long NULL_BITS = 0x6A09E667F3BCC909L;

    /// What the first column of a key is combined with.
    static final long SEED = 0x243F6A8885A308D3L;

    private static final long FACTOR = 0xD6E8FEB86659FD93L;
    private static final long NAN_BITS = 0x7FF8000000000000L;
    private static final int INLINE_BYTES = 12;

    private HashLoops() {}

    /// Spreads the bits so that upper and lower ones may serve apart.
    static long mix(long bits) {
        long x = bits ^ bits >>> 32;
        x *= FACTOR;
        x ^= x >>> 32;
        x *= FACTOR;
        return x ^ x >>> 32;
    }

    /// Mixes `bits` into the hashes, or sets them.
    static void mixInto(long[] bits, PackedColumn values, long[] hashes, boolean combine) {
        int count = values.count();
        if (values.hasNulls()) {
            boolean[] nulls = values.nulls();
            for (int i = 0; i < count; i++) {
                hashes[i] = mix((combine ? hashes[i] : SEED) ^ (nulls[i] ? NULL_BITS : bits[i]));
            }
        } else if (combine) {
            for (int i = 0; i < count; i++) {
                hashes[i] = mix(hashes[i] ^ bits[i]);
            }
        } else {
            for (int i = 0; i < count; i++) {
                hashes[i] = mix(SEED ^ bits[i]);
            }
        }
    }

    /// Mixes the bits of each value's dictionary entry into the hashes, or sets them.
    static void mixCodes(long[] bitsByCode, PackedColumn values, long[] hashes, boolean combine) {
        int count = values.count();
        int[] codes = values.codes();
        boolean hasNulls = values.hasNulls();
        boolean[] nulls = values.nulls();
        for (int i = 0; i < count; i++) {
            long bits = hasNulls && nulls[i] ? NULL_BITS : bitsByCode[codes[i]];
            hashes[i] = mix((combine ? hashes[i] : SEED) ^ bits);
        }
    }

    /// The same bits for a REAL and its DOUBLE, for all NaN, and for both zeros.
    static void realBits(PackedColumn values, long[] bits) {
        long[] low = values.low();
        int count = values.count();
        for (int i = 0; i < count; i++) {
            bits[i] = canonical(Float.intBitsToFloat((int) low[i]));
        }
    }

    static void doubleBits(PackedColumn values, long[] bits) {
        long[] low = values.low();
        int count = values.count();
        for (int i = 0; i < count; i++) {
            bits[i] = canonical(Double.longBitsToDouble(low[i]));
        }
    }

    private static long canonical(double value) {
        return value != value ? NAN_BITS : Double.doubleToRawLongBits(value + 0.0); // -0.0 + 0.0 is 0.0
    }

    /// The same bits for a DECIMAL in 64 and in 128 bits.
    static void wideBits(PackedColumn values, long[] bits) {
        long[] low = values.low();
        long[] high = values.high();
        int count = values.count();
        for (int i = 0; i < count; i++) {
            bits[i] = high[i] == low[i] >> 63 ? low[i] : low[i] ^ mix(high[i] ^ FACTOR);
        }
    }

    static void viewBits(PackedColumn values, long[] bits) {
        long[] low = values.low();
        long[] high = values.high();
        MemorySegment[] slabs = values.slabs();
        int count = values.count();
        for (int i = 0; i < count; i++) {
            int length = (int) low[i];
            bits[i] = length <= INLINE_BYTES
                    ? low[i] ^ mix(high[i] ^ FACTOR)
                    : bytesBits(slabs[(int) high[i]], high[i] >>> 32, length);
        }
    }

    /// @param length at least 8
    private static long bytesBits(MemorySegment bytes, long offset, int length) {
        long last = offset + length - 8;
        long hash = length;
        for (long at = offset; at < last; at += 8) {
            hash = (hash ^ bytes.get(Layouts.LONG, at)) * FACTOR;
            hash ^= hash >>> 32;
        }
        return (hash ^ bytes.get(Layouts.LONG, last)) * FACTOR;
    }
}
