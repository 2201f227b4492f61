package dev.chert.function.number;

import dev.chert.kernel.Int128;
import java.math.BigDecimal;
import java.math.RoundingMode;

/// Changes the scale of unscaled decimals, rounding half away from zero.
public final class DecimalRounding {
    private DecimalRounding() {}

    /// Divides, rounding half away from zero.
    ///
    /// @param divisor not 0
    public static long divideHalfUp(long dividend, long divisor) {
        long quotient = Math.divideExact(dividend, divisor);
        long rest = dividend - quotient * divisor;
        if (rest == 0) {
            return quotient;
        }
        long gap = Math.abs(divisor) - Math.abs(rest); // of the least divisor too: the difference fits again
        if (Math.abs(rest) < gap) {
            return quotient;
        }
        return (dividend ^ divisor) < 0 ? quotient - 1 : quotient + 1;
    }

    /// Changes the scale by `digits`: more than 0 adds digits.
    ///
    /// @throws ArithmeticException if the result does not fit
    public static long rescale(long value, int digits) {
        if (digits == 0) {
            return value;
        }
        if (digits > 0) {
            if (value == 0) {
                return 0;
            }
            if (digits > 18) {
                throw new ArithmeticException("long overflow");
            }
            return Math.multiplyExact(value, PowersOfTen.longPower(digits));
        }
        if (-digits > 18) {
            // 5 * 10^18 is the least that rounds up when 19 digits are dropped
            long half = 5 * PowersOfTen.longPower(18);
            return -digits == 19 && (value >= half || value <= -half) ? Long.signum(value) : 0;
        }
        return divideHalfUp(value, PowersOfTen.longPower(-digits));
    }

    /// Changes the scale by `digits`: more than 0 adds digits. `result` may be `value`.
    ///
    /// @throws ArithmeticException if the result does not fit
    public static void rescale(Int128 value, int digits, Int128 result) {
        if (digits == 0) {
            result.set(value);
        } else if (digits > 0) {
            Int128.multiply(value, new Int128().setPowerOfTen(digits), result);
        } else {
            Int128.divideHalfUp(value, new Int128().setPowerOfTen(-digits), result);
        }
    }

    /// Rounds to the unscaled value of a scale.
    public static BigDecimal toScale(BigDecimal value, int scale) {
        return value.setScale(scale, RoundingMode.HALF_UP);
    }
}
