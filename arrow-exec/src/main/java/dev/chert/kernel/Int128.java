package dev.chert.kernel;

import dev.chert.batch.Layouts;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;

/// A cursor over a 128-bit two's complement integer, and arithmetic on such cursors.
///
/// Reused from row to row; operations write into one that is given and make no objects, but for divisors beyond
/// 64 bits. A result outside 128 bits is an [ArithmeticException]; the limit of DECIMAL, 38 digits, is
/// [#checkDecimal(Int128)]'s.
public final class Int128 {
    /// The most digits of which every number fits.
    public static final int MAX_DIGITS = 38;

    private static final int BYTES = 16;
    private static final long[] POWER_HIGH = new long[MAX_DIGITS + 1];
    private static final long[] POWER_LOW = new long[MAX_DIGITS + 1];

    static {
        BigInteger power = BigInteger.ONE;
        for (int i = 0; i <= MAX_DIGITS; i++) {
            POWER_HIGH[i] = power.shiftRight(64).longValue();
            POWER_LOW[i] = power.longValue();
            power = power.multiply(BigInteger.TEN);
        }
    }

    private long high;
    private long low;

    /// Points at 0.
    public Int128() {}

    public Int128(long high, long low) {
        this.high = high;
        this.low = low;
    }

    /// Reads row `row` of 16-byte values.
    ///
    /// @return this
    public Int128 at(MemorySegment values, int row) {
        long at = (long) row * BYTES;
        low = values.get(Layouts.LONG, at);
        high = values.get(Layouts.LONG, at + 8);
        return this;
    }

    /// Writes row `row` of 16-byte values.
    public void put(MemorySegment values, int row) {
        long at = (long) row * BYTES;
        values.set(Layouts.LONG, at, low);
        values.set(Layouts.LONG, at + 8, high);
    }

    public Int128 set(long newHigh, long newLow) {
        high = newHigh;
        low = newLow;
        return this;
    }

    public Int128 set(Int128 other) {
        return set(other.high, other.low);
    }

    public Int128 set(long value) {
        return set(value >> 63, value);
    }

    /// @throws ArithmeticException if the value does not fit
    public Int128 set(BigInteger value) {
        if (value.bitLength() > 127) {
            throw new ArithmeticException("128-bit overflow");
        }
        return set(value.shiftRight(64).longValue(), value.longValue());
    }

    public long high() {
        return high;
    }

    public long low() {
        return low;
    }

    public boolean fitsLong() {
        return high == low >> 63;
    }

    public boolean isNegative() {
        return high < 0;
    }

    public boolean isZero() {
        return (high | low) == 0;
    }

    public BigInteger toBigInteger() {
        BigInteger upper = BigInteger.valueOf(high).shiftLeft(64);
        BigInteger lower = BigInteger.valueOf(low & Long.MAX_VALUE);
        return upper.add(low < 0 ? lower.setBit(63) : lower);
    }

    public BigDecimal toBigDecimal(int scale) {
        return new BigDecimal(toBigInteger(), scale);
    }

    /// The nearest double of the integer.
    public double toDouble() {
        if (fitsLong()) {
            return low;
        }
        return toBigInteger().doubleValue();
    }

    public int compareTo(Int128 other) {
        return high != other.high ? Long.compare(high, other.high) : Long.compareUnsigned(low, other.low);
    }

    public boolean sameAs(Int128 other) {
        return high == other.high && low == other.low;
    }

    /// Adds; `result` may be an operand.
    public static void add(Int128 a, Int128 b, Int128 result) {
        long sumLow = a.low + b.low;
        long carry = Long.compareUnsigned(sumLow, a.low) < 0 ? 1 : 0;
        long sumHigh = a.high + b.high + carry;
        if (((a.high ^ sumHigh) & (b.high ^ sumHigh)) < 0) {
            throw overflow();
        }
        result.set(sumHigh, sumLow);
    }

