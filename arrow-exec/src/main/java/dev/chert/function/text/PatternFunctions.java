package dev.chert.function.text;

import dev.chert.batch.StringView;
import dev.chert.function.CallContext;
import dev.chert.function.ScalarFunction;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/// LIKE, ILIKE and SIMILAR TO. Without ESCAPE no character escapes.
final class PatternFunctions {
    private PatternFunctions() {}

    @ScalarFunction(
            name = "like",
            description = "True where a string matches a pattern: % stands for any characters, _ for one.",
            example = "'pearl' like 'p%l'",
            result = "true")
    static boolean like(StringView value, LikePattern pattern) {
        return pattern.matches(value);
    }

    @ScalarFunction(name = "like")
    static boolean like(CallContext context, StringView value, StringView pattern, StringView escape) {
        return Escaped.of(context, LikePattern::of).get(pattern, escape).matches(value);
    }

    @ScalarFunction(
            name = "ilike",
            description = "Like LIKE, without regard to case.",
            example = "'Pearl' ilike 'p%L'",
            result = "true")
    static boolean ilike(CallContext context, StringView value, StringView pattern) {
        return matches(Escaped.of(context, RegexPattern::caseInsensitiveLike).get(pattern, null), value);
    }

    @ScalarFunction(name = "ilike")
    static boolean ilike(CallContext context, StringView value, StringView pattern, StringView escape) {
        return matches(Escaped.of(context, RegexPattern::caseInsensitiveLike).get(pattern, escape), value);
    }

    @ScalarFunction(
            name = "similar to",
            description = "True where a string matches a pattern of SQL's regular expressions.",
            example = "'pearl' similar to '(p|b)ea%'",
            result = "true")
    static boolean similar(CallContext context, StringView value, StringView pattern) {
        return matches(Escaped.of(context, RegexPattern::similar).get(pattern, null), value);
    }

    @ScalarFunction(name = "similar to")
    static boolean similar(CallContext context, StringView value, StringView pattern, StringView escape) {
        return matches(Escaped.of(context, RegexPattern::similar).get(pattern, escape), value);
    }

    private static boolean matches(Pattern pattern, StringView value) {
        return pattern.matcher(value.toString()).matches();
    }

    /// A pattern made of two strings, made again when one changes.
    private static final class Escaped<T> {
        private final BiFunction<String, Integer, T> make;
        private byte[] pattern;
        private byte[] escape;
        private T made;

        private Escaped(BiFunction<String, Integer, T> make) {
            this.make = make;
        }

        static <T> Escaped<T> of(CallContext context, BiFunction<String, Integer, T> make) {
            return context.state(call -> new Escaped<>(make));
        }

        T get(StringView newPattern, StringView newEscape) {
            boolean same = pattern != null
                    && CallContext.sameBytes(newPattern, pattern)
                    && (newEscape == null || CallContext.sameBytes(newEscape, escape));
            if (!same) {
                made = make.apply(newPattern.toString(), newEscape == null ? -1 : RegexPattern.escape(newEscape));
                pattern = newPattern.toBytes();
                escape = newEscape == null ? null : newEscape.toBytes();
            }
            return made;
        }
    }
}
