package dev.chert.function.cast;

import dev.chert.batch.StringView;
import dev.chert.function.FunctionException;
import java.math.BigDecimal;
import java.util.Locale;

/// Reads numbers and truth values from strings; spaces around them do not count.
final class NumberText {
    private NumberText() {}

    /// Reads a whole number.
    ///
    /// @param type for messages
    static long parseLong(StringView text, long least, long most, String type) {
        int at = 0;
        int end = text.length();
        while (at < end && isSpace(text.byteAt(at))) {
            at++;
        }
        while (end > at && isSpace(text.byteAt(end - 1))) {
            end--;
        }
        boolean negative = at < end && text.byteAt(at) == '-';
        if (at < end && (negative || text.byteAt(at) == '+')) {
            at++;
        }
        if (at == end) {
            throw notA(text, type);
        }
        // collected as a negative number, of which there is one more
        long value = 0;
        for (; at < end; at++) {
            int digit = text.byteAt(at) - '0';
            if (digit < 0 || digit > 9) {
                throw notA(text, type);
            }
            if (value < (Long.MIN_VALUE + digit) / 10) {
                throw FunctionException.overflow("'" + text + "'", type);
            }
            value = value * 10 - digit;
        }
        if (!negative && value == Long.MIN_VALUE) {
            throw FunctionException.overflow("'" + text + "'", type);
        }
        long result = negative ? value : -value;
        if (result < least || result > most) {
            throw FunctionException.overflow("'" + text + "'", type);
        }
        return result;
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || (b >= '\t' && b <= '\r');
    }

    static double parseDouble(StringView text, String type) {
        String trimmed = text.toString().strip();
        char last = trimmed.isEmpty() ? ' ' : trimmed.charAt(trimmed.length() - 1);
        boolean javaOnly = trimmed.indexOf('x') >= 0 || trimmed.indexOf('X') >= 0 || "dDfF".indexOf(last) >= 0;
        switch (trimmed.toLowerCase(Locale.ROOT)) {
            case "inf", "infinity", "+inf", "+infinity" -> {
                return Double.POSITIVE_INFINITY;
            }
            case "-inf", "-infinity" -> {
                return Double.NEGATIVE_INFINITY;
            }
            case "nan" -> {
                return Double.NaN;
            }
            default -> {
                try {
                    if (javaOnly) {
                        throw notA(text, type);
                    }
                    return Double.parseDouble(trimmed);
                } catch (NumberFormatException e) {
                    throw notA(text, type);
                }
            }
        }
    }

    static BigDecimal parseDecimal(StringView text, String type) {
        try {
            BigDecimal value = new BigDecimal(text.toString().strip());
            if (Math.abs((long) value.precision() - value.scale()) > 1_000) {
                throw FunctionException.overflow("'" + text + "'", type); // 1e1000000 would take long to rescale
            }
            return value;
        } catch (NumberFormatException e) {
            throw notA(text, type);
        }
    }

    static boolean parseBoolean(StringView text) {
        return switch (text.toString().strip().toLowerCase(Locale.ROOT)) {
            case "true", "t", "yes", "y", "on", "1" -> true;
            case "false", "f", "no", "n", "off", "0" -> false;
            default -> throw notA(text, "BOOLEAN");
        };
    }

    static FunctionException notA(StringView text, String type) {
        return FunctionException.invalid("'%s' is no %s", text, type);
    }
}
