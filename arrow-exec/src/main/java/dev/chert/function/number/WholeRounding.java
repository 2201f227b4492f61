package dev.chert.function.number;

/// Rounds whole numbers before the point.
final class WholeRounding {
    private WholeRounding() {}

    /// Rounds half away from zero.
    ///
    /// @param digits 0 or more leave the number as it is
    /// @throws ArithmeticException if the result does not fit
    static long round(long value, int digits) {
        if (digits >= 0) {
            return value;
        }
        if (digits < -18) {
            // 5 * 10^18 is the least that rounds up at the 19th digit, to what does not fit
            if (digits == -19 && (value >= 5_000_000_000_000_000_000L || value <= -5_000_000_000_000_000_000L)) {
                throw new ArithmeticException("long overflow");
            }
            return 0;
        }
        long unit = PowersOfTen.longPower(-digits);
        return Math.multiplyExact(DecimalRounding.divideHalfUp(value, unit), unit);
    }

    static long truncate(long value, int digits) {
        if (digits >= 0) {
            return value;
        }
        if (digits < -18) {
            return 0;
        }
        long unit = PowersOfTen.longPower(-digits);
        return value / unit * unit;
    }
}