    /// Subtracts `b` from `a`; `result` may be an operand.
    public static void subtract(Int128 a, Int128 b, Int128 result) {
        long low = a.low - b.low;
        long borrow = Long.compareUnsigned(a.low, b.low) < 0 ? 1 : 0;
        long high = a.high - b.high - borrow;
        if (((a.high ^ b.high) & (a.high ^ high)) < 0) {
            throw overflow();
        }
        result.set(high, low);
    }

    public static void negate(Int128 a, Int128 result) {
        if (a.high == Long.MIN_VALUE && a.low == 0) {
            throw overflow();
        }
        long low = -a.low;
        result.set(~a.high + (low == 0 ? 1 : 0), low);
    }

    /// Multiplies; `result` may be an operand.
    public static void multiply(Int128 a, Int128 b, Int128 result) {
        if (a.fitsLong() && b.fitsLong()) {
            result.set(Math.multiplyHigh(a.low, b.low), a.low * b.low);
            return;
        }
        boolean negative = (a.high ^ b.high) < 0;
        long aLow = a.magnitudeLow();
        long aHigh = a.magnitudeHigh();
        long bLow = b.magnitudeLow();
        long bHigh = b.magnitudeHigh();
        if (aHigh != 0 && bHigh != 0) {
            throw overflow();
        }
        long wide = aHigh != 0 ? aHigh : bHigh;
        long narrow = aHigh != 0 ? bLow : aLow;
        long cross = wide * narrow;
        long high = Math.unsignedMultiplyHigh(aLow, bLow) + cross;
        if (Math.unsignedMultiplyHigh(wide, narrow) != 0 || Long.compareUnsigned(high, cross) < 0) {
            throw overflow();
        }
        result.setSigned(negative, high, aLow * bLow);
    }

    /// Divides `a` by `b`, which is not 0, and drops the remainder; `result` may be an operand.
    public static void divide(Int128 a, Int128 b, Int128 result) {
        if (a.fitsLong() && b.fitsLong() && !(a.low == Long.MIN_VALUE && b.low == -1)) {
            result.set(a.low / b.low);
            return;
        }
        boolean negative = (a.high ^ b.high) < 0;
        if (b.magnitudeHigh() != 0) {
            result.set(a.toBigInteger().divide(b.toBigInteger()));
            return;
        }
        long divisor = b.magnitudeLow();
        long aHigh = a.magnitudeHigh();
        long aLow = a.magnitudeLow();
        long quotientHigh = Long.divideUnsigned(aHigh, divisor);
        long rest = Long.remainderUnsigned(aHigh, divisor);
        result.setSigned(negative, quotientHigh, divideUnsigned(rest, aLow, divisor));
    }

    /// The remainder of [#divide], with the sign of `a`; `result` may be an operand.
    public static void remainder(Int128 a, Int128 b, Int128 result) {
        if (a.fitsLong() && b.fitsLong()) {
            result.set(b.low == -1 ? 0 : a.low % b.low);
            return;
        }
        boolean negative = a.high < 0;
        if (b.magnitudeHigh() != 0) {
            result.set(a.toBigInteger().remainder(b.toBigInteger()));
            return;
        }
        long divisor = b.magnitudeLow();
        long aLow = a.magnitudeLow();
        long rest = Long.remainderUnsigned(a.magnitudeHigh(), divisor);
        long quotient = divideUnsigned(rest, aLow, divisor);
        result.setSigned(negative, 0, aLow - quotient * divisor);
    }

