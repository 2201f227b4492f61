package dev.chert.function.text;

import dev.chert.batch.Layouts;
import dev.chert.batch.StringView;
import dev.chert.function.FunctionException;
import dev.chert.function.ScalarFunction;
import dev.chert.function.StringWriter;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/// What cuts, measures and joins strings. Positions count code points from 1.
final class TextFunctions {
    /// The most bytes that one string has.
    private static final int MOST_BYTES = 1 << 20;

    private TextFunctions() {}

    @ScalarFunction(
            name = "char_length",
            aliases = {"character_length", "length"},
            description = "The number of characters of a string.",
            example = "char_length('pear')",
            result = "4")
    static int charLength(StringView value) {
        return Utf8.countCodePoints(value);
    }

    @ScalarFunction(
            name = "octet_length",
            signature = "(VARCHAR) -> INTEGER; (VARBINARY) -> INTEGER",
            description = "The number of bytes of a string in UTF-8, or of a byte string.",
            example = "octet_length('ä')",
            result = "2")
    static int octetLength(StringView value) {
        return value.length();
    }

    @ScalarFunction(
            name = "substring",
            aliases = "substr",
            description = "The part of a string from a position on, or only so many characters of it; positions before"
                    + " the first character count as positions.",
            example = "substring('pear', 2, 2)",
            result = "ea")
    static void substring(StringView value, long start, StringWriter out) {
        int from = Utf8.forward(value, 0, start - 1);
        out.write(value, from, value.length() - from);
    }

    @ScalarFunction(name = "substring", aliases = "substr")
    static void substring(StringView value, long start, long length, StringWriter out) {
        if (length < 0) {
            throw FunctionException.invalid("a substring cannot have %d characters", length);
        }
        // the end first: a start before the string takes from the length
        long end = start > Long.MAX_VALUE - length ? Long.MAX_VALUE : start + length;
        long first = Math.max(start, 1);
        int from = Utf8.forward(value, 0, first - 1);
        int to = Utf8.forward(value, from, end - first);
        out.write(value, from, to - from);
    }

    @ScalarFunction(name = "substring", aliases = "substr", signature = "(VARBINARY, BIGINT) -> VARBINARY")
    static void byteSubstring(StringView value, long start, StringWriter out) {
        int from = Math.clamp(start - 1, 0, value.length());
        out.write(value, from, value.length() - from);
    }

    @ScalarFunction(name = "substring", aliases = "substr", signature = "(VARBINARY, BIGINT, BIGINT) -> VARBINARY")
    static void byteSubstring(StringView value, long start, long length, StringWriter out) {
        if (length < 0) {
            throw FunctionException.invalid("a substring cannot have %d bytes", length);
        }
        long end = start > Long.MAX_VALUE - length ? Long.MAX_VALUE : start + length;
        int from = Math.clamp(start - 1, 0, value.length());
        int to = Math.clamp(end - 1, from, value.length());
        out.write(value, from, to - from);
    }

    @ScalarFunction(
            name = "left",
            description = "The first characters of a string.",
            example = "left('pear', 2)",
            result = "pe")
    static void left(StringView value, long count, StringWriter out) {
        out.write(value, 0, Utf8.forward(value, 0, count));
    }

    @ScalarFunction(
            name = "right",
            description = "The last characters of a string.",
            example = "right('pear', 3)",
            result = "ear")
    static void right(StringView value, long count, StringWriter out) {
        int from = Utf8.backward(value, value.length(), count);
        out.write(value, from, value.length() - from);
    }

    @ScalarFunction(
            name = "||",
            aliases = "concat",
            signature = "(VARCHAR, VARCHAR) -> VARCHAR; (VARBINARY, VARBINARY) -> VARBINARY",
            description = "Joins strings.",
            example = "'pe' || 'ar'",
            result = "pear")
    static void concat(StringView a, StringView b, StringWriter out) {
        if (a.length() == 0) {
            out.write(b);
            return;
        }
        if (b.length() == 0) {
            out.write(a);
            return;
        }
        int length = checkedLength((long) a.length() + b.length());
        out.begin(length);
        MemorySegment.copy(a.segment(), a.offset(), out.segment(), out.offset(), a.length());
        MemorySegment.copy(b.segment(), b.offset(), out.segment(), out.offset() + a.length(), b.length());
        out.end(length);
    }

    static int checkedLength(long bytes) {
        if (bytes > MOST_BYTES) {
            throw FunctionException.overflow("a string of " + bytes + " bytes", "the limit of " + MOST_BYTES);
        }
        return (int) bytes;
    }

    @ScalarFunction(
            name = "position",
            description = "Where a string first lies in another, from 1; 0 where it does not.",
            example = "position('ea' in 'pear')",
            result = "2")
    static int position(StringView wanted, StringView text) {
        return positionOf(wanted, text, 1);
    }

    @ScalarFunction(name = "position")
    static int position(StringView wanted, StringView text, long start) {
        return positionOf(wanted, text, start);
    }

