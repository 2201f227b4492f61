package dev.chert.function.cast;

import dev.chert.batch.StringView;
import dev.chert.function.FunctionException;
import dev.chert.function.time.Calendar;

/// Reads dates, times, timestamps and intervals from strings, and writes them.
///
/// ```text
/// DATE                   2024-02-29, also 2024-2-9
/// TIME                   13:34, 13:34:56, 13:34:56.789
/// TIMESTAMP              a date, or a date, a space or T, and a time
/// TIMESTAMP_LTZ          a timestamp, then nothing, Z or an offset as +01:00
/// INTERVAL YEAR MONTH    1-02, also 1
/// INTERVAL DAY TIME      2 03:04:05.678, also 2, also 03:04:05
/// ```
///
/// Fraction digits beyond the type's are cut off.
final class TimeText {
    private static final long NO_OFFSET = Long.MIN_VALUE;

    private final StringView text;
    private final String type;
    private int at;
    private int end;

    private TimeText(StringView text, String type) {
        this.text = text;
        this.type = type;
        this.end = text.length();
        while (end > 0 && text.byteAt(end - 1) == ' ') {
            end--;
        }
        while (at < end && text.byteAt(at) == ' ') {
            at++;
        }
    }

    static long parseDate(StringView text) {
        TimeText reader = new TimeText(text, "DATE");
        long days = reader.date();
        reader.finish();
        return days;
    }

    /// @return units since midnight
    static long parseTime(StringView text, long unitsPerSecond) {
        TimeText reader = new TimeText(text, "TIME");
        long units = reader.time(unitsPerSecond, 23);
        reader.finish();
        return units;
    }

    /// @return units since 1970-01-01
    static long parseTimestamp(StringView text, long unitsPerSecond) {
        TimeText reader = new TimeText(text, "TIMESTAMP");
        long units = reader.timestamp(unitsPerSecond);
        reader.finish();
        return units;
    }

    /// A local timestamp that may say its offset.
    ///
    /// @param units         local units since 1970-01-01
    /// @param offsetSeconds of the text
    record Zoned(long units, boolean hasOffset, long offsetSeconds) {}

    static Zoned parseZoned(StringView text, long unitsPerSecond) {
        TimeText reader = new TimeText(text, "TIMESTAMP WITH LOCAL TIME ZONE");
        long units = reader.timestamp(unitsPerSecond);
        long offset = reader.offset();
        reader.finish();
        return new Zoned(units, offset != NO_OFFSET, offset == NO_OFFSET ? 0 : offset);
    }

    /// @return months
    static long parseMonths(StringView text) {
        TimeText reader = new TimeText(text, "INTERVAL YEAR TO MONTH");
        boolean negative = reader.sign();
        long months = Math.multiplyExact(reader.number(9), 12L);
        if (reader.accept('-')) {
            months += reader.number(2);
        }
        reader.finish();
        return negative ? -months : months;
    }

    /// @return units
    static long parseInterval(StringView text, long unitsPerSecond) {
        TimeText reader = new TimeText(text, "INTERVAL DAY TO SECOND");
        boolean negative = reader.sign();
        int start = reader.at;
        long first = reader.number(9);
        long units;
        if (reader.at < reader.end && reader.peek() == ':') {
            reader.at = start;
            units = reader.time(unitsPerSecond, Integer.MAX_VALUE);
        } else {
            units = Math.multiplyExact(first, 86_400L * unitsPerSecond);
            if (reader.accept(' ')) {
                units = Math.addExact(units, reader.time(unitsPerSecond, 23));
            }
        }
        reader.finish();
        return negative ? -units : units;
    }

    private long timestamp(long unitsPerSecond) {
        long units = Math.multiplyExact(date(), 86_400L * unitsPerSecond);
        if (at < end && (peek() == ' ' || peek() == 'T' || peek() == 't')) {
            at++;
            units = Math.addExact(units, time(unitsPerSecond, 23));
        }
        return units;
    }

    private long date() {
        boolean negative = sign();
        long year = number(6);
        expect('-');
        int month = (int) number(2);
        expect('-');
        int day = (int) number(2);
        long signed = negative ? -year : year;
        if (month < 1 || month > 12 || day < 1 || day > Calendar.lengthOfMonth(signed, month)) {
            throw wrong();
        }
        return Calendar.days(signed, month, day);
    }