    /// Divides by `b`, which is not 0, rounding half away from zero; `result` may be an operand.
    public static void divideHalfUp(Int128 a, Int128 b, Int128 result) {
        boolean negative = (a.high ^ b.high) < 0;
        long bHigh = b.high;
        long bLow = b.low;
        long aHigh = a.high;
        long aLow = a.low;
        Int128 divisor = new Int128(bHigh, bLow);
        Int128 rest = new Int128(aHigh, aLow);
        divide(a, b, result);
        remainder(rest, divisor, rest);
        long restHigh = rest.magnitudeHigh();
        long restLow = rest.magnitudeLow();
        // 2 * rest >= divisor, said as rest >= divisor - rest, which cannot overflow
        long gapLow = divisor.magnitudeLow() - restLow;
        long gapHigh = divisor.magnitudeHigh()
                - restHigh
                - (Long.compareUnsigned(divisor.magnitudeLow(), restLow) < 0 ? 1 : 0);
        int compared = Long.compareUnsigned(restHigh, gapHigh);
        if (compared > 0 || (compared == 0 && Long.compareUnsigned(restLow, gapLow) >= 0)) {
            rest.set(negative ? -1 : 1);
            add(result, rest, result);
        }
    }

    /// Points at 10 to the power of `digits`, 0 to 38.
    public Int128 setPowerOfTen(int digits) {
        return set(POWER_HIGH[digits], POWER_LOW[digits]);
    }

    /// @throws ArithmeticException if the magnitude has more digits than `precision`
    public void checkDigits(int precision) {
        long magnitudeHigh = magnitudeHigh();
        if (magnitudeHigh < 0
                || magnitudeHigh > POWER_HIGH[precision]
                || (magnitudeHigh == POWER_HIGH[precision]
                        && Long.compareUnsigned(magnitudeLow(), POWER_LOW[precision]) >= 0)) {
            throw overflow();
        }
    }

    /// @throws ArithmeticException if no DECIMAL holds the value
    public static void checkDecimal(Int128 value) {
        if (value.high != value.low >> 63) {
            value.checkDigits(MAX_DIGITS);
        }
    }

    private long magnitudeLow() {
        return high < 0 ? -low : low;
    }

    private long magnitudeHigh() {
        return high < 0 ? ~high + (low == 0 ? 1 : 0) : high;
    }

    private void setSigned(boolean negative, long magnitudeHigh, long magnitudeLow) {
        if (negative) {
            low = -magnitudeLow;
            high = ~magnitudeHigh + (magnitudeLow == 0 ? 1 : 0);
        } else {
            low = magnitudeLow;
            high = magnitudeHigh;
        }
        if (magnitudeHigh < 0 && !(negative && magnitudeHigh == Long.MIN_VALUE && magnitudeLow == 0)) {
            throw overflow();
        }
    }

    /// Divides the unsigned 128-bit number (high, low) by `divisor`, which exceeds `high`. Two digits of 32 bits,
    /// each estimated and put right: Knuth, The Art of Computer Programming, volume 2, section 4.3.1, algorithm
    /// D.
    private static long divideUnsigned(long high, long low, long divisor) {
        if (high == 0) {
            return Long.divideUnsigned(low, divisor);
        }
        int shift = Long.numberOfLeadingZeros(divisor);
        long d = divisor << shift;
        long upper = shift == 0 ? high : high << shift | low >>> (64 - shift);
        long lower = low << shift;
        long dHigh = d >>> 32;
        long dLow = d & 0xFFFF_FFFFL;
        long first = digit(upper, lower >>> 32, dHigh, dLow);
        long rest = (upper << 32 | lower >>> 32) - first * d;
        long second = digit(rest, lower & 0xFFFF_FFFFL, dHigh, dLow);
        return (first << 32) + second;
    }

    private static long digit(long upper, long next, long dHigh, long dLow) {
        long guess = Long.divideUnsigned(upper, dHigh);
        long rest = upper - guess * dHigh;
        while (guess >>> 32 != 0 || Long.compareUnsigned(guess * dLow, rest << 32 | next) > 0) {
            guess--;
            rest += dHigh;
            if (rest >>> 32 != 0) {
                break;
            }
        }
        return guess;
    }

    private static ArithmeticException overflow() {
        return new ArithmeticException("128-bit overflow");
    }

    @Override
    public String toString() {
        return toBigInteger().toString();
    }
}
