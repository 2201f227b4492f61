package dev.chert.kernel;

import dev.chert.batch.Layouts;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;

/// A cursor over a 128-bit two's complement integer, and arithmetic on such cursors.
///
/// Reused from row to row; operations write into one that is given and make no objects. A result outside 128 bits
/// is an [ArithmeticException]; the limit of DECIMAL, 38 digits, is [#checkDecimal(Int128)]'s.
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
        long bHigh = b.magnitudeHigh();
        long bLow = b.magnitudeLow();
        result.setQuotient(0, 0, a.magnitudeHigh(), a.magnitudeLow(), bHigh, bLow);
        result.setSigned(negative, result.high, result.low);
    }

    /// The remainder of [#divide], with the sign of `a`; `result` may be an operand.
    public static void remainder(Int128 a, Int128 b, Int128 result) {
        if (a.fitsLong() && b.fitsLong()) {
            result.set(b.low == -1 ? 0 : a.low % b.low);
            return;
        }
        boolean negative = a.high < 0;
        long aHigh = a.magnitudeHigh();
        long aLow = a.magnitudeLow();
        long bHigh = b.magnitudeHigh();
        long bLow = b.magnitudeLow();
        result.setQuotient(0, 0, aHigh, aLow, bHigh, bLow);
        long subtractLow = result.low * bLow;
        long subtractHigh = Math.unsignedMultiplyHigh(result.low, bLow) + result.low * bHigh + result.high * bLow;
        long borrow = Long.compareUnsigned(aLow, subtractLow) < 0 ? 1 : 0;
        result.setSigned(negative, aHigh - subtractHigh - borrow, aLow - subtractLow);
    }

    /// Divides by `b`, which is not 0, rounding half away from zero; `result` may be an operand.
    public static void divideHalfUp(Int128 a, Int128 b, Int128 result) {
        boolean negative = (a.high ^ b.high) < 0;
        result.setHalfUp(negative, 0, 0, a.magnitudeHigh(), a.magnitudeLow(), b.magnitudeHigh(), b.magnitudeLow());
    }

    /// Multiplies by 10 to the power of `digits` and divides by `b`, which is not 0, rounding half away from
    /// zero;
    /// `result` may be an operand.
    ///
    /// @param digits 0 to 38; the product may have 256 bits
    public static void divideHalfUp(Int128 a, int digits, Int128 b, Int128 result) {
        result.setProductHalfUp(
                (a.high ^ b.high) < 0,
                a.magnitudeHigh(),
                a.magnitudeLow(),
                POWER_HIGH[digits],
                POWER_LOW[digits],
                b.magnitudeHigh(),
                b.magnitudeLow());
    }

    /// Multiplies, then divides by 10 to the power of `digits`, rounding half away from zero; `result` may be an
    /// operand.
    ///
    /// @param digits 0 to 38; the product may have 256 bits
    public static void multiplyHalfUp(Int128 a, Int128 b, int digits, Int128 result) {
        result.setProductHalfUp(
                (a.high ^ b.high) < 0,
                a.magnitudeHigh(),
                a.magnitudeLow(),
                b.magnitudeHigh(),
                b.magnitudeLow(),
                POWER_HIGH[digits],
                POWER_LOW[digits]);
    }

    /// Multiplies and divides, rounding half away from zero; `result` may be `a`.
    ///
    /// @param factor  not negative
    /// @param divisor more than 0
    public static void multiplyDivideHalfUp(Int128 a, long factor, long divisor, Int128 result) {
        result.setProductHalfUp(a.high < 0, a.magnitudeHigh(), a.magnitudeLow(), 0, factor, 0, divisor);
    }

    /// `a * b / divisor`, rounded half away from zero, through a product of 128 bits.
    ///
    /// @param divisor not 0
    /// @throws ArithmeticException if the result does not fit 64 bits
    public static long multiplyDivideHalfUp(long a, long b, long divisor) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        boolean negative = (high ^ divisor) < 0;
        if (high < 0) {
            high = ~high + (low == 0 ? 1 : 0);
            low = -low;
        }
        long by = Math.abs(divisor); // 2^63, unsigned, of the least
        if (Long.compareUnsigned(high, by) >= 0) {
            throw new ArithmeticException("long overflow");
        }
        long quotient = divideUnsigned(high, low, by);
        long rest = low - quotient * by;
        boolean up = Long.compareUnsigned(rest, by - rest) >= 0;
        long rounded = up ? quotient + 1 : quotient;
        boolean isLeast = negative && rounded == Long.MIN_VALUE;
        if ((quotient | rounded) < 0 && !isLeast) {
            throw new ArithmeticException("long overflow");
        }
        return negative ? -rounded : rounded;
    }

    private void setProductHalfUp(
            boolean negative, long aHigh, long aLow, long bHigh, long bLow, long divisorHigh, long divisorLow) {
        long word0 = aLow * bLow;
        long word1 = Math.unsignedMultiplyHigh(aLow, bLow);
        long word2 = 0;
        long word3 = 0;
        if ((aHigh | bHigh) != 0) {
            long crossLow = aHigh * bLow;
            long crossHigh = Math.unsignedMultiplyHigh(aHigh, bLow);
            word1 += crossLow;
            word2 = crossHigh + (Long.compareUnsigned(word1, crossLow) < 0 ? 1 : 0); // cannot carry
            crossLow = aLow * bHigh;
            crossHigh = Math.unsignedMultiplyHigh(aLow, bHigh);
            word1 += crossLow;
            crossHigh += Long.compareUnsigned(word1, crossLow) < 0 ? 1 : 0;
            word2 += crossHigh;
            word3 = Long.compareUnsigned(word2, crossHigh) < 0 ? 1 : 0;
            crossLow = aHigh * bHigh;
            word2 += crossLow;
            word3 += Math.unsignedMultiplyHigh(aHigh, bHigh) + (Long.compareUnsigned(word2, crossLow) < 0 ? 1 : 0);
        }
        setHalfUp(negative, word3, word2, word1, word0, divisorHigh, divisorLow);
    }

    /// Points at the rounded quotient of unsigned numbers, which are given as their words, highest first.
    private void setHalfUp(
            boolean negative, long word3, long word2, long word1, long word0, long divisorHigh, long divisorLow) {
        setQuotient(word3, word2, word1, word0, divisorHigh, divisorLow);
        // the rest is less than the divisor: its lower 128 bits are all of it
        long subtractLow = low * divisorLow;
        long subtractHigh = Math.unsignedMultiplyHigh(low, divisorLow) + low * divisorHigh + high * divisorLow;
        long restHigh = word1 - subtractHigh - (Long.compareUnsigned(word0, subtractLow) < 0 ? 1 : 0);
        long restLow = word0 - subtractLow;
        // 2 * rest >= divisor, said as rest >= divisor - rest, which cannot overflow
        long gapHigh = divisorHigh - restHigh - (Long.compareUnsigned(divisorLow, restLow) < 0 ? 1 : 0);
        long gapLow = divisorLow - restLow;
        int compared = Long.compareUnsigned(restHigh, gapHigh);
        if (compared > 0 || compared == 0 && Long.compareUnsigned(restLow, gapLow) >= 0) {
            low++;
            high += low == 0 ? 1 : 0;
            if ((high | low) == 0) {
                throw overflow();
            }
        }
        setSigned(negative, high, low);
    }

    /// Points at the quotient, without a sign, of an unsigned number of four words by one of two.
    ///
    /// @throws ArithmeticException if the quotient has more than 128 bits
    private void setQuotient(long word3, long word2, long word1, long word0, long divisorHigh, long divisorLow) {
        if (divisorHigh == 0) {
            if (word3 != 0) {
                throw overflow();
            }
            long rest = word2;
            if (Long.compareUnsigned(rest, divisorLow) >= 0) {
                throw overflow();
            }
            high = divideUnsigned(rest, word1, divisorLow);
            rest = word1 - high * divisorLow;
            low = divideUnsigned(rest, word0, divisorLow);
            return;
        }
        int compared = Long.compareUnsigned(word3, divisorHigh);
        if (compared > 0 || compared == 0 && Long.compareUnsigned(word2, divisorLow) >= 0) {
            throw overflow();
        }
        int shift = Long.numberOfLeadingZeros(divisorHigh);
        long d1 = shifted(divisorHigh, divisorLow, shift);
        long d0 = divisorLow << shift;
        long top = shifted(word3, word2, shift);
        long next = shifted(word2, word1, shift);
        long third = shifted(word1, word0, shift);
        long last = word0 << shift;
        long first = wordOfQuotient(top, next, third, d1, d0);
        long subtract = first * d0;
        long restHigh = next
                - Math.unsignedMultiplyHigh(first, d0)
                - first * d1
                - (Long.compareUnsigned(third, subtract) < 0 ? 1 : 0);
        long restLow = third - subtract;
        high = first;
        low = wordOfQuotient(restHigh, restLow, last, d1, d0);
    }

    private static long shifted(long upper, long lower, int shift) {
        return shift == 0 ? upper : upper << shift | lower >>> (64 - shift);
    }

    /// One word of a quotient: divides three words, of which the upper two are less than the divisor, by two. The
    /// estimate by the upper words is at most two too large, since the divisor's highest bit is set.
    private static long wordOfQuotient(long upper, long middle, long lower, long dHigh, long dLow) {
        long guess = Long.compareUnsigned(upper, dHigh) >= 0 ? -1 : divideUnsigned(upper, middle, dHigh);
        // what is left, as three words: negative while the guess is too large
        long low = guess * dLow;
        long carried = Math.unsignedMultiplyHigh(guess, dLow);
        long product = guess * dHigh;
        long mid = product + carried;
        long top = Math.unsignedMultiplyHigh(guess, dHigh) + (Long.compareUnsigned(mid, product) < 0 ? 1 : 0);
        long restLow = lower - low;
        long borrow = Long.compareUnsigned(lower, low) < 0 ? 1 : 0;
        long restMid = middle - mid - borrow;
        borrow = Long.compareUnsigned(middle, mid) < 0 || middle == mid && borrow != 0 ? 1 : 0;
        long restTop = upper - top - borrow;
        while (restTop < 0) {
            guess--;
            restLow += dLow;
            long carry = Long.compareUnsigned(restLow, dLow) < 0 ? 1 : 0;
            long sum = restMid + dHigh;
            long carryMid = Long.compareUnsigned(sum, dHigh) < 0 ? 1 : 0;
            restMid = sum + carry;
            carryMid += carry != 0 && restMid == 0 ? 1 : 0;
            restTop += carryMid;
        }
        return guess;
    }

    /// Points at 10 to the power of `digits`, 0 to 38.
    public Int128 setPowerOfTen(int digits) {
        return set(POWER_HIGH[digits], POWER_LOW[digits]);
    }

    /// True where the magnitude has no more digits than `precision`.
    public boolean fitsDigits(int precision) {
        long magnitudeHigh = magnitudeHigh();
        return magnitudeHigh >= 0
                && (magnitudeHigh < POWER_HIGH[precision]
                        || magnitudeHigh == POWER_HIGH[precision]
                                && Long.compareUnsigned(magnitudeLow(), POWER_LOW[precision]) < 0);
    }

    /// @throws ArithmeticException if the magnitude has more digits than `precision`
    public void checkDigits(int precision) {
        if (!fitsDigits(precision)) {
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
