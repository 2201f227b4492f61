package dev.chert.formats.parquet;

import static dev.chert.batch.Layouts.BYTE;
import static dev.chert.batch.Layouts.FLOAT;
import static dev.chert.batch.Layouts.INT;
import static dev.chert.batch.Layouts.LONG;
import static dev.chert.batch.Layouts.SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Loops that turn PLAIN values of a fixed width into a column's.
///
/// Each returns the number of the first value that the column's type cannot hold, or -1; the caller words the
/// error.
/// `from` has exactly the values, `to` room for them.
final class PlainValues {
    private static final ValueLayout.OfLong BIG_ENDIAN_LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    static final int ALL_FIT = -1;
    private static final int MILLIS_A_DAY = 86_400_000;
    private static final long MICROS_A_DAY = 86_400_000_000L;
    private static final long JULIAN_DAY_OF_1970 = 2_440_588;

    private PlainValues() {}

    static int toInt8(MemorySegment from, MemorySegment to, int count) {
        int bad = 0;
        for (int i = 0; i < count; i++) {
            int value = from.getAtIndex(INT, i);
            to.set(BYTE, i, (byte) value);
            bad |= value ^ (byte) value;
        }
        return bad == 0 ? ALL_FIT : firstOutside(from, count, Byte.MIN_VALUE, Byte.MAX_VALUE);
    }

    static int toInt16(MemorySegment from, MemorySegment to, int count) {
        int bad = 0;
        for (int i = 0; i < count; i++) {
            int value = from.getAtIndex(INT, i);
            to.setAtIndex(SHORT, i, (short) value);
            bad |= value ^ (short) value;
        }
        return bad == 0 ? ALL_FIT : firstOutside(from, count, Short.MIN_VALUE, Short.MAX_VALUE);
    }

    static int unsigned8ToInt16(MemorySegment from, MemorySegment to, int count) {
        int bad = 0;
        for (int i = 0; i < count; i++) {
            int value = from.getAtIndex(INT, i);
            to.setAtIndex(SHORT, i, (short) value);
            bad |= value >>> 8;
        }
        return bad == 0 ? ALL_FIT : firstOutside(from, count, 0, 0xFF);
    }

    static int unsigned16ToInt32(MemorySegment from, MemorySegment to, int count) {
        int bad = 0;
        for (int i = 0; i < count; i++) {
            int value = from.getAtIndex(INT, i);
            to.setAtIndex(INT, i, value);
            bad |= value >>> 16;
        }
        return bad == 0 ? ALL_FIT : firstOutside(from, count, 0, 0xFFFF);
    }

    private static int firstOutside(MemorySegment from, int count, int least, int most) {
        for (int i = 0; i < count; i++) {
            int value = from.getAtIndex(INT, i);
            if (value < least || value > most) {
                return i;
            }
        }
        throw new AssertionError();
    }

    static int unsigned32ToInt64(MemorySegment from, MemorySegment to, int count) {
        for (int i = 0; i < count; i++) {
            to.setAtIndex(LONG, i, from.getAtIndex(INT, i) & 0xFFFFFFFFL);
        }
        return ALL_FIT;
    }

    static int int32ToInt64(MemorySegment from, MemorySegment to, int count) {
        for (int i = 0; i < count; i++) {
            to.setAtIndex(LONG, i, from.getAtIndex(INT, i));
        }
        return ALL_FIT;
    }

    static int int64ToInt128(MemorySegment from, MemorySegment to, int count) {
        for (int i = 0; i < count; i++) {
            long value = from.getAtIndex(LONG, i);
            to.setAtIndex(LONG, 2L * i, value);
            to.setAtIndex(LONG, 2L * i + 1, value >> 63);
        }
        return ALL_FIT;
    }

    static int unsigned64ToInt128(MemorySegment from, MemorySegment to, int count) {
        for (int i = 0; i < count; i++) {
            to.setAtIndex(LONG, 2L * i, from.getAtIndex(LONG, i));
            to.setAtIndex(LONG, 2L * i + 1, 0);
        }
        return ALL_FIT;
    }

    static int float16ToFloat(MemorySegment from, MemorySegment to, int count) {
        for (int i = 0; i < count; i++) {
            to.setAtIndex(FLOAT, i, Float.float16ToFloat(from.getAtIndex(SHORT, i)));
        }
        return ALL_FIT;
    }

