package dev.chert.function.number;

/// The powers of ten that 64 bits hold.
public final class PowersOfTen {
    private static final long[] LONGS = new long[19];

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