    private long time(long unitsPerSecond, int mostHours) {
        long hours = number(9);
        expect(':');
        long minutes = number(2);
        long seconds = 0;
        long fraction = 0;
        if (accept(':')) {
            seconds = number(2);
            if (accept('.')) {
                fraction = fraction(unitsPerSecond);
            }
        }
        if (hours > mostHours || minutes > 59 || seconds > 59) {
            throw wrong();
        }
        return Math.addExact(Math.multiplyExact(hours * 3600 + minutes * 60 + seconds, unitsPerSecond), fraction);
    }

    private long fraction(long unitsPerSecond) {
        long unit = unitsPerSecond;
        long fraction = 0;
        int start = at;
        while (at < end && isDigit(peek())) {
            unit /= 10;
            fraction += (peek() - '0') * unit;
            at++;
        }
        if (at == start) {
            throw wrong();
        }
        return fraction;
    }

    private long offset() {
        accept(' ');
        if (at == end) {
            return NO_OFFSET;
        }
        if (accept('Z') || accept('z')) {
            return 0;
        }
        if (peek() != '+' && peek() != '-') {
            throw wrong();
        }
        boolean negative = sign();
        long seconds = number(2) * 3600;
        if (accept(':') || at < end) {
            seconds += number(2) * 60;
        }
        return negative ? -seconds : seconds;
    }

    private boolean sign() {
        if (accept('-')) {
            return true;
        }
        accept('+');
        return false;
    }

    private long number(int mostDigits) {
        int start = at;
        long value = 0;
        while (at < end && at - start < mostDigits && isDigit(peek())) {
            value = value * 10 + (peek() - '0');
            at++;
        }
        if (at == start) {
            throw wrong();
        }
        return value;
    }

    private byte peek() {
        return text.byteAt(at);
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private boolean accept(char wanted) {
        if (at < end && peek() == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char wanted) {
        if (!accept(wanted)) {
            throw wrong();
        }
    }

    private void finish() {
        if (at != end) {
            throw wrong();
        }
    }

    private FunctionException wrong() {
        return NumberText.notA(text, type);
    }

    static void putDate(StringBuilder out, long days) {
        long split = Calendar.split(days);
        long year = Calendar.yearOf(split);
        if (year < 0) {
            out.append('-');
        }
        padded(out, Math.abs(year), 4);
        out.append('-');
        padded(out, Calendar.monthOf(split), 2);
        out.append('-');
        padded(out, Calendar.dayOf(split), 2);
    }

    /// @param units          since midnight, or of an interval
    /// @param fractionDigits to be written
    static void putTime(StringBuilder out, long units, long unitsPerSecond, int fractionDigits) {
        long seconds = units / unitsPerSecond;
        padded(out, seconds / 3600, 2);
        out.append(':');
        padded(out, seconds / 60 % 60, 2);
        out.append(':');
        padded(out, seconds % 60, 2);
        if (fractionDigits > 0) {
            long fraction = units % unitsPerSecond;
            out.append('.');
            long unit = unitsPerSecond;
            for (int i = 0; i < fractionDigits; i++) {
                unit /= 10;
                out.append((char) ('0' + fraction / unit % 10));
            }
        }
    }

    static void putTimestamp(StringBuilder out, long units, long unitsPerSecond, int fractionDigits) {
        long unitsPerDay = 86_400 * unitsPerSecond;
        long days = Math.floorDiv(units, unitsPerDay);
        putDate(out, days);
        out.append(' ');
        putTime(out, units - days * unitsPerDay, unitsPerSecond, fractionDigits);
    }

    static void putMonths(StringBuilder out, long months) {
        out.append(months < 0 ? '-' : '+').append(Math.abs(months) / 12).append('-');
        padded(out, Math.abs(months) % 12, 2);
    }

    static void putInterval(StringBuilder out, long units, long unitsPerSecond, int fractionDigits) {
        out.append(units < 0 ? '-' : '+');
        long magnitude = Math.absExact(units);
        long unitsPerDay = 86_400 * unitsPerSecond;
        out.append(magnitude / unitsPerDay).append(' ');
        putTime(out, magnitude % unitsPerDay, unitsPerSecond, fractionDigits);
    }

    static void padded(StringBuilder out, long number, int digits) {
        String text = Long.toString(number);
        out.repeat('0', Math.max(0, digits - text.length())).append(text);
    }
}
