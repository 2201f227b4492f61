package dev.chert.sqltest;

import dev.chert.table.ValueText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Prints single values as test files do.
final class CellText {
    static final String NULL = "NULL";
    static final String EMPTY = "(empty)";
    private static final Pattern LEADING_NUMBER =
            Pattern.compile("\\s*([+-]?\\d+(?:\\.\\d*)?(?:[eE][+-]?\\d+)?).*", Pattern.DOTALL);

    private CellText() {}

    /// Prints a value as it is: numbers with their scale, dates and times as ISO 8601 with a blank, booleans as words.
    static String plain(Object value) {
        return switch (value) {
            case null -> NULL;
            case String text -> text.isEmpty() ? EMPTY : text.replace("\n", "\\n");
            default -> ValueText.of(value);
        };
    }

    /// Prints a value by a type letter of SQLite's files: `I` truncated to an integer, `R` with three decimals, `T` as
    /// text in which only printable ASCII stays.
    static String byLetter(Object value, char letter) {
        if (value == null) {
            return NULL;
        }
        return switch (letter) {
            case 'I' -> number(value).setScale(0, RoundingMode.DOWN).toPlainString();
            case 'R' -> real(value);
            default -> plain(value).replaceAll("[^\\x20-\\x7e]", "@");
        };
    }

    private static String real(Object value) {
        return value instanceof Double || value instanceof Float
                ? String.format(Locale.ROOT, "%.3f", ((Number) value).doubleValue())
                : number(value).setScale(3, RoundingMode.HALF_UP).toPlainString();
    }

    private static BigDecimal number(Object value) {
        return switch (value) {
            case Boolean b -> b ? BigDecimal.ONE : BigDecimal.ZERO;
            case Double d when !Double.isFinite(d) -> BigDecimal.ZERO;
            case Float f when !Float.isFinite(f) -> BigDecimal.ZERO;
            case Number n -> new BigDecimal(n.toString());
            default -> {
                Matcher number = LEADING_NUMBER.matcher(value.toString());
                yield number.matches() ? new BigDecimal(number.group(1)) : BigDecimal.ZERO;
            }
        };
    }
}
