package dev.chert.planner.parse;

import dev.chert.error.ChertException;
import dev.chert.error.SourcePosition;
import dev.chert.error.ValidationException;
import dev.chert.planner.parse.generated.GeneratedSqlParserConstants;
import dev.chert.planner.parse.generated.ParseException;
import dev.chert.planner.parse.generated.Token;
import dev.chert.planner.parse.generated.TokenMgrError;
import dev.chert.query.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlParserPos;

/// Words what the generated parser throws: where, what was found, what was expected.
public final class ParseErrors {
    /// More expected words than this say nothing to anybody.
    private static final int MOST_EXPECTED = 5;

    private static final Pattern LEXICAL_PLACE = Pattern.compile("line (\\d+), column (\\d+)");

    private static final List<String> STATEMENTS = List.of(
            "SELECT",
            "WITH",
            "VALUES",
            "INSERT",
            "CREATE",
            "DROP",
            "EXPLAIN",
            "DESCRIBE",
            "SHOW",
            "SET",
            "RESET",
            "DELETE",
            "UPDATE");

    private ParseErrors() {}

    /// The place of a node, or null where it has none.
    public static SourcePosition position(SqlParserPos place) {
        return place == null || place.getLineNum() < 1
                ? null
                : new SourcePosition(
                        place.getLineNum(),
                        place.getColumnNum(),
                        Math.max(place.getLineNum(), place.getEndLineNum()),
                        place.getEndLineNum() > place.getLineNum()
                                ? Math.max(1, place.getEndColumnNum())
                                : Math.max(place.getColumnNum(), place.getEndColumnNum()));
    }

