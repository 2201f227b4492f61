package dev.chert.planner.parse;

import java.util.ArrayList;
import java.util.List;

/// Cuts a script into statements at the semicolons outside of quotes and comments.
///
/// Pieces without a word are left out. What is not closed (a quote, a comment) belongs to the last statement, whose
/// parser names the place.
public final class StatementSplitter {
    private final String script;
    private final List<SqlText> statements = new ArrayList<>();
    private int line = 1;
    private int lineStart;
    private int start = -1;
    private int startLine;
    private int startColumn;

    private StatementSplitter(String script) {
        this.script = script;
    }

    /// @return the statements in order, each beginning at its first character that is neither blank nor comment
    public static List<SqlText> split(String script) {
        StatementSplitter splitter = new StatementSplitter(script);
        splitter.run();
        return splitter.statements;
    }

    /// True where the text ends outside of quotes and comments, right after a semicolon and blanks: an interactive
    /// shell need not wait for more.
    public static boolean isComplete(String text) {
        StatementSplitter splitter = new StatementSplitter(text);
        splitter.run();
        return splitter.start < 0;
    }

    private void run() {
        int i = 0;
        while (i < script.length()) {
            char c = script.charAt(i);
            if (c == ';') {
                close(i);
                i++;
            } else if (script.startsWith("--", i)) {
                i = lineEnd(i);
            } else if (script.startsWith("/*", i) && !script.startsWith("/*+", i)) {
                i = skip(i + 2, "*/");
            } else if (c == '\'' || c == '"' || c == '`') {
                open(i);
                i = skip(i + 1, String.valueOf(c));
            } else {
                if (!Character.isWhitespace(c)) {
                    open(i);
                }
                newLine(c, i);
                i++;
            }
        }
        if (start >= 0) {
            statements.add(new SqlText(script.substring(start).stripTrailing(), startLine, startColumn));
        }
    }

    private void open(int offset) {
        if (start < 0) {
            start = offset;
            startLine = line;
            startColumn = offset - lineStart + 1;
        }
    }

    private void close(int offset) {
        if (start >= 0) {
            statements.add(new SqlText(script.substring(start, offset).stripTrailing(), startLine, startColumn));
            start = -1;
        }
    }

    private int lineEnd(int from) {
        int end = script.indexOf('\n', from);
        return end < 0 ? script.length() : end;
    }

    /// The offset after `end`; a doubled quote is two strings that touch, which ends at the same place.
    private int skip(int from, String end) {
        int found = script.indexOf(end, from);
        int until = found < 0 ? script.length() : found + end.length();
        for (int i = from; i < until; i++) {
            newLine(script.charAt(i), i);
        }
        return until;
    }

    private void newLine(char c, int offset) {
        if (c == '\n') {
            line++;
            lineStart = offset + 1;
        }
    }
}
