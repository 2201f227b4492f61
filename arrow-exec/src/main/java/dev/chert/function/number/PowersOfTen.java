package dev.chert.function.number;

/// The powers of ten that 64 bits hold.
public final class PowersOfTen {
    /// The most zeros of a power that 64 bits hold.
    public static final int MOST_DIGITS = 18;

    private static final long[] LONGS = new long[MOST_DIGITS + 1];

    static {
        long power = 1;
        for (int i = 0; i < LONGS.length; i++) {
            LONGS[i] = power;
            power *= 10;
        }
    }

    private PowersOfTen() {}

    /// 10 to the power of `digits`.
    ///
    /// @param digits 0 to 18
    public static long longPower(int digits) {
        return LONGS[digits];
    }
}