    private static int positionOf(StringView wanted, StringView text, long start) {
        long first = Math.max(1, start);
        int from = Utf8.forward(text, 0, first - 1);
        if (from == text.length() && first - 1 > Utf8.countCodePoints(text)) {
            return 0;
        }
        int at = Utf8.indexOf(text, wanted, from);
        if (at < 0) {
            return 0;
        }
        int position = 1;
        for (int i = 0; i < at; i++) {
            position += Utf8.continues(text.byteAt(i)) ? 0 : 1;
        }
        return position;
    }

    @ScalarFunction(name = "position", signature = "(VARBINARY, VARBINARY, BIGINT) -> INTEGER")
    static int bytePosition(StringView wanted, StringView text, long start) {
        long from = Math.max(1, start) - 1;
        return from > text.length() || (from == text.length() && from > 0)
                ? 0
                : Utf8.indexOf(text, wanted, (int) from) + 1;
    }

    @ScalarFunction(name = "position", signature = "(VARBINARY, VARBINARY) -> INTEGER")
    static int bytePosition(StringView wanted, StringView text) {
        return Utf8.indexOf(text, wanted, 0) + 1;
    }

    @ScalarFunction(
            name = "reverse",
            description = "The characters of a string from the last to the first.",
            example = "reverse('pear')",
            result = "raep")
    static void reverse(StringView value, StringWriter out) {
        int length = value.length();
        out.begin(length);
        int to = 0;
        for (int end = length; end > 0; ) {
            int start = Utf8.backward(value, end, 1);
            MemorySegment.copy(value.segment(), value.offset() + start, out.segment(), out.offset() + to, end - start);
            to += end - start;
            end = start;
        }
        out.end(length);
    }

    @ScalarFunction(
            name = "repeat",
            description = "A string so many times.",
            example = "repeat('ab', 3)",
            result = "ababab")
    static void repeat(StringView value, int times, StringWriter out) {
        int length = checkedLength((long) value.length() * Math.max(0, times));
        out.begin(length);
        for (int to = 0; to < length; to += value.length()) {
            MemorySegment.copy(value.segment(), value.offset(), out.segment(), out.offset() + to, value.length());
        }
        out.end(length);
    }

    @ScalarFunction(
            name = "ascii",
            description = "The code point of the first character; 0 of an empty string.",
            example = "ascii('a')",
            result = "97")
    static int ascii(StringView value) {
        if (value.length() == 0) {
            return 0;
        }
        byte first = value.byteAt(0);
        return first >= 0 ? first : value.toString().codePointAt(0);
    }

    @ScalarFunction(
            name = "chr",
            aliases = "char",
            description = "The character with a code point.",
            example = "chr(97)",
            result = "a")
    static void chr(long codePoint, StringWriter out) {
        if (codePoint < 0 || codePoint > Character.MAX_CODE_POINT || !isCharacter((int) codePoint)) {
            throw FunctionException.invalid("%d is no code point", codePoint);
        }
        out.write(Character.toString((int) codePoint));
    }

    private static boolean isCharacter(int codePoint) {
        return codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE;
    }

    @ScalarFunction(
            name = "upper",
            aliases = "ucase",
            description = "A string in upper case.",
            example = "upper('Pear')",
            result = "PEAR")
    static void upper(StringView value, StringWriter out) {
        if (!Utf8.isAscii(value)) {
            out.write(value.toString().toUpperCase(Locale.ROOT));
            return;
        }
        int length = value.length();
        out.begin(length);
        MemorySegment target = out.segment();
        long at = out.offset();
        for (int i = 0; i < length; i++) {
            byte b = value.byteAt(i);
            target.set(Layouts.BYTE, at + i, (byte) (b >= 'a' && b <= 'z' ? b - 32 : b));
        }
        out.end(length);
    }

    @ScalarFunction(
            name = "lower",
            aliases = "lcase",
            description = "A string in lower case.",
            example = "lower('Pear')",
            result = "pear")
    static void lower(StringView value, StringWriter out) {
        if (!Utf8.isAscii(value)) {
            out.write(value.toString().toLowerCase(Locale.ROOT));
            return;
        }
        int length = value.length();
        out.begin(length);
        MemorySegment target = out.segment();
        long at = out.offset();
        for (int i = 0; i < length; i++) {
            byte b = value.byteAt(i);
            target.set(Layouts.BYTE, at + i, (byte) (b >= 'A' && b <= 'Z' ? b + 32 : b));
        }
        out.end(length);
    }

    @ScalarFunction(
            name = "initcap",
            description = "A string with each word's first letter in upper case and the others in lower case.",
            example = "initcap('a pear tree')",
            result = "A Pear Tree")
    static void initcap(StringView value, StringWriter out) {
        StringBuilder text = new StringBuilder();
        boolean inWord = false;
        int[] points = value.toString().codePoints().toArray();
        for (int point : points) {
            boolean letter = Character.isLetterOrDigit(point);
            text.appendCodePoint(inWord ? Character.toLowerCase(point) : Character.toUpperCase(point));
            inWord = letter;
        }
        out.write(text.toString());
    }
}