    /// The first 8 bytes are nanoseconds of the day, the last 4 its Julian day. Wraps around as Spark does, which
    /// writes its last years so.
    static int int96ToMicros(MemorySegment from, MemorySegment to, int count) {
        for (int i = 0; i < count; i++) {
            long nanos = from.get(LONG, 12L * i);
            long day = from.get(INT, 12L * i + 8) - JULIAN_DAY_OF_1970;
            to.setAtIndex(LONG, i, day * MICROS_A_DAY + Math.floorDiv(nanos, 1_000L));
        }
        return ALL_FIT;
    }

    /// Times of the day in any unit; some writers count from midnight of another zone, and so below 0.
    static int timeToInt64(MemorySegment from, long unitsADay, MemorySegment to, int count) {
        long bad = 0;
        for (int i = 0; i < count; i++) {
            long value = from.getAtIndex(LONG, i);
            to.setAtIndex(LONG, i, value);
            bad |= value | unitsADay - 1 - value;
        }
        if (bad < 0) {
            for (int i = 0; i < count; i++) {
                to.setAtIndex(LONG, i, Math.floorMod(from.getAtIndex(LONG, i), unitsADay));
            }
        }
        return ALL_FIT;
    }

    /// Milliseconds of the day; else as [#timeToInt64].
    static int time32ToInt64(MemorySegment from, MemorySegment to, int count) {
        for (int i = 0; i < count; i++) {
            to.setAtIndex(LONG, i, Math.floorMod(from.getAtIndex(INT, i), MILLIS_A_DAY));
        }
        return ALL_FIT;
    }

    static int bigEndianToInt64(MemorySegment from, int length, MemorySegment to, int count) {
        if (length == Long.BYTES) {
            for (int i = 0; i < count; i++) {
                to.setAtIndex(LONG, i, from.get(BIG_ENDIAN_LONG, 8L * i));
            }
            return ALL_FIT;
        }
        for (int i = 0; i < count; i++) {
            long at = (long) length * i;
            long value = bigEndian(from, at + Math.max(0, length - 8), Math.min(length, 8));
            if (length > 8 && !isSignOnly(from, at, length - 8, value >> 63)) {
                return i;
            }
            to.setAtIndex(LONG, i, value);
        }
        return ALL_FIT;
    }

    static int bigEndianToInt128(MemorySegment from, int length, MemorySegment to, int count) {
        for (int i = 0; i < count; i++) {
            long at = (long) length * i;
            if (!putInt128(from, at, length, to, i)) {
                return i;
            }
        }
        return ALL_FIT;
    }

    /// Puts one big-endian value.
    ///
    /// @return false where it needs more than 128 bits
    static boolean putInt128(MemorySegment from, long at, int length, MemorySegment to, int row) {
        long low = bigEndian(from, at + Math.max(0, length - 8), Math.min(length, 8));
        long high = low >> 63;
        if (length > 8) {
            high = bigEndian(from, at + Math.max(0, length - 16), Math.min(length - 8, 8));
        }
        if (length > 16 && !isSignOnly(from, at, length - 16, high >> 63)) {
            return false;
        }
        to.setAtIndex(LONG, 2L * row, low);
        to.setAtIndex(LONG, 2L * row + 1, high);
        return true;
    }

    /// Puts one big-endian value.
    ///
    /// @return false where it needs more than 64 bits
    static boolean putInt64(MemorySegment from, long at, int length, MemorySegment to, int row) {
        long value = bigEndian(from, at + Math.max(0, length - 8), Math.min(length, 8));
        if (length > 8 && !isSignOnly(from, at, length - 8, value >> 63)) {
            return false;
        }
        to.setAtIndex(LONG, row, value);
        return true;
    }

    /// A signed number of 1 to 8 bytes.
    private static long bigEndian(MemorySegment from, long at, int length) {
        long value = from.get(BYTE, at);
        for (int i = 1; i < length; i++) {
            value = value << 8 | from.get(BYTE, at + i) & 0xFF;
        }
        return value;
    }

    private static boolean isSignOnly(MemorySegment from, long at, int length, long sign) {
        for (int i = 0; i < length; i++) {
            if (from.get(BYTE, at + i) != (byte) sign) {
                return false;
            }
        }
        return true;
    }
}
