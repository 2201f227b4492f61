package dev.chert.memory;

import java.util.Locale;

/// How byte counts read in messages: `512 bytes`, `64 MiB`, `1.5 GiB`; MiB is 2^20 bytes.
public final class ByteSize {
    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private ByteSize() {}

    /// A count in the largest unit that leaves at least one whole, to one decimal.
    public static String format(long bytes) {
        int unit = unit(bytes);
        return number(bytes, unit) + " " + UNITS[unit];
    }

    /// A part of a whole, which share the unit where they can: `448 of 512 MiB`, `910 MiB of 1 GiB`.
    static String formatPart(long part, long whole) {
        int unit = unit(whole);
        boolean shared = part == 0 || unit(part) == unit;
        return (shared ? number(part, unit) : format(part)) + " of " + format(whole);
    }

    private static int unit(long bytes) {
        return bytes < 1024 ? 0 : (63 - Long.numberOfLeadingZeros(bytes)) / 10;
    }

    private static String number(long bytes, int unit) {
        double value = (double) bytes / (1L << (10 * unit));
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
}
