package dev.chert.function.text;

import dev.chert.batch.StringView;
import dev.chert.function.FunctionException;
import dev.chert.function.ScalarFunction;
import dev.chert.function.StringWriter;
import java.nio.charset.StandardCharsets;

/// What replaces or looks for parts of strings.
final class ReplaceFunctions {
    private ReplaceFunctions() {}

    @ScalarFunction(
            name = "replace",
            description = "A string with every occurrence of another replaced.",
            example = "replace('pear', 'ea', 'ie')",
            result = "pier")
    static void replace(StringView value, StringView wanted, StringView replacement, StringWriter out) {
        if (wanted.length() == 0 || Utf8.indexOf(value, wanted, 0) < 0) {
            out.write(value);
            return;
        }
        out.write(value.toString().replace(wanted.toString(), replacement.toString()));
    }

    @ScalarFunction(
            name = "translate",
            description = "A string with each character of a list replaced by the one at its place in another, or left"
                    + " out where the other is shorter.",
            example = "translate('pear', 'ea', 'i')",
            result = "pir")
    static void translate(StringView value, StringView from, StringView to, StringWriter out) {
        int[] wanted = from.toString().codePoints().toArray();
        int[] replacements = to.toString().codePoints().toArray();
        StringBuilder text = new StringBuilder();
        value.toString().codePoints().forEach(point -> {
            int at = 0;
            while (at < wanted.length && wanted[at] != point) {
                at++;
            }
            if (at == wanted.length) {
                text.appendCodePoint(point);
            } else if (at < replacements.length) {
                text.appendCodePoint(replacements[at]);
            }
        });
        out.write(text.toString());
    }

    @ScalarFunction(
            name = "overlay",
            description = "A string with the characters from a position on replaced by another string.",
            example = "overlay('pear' placing 'lou' from 2 for 2)",
            result = "plour")
    static void overlay(StringView value, StringView replacement, long start, long length, StringWriter out) {
        if (start < 1) {
            throw FunctionException.invalid("%d is no position in a string", start);
        }
        int from = Utf8.forward(value, 0, start - 1);
        int to = Utf8.forward(value, from, length);
        byte[] bytes = value.toBytes();
        out.write(new String(bytes, 0, from, StandardCharsets.UTF_8)
                + replacement
                + new String(bytes, to, bytes.length - to, StandardCharsets.UTF_8));
    }

    @ScalarFunction(name = "overlay")
    static void overlay(StringView value, StringView replacement, long start, StringWriter out) {
        overlay(value, replacement, start, Utf8.countCodePoints(replacement), out);
    }

    @ScalarFunction(
            name = "starts_with",
            description = "True where a string begins with another.",
            example = "starts_with('pear', 'pe')",
            result = "true")
    static boolean startsWith(StringView value, StringView prefix) {
        for (int i = 0; i < prefix.length(); i++) {
            if (i == value.length() || value.byteAt(i) != prefix.byteAt(i)) {
                return false;
            }
        }
        return true;
    }

    @ScalarFunction(
            name = "ends_with",
            description = "True where a string ends with another.",
            example = "ends_with('pear', 'ar')",
            result = "true")
    static boolean endsWith(StringView value, StringView suffix) {
        int from = value.length() - suffix.length();
        if (from < 0) {
            return false;
        }
        for (int i = 0; i < suffix.length(); i++) {
            if (value.byteAt(from + i) != suffix.byteAt(i)) {
                return false;
            }
        }
        return true;
    }

    @ScalarFunction(
            name = "contains",
            description = "True where a string has another in it.",
            example = "contains('pear', 'ea')",
            result = "true")
    static boolean contains(StringView value, StringView wanted) {
        return Utf8.indexOf(value, wanted, 0) >= 0;
    }
}
