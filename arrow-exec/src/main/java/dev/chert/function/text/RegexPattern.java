package dev.chert.function.text;

import dev.chert.batch.StringView;
import dev.chert.function.FunctionException;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// SQL patterns that are run as Java's regular expressions: ILIKE and SIMILAR TO.
final class RegexPattern {
    private RegexPattern() {}

    /// LIKE without regard to case.
    static Pattern caseInsensitiveLike(String pattern, int escape) {
        StringBuilder regex = new StringBuilder();
        int[] points = pattern.codePoints().toArray();
        for (int i = 0; i < points.length; i++) {
            int point = points[i];
            if (point == escape && i + 1 < points.length) {
                i++;
                regex.append(Pattern.quote(Character.toString(points[i])));
            } else if (point == '%') {
                regex.append(".*");
            } else if (point == '_') {
                regex.append('.');
            } else {
                regex.append(Pattern.quote(Character.toString(point)));
            }
        }
        return Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL);
    }

    /// SIMILAR TO: `%` and `_` as in LIKE, and of regular expressions `| * + ? {m,n} ( ) [ ]`.
    static Pattern similar(String pattern, int escape) {
        StringBuilder regex = new StringBuilder();
        int[] points = pattern.codePoints().toArray();
        boolean inClass = false;
        for (int i = 0; i < points.length; i++) {
            int point = points[i];
            if (point == escape && i + 1 < points.length) {
                i++;
                regex.append(Pattern.quote(Character.toString(points[i])));
            } else if (inClass) {
                if (point == ':' && i + 1 < points.length && points[i - 1] == '[') {
                    int end = pattern.indexOf(":]", i);
                    if (end < 0) {
                        throw FunctionException.invalid("the pattern '%s' has no end of [:", pattern);
                    }
                    regex.setLength(regex.length() - 1);
                    regex.append(characterClass(pattern, pattern.substring(i + 1, end)));
                    i = end + 1;
                    continue;
                }
                inClass = point != ']';
                regex.append(point == '\\' ? "\\\\" : Character.toString(point));
            } else {
                switch (point) {
                    case '%' -> regex.append(".*");
                    case '_' -> regex.append('.');
                    case '|', '*', '+', '?', '{', '}', '(', ')' -> regex.append((char) point);
                    case '[' -> {
                        inClass = true;
                        regex.append('[');
                    }
                    default -> regex.append(Pattern.quote(Character.toString(point)));
                }
            }
        }
        try {
            return Pattern.compile(regex.toString(), Pattern.DOTALL);
        } catch (PatternSyntaxException e) {
            throw FunctionException.invalid("'%s' is no pattern of SIMILAR TO: %s", pattern, e.getDescription());
        }
    }

    private static String characterClass(String pattern, String name) {
        return switch (name.toUpperCase(Locale.ROOT)) {
            case "ALPHA" -> "\\p{Alpha}";
            case "UPPER" -> "\\p{Upper}";
            case "LOWER" -> "\\p{Lower}";
            case "DIGIT" -> "\\p{Digit}";
            case "ALNUM" -> "\\p{Alnum}";
            case "SPACE" -> " ";
            case "WHITESPACE" -> "\\s";
            default -> throw FunctionException.invalid("the pattern '%s' names an unknown class %s", pattern, name);
        };
    }

    /// The one code point of an ESCAPE clause.
    static int escape(StringView escape) {
        String text = escape.toString();
        if (text.codePointCount(0, text.length()) != 1) {
            throw FunctionException.invalid("the escape '%s' is not one character", text);
        }
        return text.codePointAt(0);
    }
}
