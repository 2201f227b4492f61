package dev.chert.sqltest;

import java.util.regex.Pattern;

/// Questions about the text of a query that need no parser.
final class SqlText {
    private static final Pattern QUOTED_OR_COMMENT =
            Pattern.compile("'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern ORDER_BY = Pattern.compile("\\border\\s+by\\b", Pattern.CASE_INSENSITIVE);

    private SqlText() {}

    /// Tells whether the query as a whole orders its rows: `ORDER BY` outside of parentheses, quotes and comments.
    static boolean ordersItsRows(String sql) {
        String plain = QUOTED_OR_COMMENT.matcher(sql).replaceAll(" ");
        StringBuilder outside = new StringBuilder();
        int depth = 0;
        for (int i = 0; i < plain.length(); i++) {
            char c = plain.charAt(i);
            if (c == '(') {
                depth++;
            } else if (c == ')') {
                depth--;
            } else if (depth == 0) {
                outside.append(c);
            }
        }
        return ORDER_BY.matcher(outside).find();
    }
}
