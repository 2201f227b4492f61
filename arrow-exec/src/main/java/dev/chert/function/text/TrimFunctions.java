package dev.chert.function.text;

import dev.chert.batch.StringView;
import dev.chert.function.ScalarFunction;
import dev.chert.function.StringWriter;

/// What cuts characters off both ends or one, or adds them. Without a second argument, spaces.
final class TrimFunctions {
    private TrimFunctions() {}

    @ScalarFunction(
            name = "trim",
            aliases = "btrim",
            description = "A string without the spaces, or the given characters, at its ends.",
            example = "trim('  pear ')",
            result = "pear")
    static void trim(StringView value, StringWriter out) {
        int from = leadingSpaces(value);
        out.write(value, from, withoutTrailingSpaces(value, from) - from);
    }

    @ScalarFunction(
            name = "ltrim",
            description = "A string without the spaces, or the given characters, at its beginning.",
            example = "ltrim('  pear')",
            result = "pear")
    static void leading(StringView value, StringWriter out) {
        int from = leadingSpaces(value);
        out.write(value, from, value.length() - from);
    }

    @ScalarFunction(
            name = "rtrim",
            description = "A string without the spaces, or the given characters, at its end.",
            example = "rtrim('pear  ')",
            result = "pear")
    static void trailing(StringView value, StringWriter out) {
        out.write(value, 0, withoutTrailingSpaces(value, 0));
    }

    @ScalarFunction(name = "trim", aliases = "btrim")
    static void trim(StringView value, StringView characters, StringWriter out) {
        int from = leading(value, characters);
        out.write(value, from, withoutTrailing(value, characters, from) - from);
    }

    @ScalarFunction(name = "ltrim")
    static void leading(StringView value, StringView characters, StringWriter out) {
        int from = leading(value, characters);
        out.write(value, from, value.length() - from);
    }

    @ScalarFunction(name = "rtrim")
    static void trailing(StringView value, StringView characters, StringWriter out) {
        out.write(value, 0, withoutTrailing(value, characters, 0));
    }

    private static int leadingSpaces(StringView value) {
        int from = 0;
        while (from < value.length() && value.byteAt(from) == ' ') {
            from++;
        }
        return from;
    }

    private static int withoutTrailingSpaces(StringView value, int from) {
        int to = value.length();
        while (to > from && value.byteAt(to - 1) == ' ') {
            to--;
        }
        return to;
    }

    private static int leading(StringView value, StringView characters) {
        int from = 0;
        while (from < value.length()) {
            int next = Utf8.forward(value, from, 1);
            if (!contains(characters, value, from, next)) {
                break;
            }
            from = next;
        }
        return from;
    }

    private static int withoutTrailing(StringView value, StringView characters, int from) {
        int to = value.length();
        while (to > from) {
            int before = Utf8.backward(value, to, 1);
            if (!contains(characters, value, before, to)) {
                break;
            }
            to = before;
        }
        return to;
    }

    /// Whether one of the characters is the one in bytes `from` to `to - 1` of `value`.
    private static boolean contains(StringView characters, StringView value, int from, int to) {
        for (int at = 0; at < characters.length(); ) {
            int next = Utf8.forward(characters, at, 1);
            boolean same = next - at == to - from;
            for (int i = 0; same && i < to - from; i++) {
                same = characters.byteAt(at + i) == value.byteAt(from + i);
            }
            if (same) {
                return true;
            }
            at = next;
        }
        return false;
    }

    @ScalarFunction(
            name = "lpad",
            description = "A string brought to a length by characters before it, or by cutting its end.",
            example = "lpad('7', 3, '0')",
            result = "007")
    static void padLeft(StringView value, int length, StringView fill, StringWriter out) {
        out.write(padded(value, length, fill.toString(), true));
    }

    @ScalarFunction(name = "lpad")
    static void padLeft(StringView value, int length, StringWriter out) {
        out.write(padded(value, length, " ", true));
    }

    @ScalarFunction(
            name = "rpad",
            description = "A string brought to a length by characters after it, or by cutting its end.",
            example = "rpad('7', 3, '0')",
            result = "700")
    static void padRight(StringView value, int length, StringView fill, StringWriter out) {
        out.write(padded(value, length, fill.toString(), false));
    }

    @ScalarFunction(name = "rpad")
    static void padRight(StringView value, int length, StringWriter out) {
        out.write(padded(value, length, " ", false));
    }

    private static String padded(StringView value, int length, String fill, boolean before) {
        String text = value.toString();
        int has = text.codePointCount(0, text.length());
        if (has >= length) {
            return text.substring(0, text.offsetByCodePoints(0, Math.max(0, length)));
        }
        if (fill.isEmpty()) {
            return text;
        }
        TextFunctions.checkedLength(length);
        int[] points = fill.codePoints().toArray();
        StringBuilder padding = new StringBuilder();
        for (int i = 0; i < length - has; i++) {
            padding.appendCodePoint(points[i % points.length]);
        }
        return before ? padding + text : text + padding;
    }
}