    static ChertException of(Throwable thrown, SqlText sql) {
        ValidationException unclosed = unclosed(sql);
        if (unclosed != null) {
            return unclosed;
        }
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof ChertException ours) {
                return ours;
            }
            if (cause instanceof CalciteContextException context) {
                String message = context.getCause() == null
                        ? context.getMessage()
                        : context.getCause().getMessage();
                return new ValidationException(
                        message.startsWith("Non-query expression")
                                ? noStatement(sql.from(context.getPosLine(), context.getPosColumn()))
                                : message,
                        new SourcePosition(
                                context.getPosLine(),
                                context.getPosColumn(),
                                Math.max(context.getPosLine(), context.getEndPosLine()),
                                Math.max(context.getPosColumn(), context.getEndPosColumn())),
                        thrown);
            }
            if (cause instanceof ParseException unexpected) {
                return unexpected(unexpected);
            }
            if (cause instanceof TokenMgrError lexical) {
                return lexical(lexical, sql);
            }
        }
        if (thrown instanceof StackOverflowError) {
            return new ValidationException("the statement is nested too deeply", null, thrown);
        }
        throw new IllegalStateException("the parser failed on: " + sql.text(), thrown);
    }

    private static String noStatement(String text) {
        int end = 0;
        while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
            end++;
        }
        String word = text.substring(0, end);
        String nearest = NearestName.of(word, STATEMENTS);
        return "expected a statement, such as SELECT, but found "
                + (word.isEmpty() ? "an expression" : "'" + word + "'")
                + (isMisspelling(word.toUpperCase(Locale.ROOT), nearest) ? "; did you mean " + nearest + "?" : "");
    }

    private static ValidationException lexical(TokenMgrError error, SqlText sql) {
        Matcher place = LEXICAL_PLACE.matcher(String.valueOf(error.getMessage()));
        if (!place.find()) {
            return new ValidationException("the statement has a character that SQL does not know", null, error);
        }
        int line = Integer.parseInt(place.group(1));
        int column = Math.max(1, Integer.parseInt(place.group(2)));
        String rest = sql.from(line, column);
        return new ValidationException(
                rest.isEmpty()
                        ? "the statement ends too early"
                        : "the character '" + rest.substring(0, rest.offsetByCodePoints(0, 1)) + "' means nothing here",
                SourcePosition.at(line, column),
                error);
    }

    private static ValidationException unexpected(ParseException error) {
        Token before = error.currentToken;
        Token found = before.next;
        SourcePosition place = new SourcePosition(
                found.beginLine,
                Math.max(1, found.beginColumn),
                found.endLine,
                Math.max(Math.max(1, found.beginColumn), found.endColumn));
        Set<Integer> kinds = new TreeSet<>();
        for (int[] sequence : error.expectedTokenSequences) {
            kinds.add(sequence[0]);
        }
        boolean name = kinds.contains(GeneratedSqlParserConstants.IDENTIFIER);
        boolean expression = name && kinds.contains(GeneratedSqlParserConstants.UNSIGNED_INTEGER_LITERAL);
        List<String> expected = new ArrayList<>();
        if (expression) {
            expected.add("an expression");
        } else if (name) {
            expected.add("a name");
        }
        List<String> words = new ArrayList<>();
        List<String> signs = new ArrayList<>();
        for (int kind : kinds) {
            String image = image(error.tokenImage[kind]);
            if (!image.isEmpty()) {
                (Character.isLetter(image.charAt(0)) ? words : signs).add(image);
            }
        }
        if (!name && words.size() + signs.size() <= MOST_EXPECTED) {
            expected.addAll(signs.stream().map(s -> "'" + s + "'").toList());
            expected.addAll(words);
        } else if (!expression) {
            signs.stream().filter(s -> s.equals(",") || s.equals(")")).forEach(s -> expected.add("'" + s + "'"));
        }
        StringBuilder message = new StringBuilder();
        if (!expected.isEmpty()) {
            message.append("expected ").append(String.join(" or ", expected)).append(" but found ");
        } else {
            message.append("did not expect ");
        }
        message.append(
                found.kind == GeneratedSqlParserConstants.EOF ? "the end of the statement" : "'" + found.image + "'");
        if (before.kind != GeneratedSqlParserConstants.EOF && before.image != null) {
            message.append(" after '").append(before.image).append("'");
        }
        String meant = meant(before, found, words);
        if (meant != null) {
            message.append("; did you mean ").append(meant).append('?');
        }
        return new ValidationException(message.toString(), place, error);
    }

    /// A keyword that one of the two tokens around the place is a misspelling of, or null.
    private static String meant(Token before, Token found, List<String> words) {
        boolean first = before.image == null || before.kind == GeneratedSqlParserConstants.EOF;
        for (Token token : new Token[] {found, before}) {
            if (token.kind == GeneratedSqlParserConstants.IDENTIFIER) {
                String wanted = token.image.toUpperCase(Locale.ROOT);
                String nearest = NearestName.of(
                        wanted, first || token == before && words.contains("FROM") ? both(words) : words);
                if (nearest != null && nearest.length() > 2 && isMisspelling(wanted, nearest)) {
                    return nearest;
                }
            }
        }
        return null;
    }

    private static List<String> both(List<String> words) {
        List<String> all = new ArrayList<>(words);
        all.addAll(STATEMENTS);
        return all;
    }

    /// One letter changed, missing or added, or two neighbours exchanged.
    private static boolean isMisspelling(String found, String word) {
        if (found.equals(word) || Math.abs(found.length() - word.length()) > 1) {
            return false;
        }
        int same = 0;
        while (same < Math.min(found.length(), word.length()) && found.charAt(same) == word.charAt(same)) {
            same++;
        }
        String a = found.substring(same);
        String b = word.substring(same);
        return a.equals(b.isEmpty() ? b : b.substring(1))
                || b.equals(a.isEmpty() ? a : a.substring(1))
                || a.length() == b.length() && a.substring(1).equals(b.substring(1))
                || a.length() == b.length()
                        && a.length() > 1
                        && a.charAt(0) == b.charAt(1)
                        && a.charAt(1) == b.charAt(0)
                        && a.substring(2).equals(b.substring(2));
    }

    /// A token as SQL writes it, or nothing where its image is a name of the grammar.
    private static String image(String tokenImage) {
        return tokenImage.startsWith("\"") && tokenImage.length() > 2
                ? tokenImage.substring(1, tokenImage.length() - 1)
                : "";
    }

    /// The error for a quote or comment that is opened and not closed, or null where all are.
    private static ValidationException unclosed(SqlText sql) {
        String text = sql.text();
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            String end = null;
            String what = null;
            int skipped = 1;
            if (c == '\'' || c == '"' || c == '`') {
                end = String.valueOf(c);
                what = c == '\'' ? "a string literal" : "a quoted name";
            } else if (text.startsWith("--", i)) {
                int lineEnd = text.indexOf('\n', i);
                i = lineEnd < 0 ? text.length() : lineEnd;
                continue;
            } else if (text.startsWith("/*", i)) {
                end = "*/";
                what = "a comment";
                skipped = 2;
            }
            if (end == null) {
                i++;
                continue;
            }
            int close = text.indexOf(end, i + skipped);
            if (close < 0) {
                return new ValidationException(
                        what + " begins here and is not closed; expected " + (c == '/' ? "*/" : c), place(sql, i));
            }
            i = close + end.length();
        }
        return null;
    }

    private static SourcePosition place(SqlText sql, int offset) {
        int line = sql.line();
        int lineStart = 1 - sql.column();
        for (int i = 0; i < offset; i++) {
            if (sql.text().charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return SourcePosition.at(line, offset - lineStart + 1);
    }
}
