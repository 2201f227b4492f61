package dev.chert.planner.parse;

import dev.chert.error.SourcePosition;

/// One statement of a script, with the place where it begins.
///
/// @param text   without the semicolon that ends it
/// @param line   of its first character, from 1
/// @param column of its first character, from 1
public record SqlText(String text, int line, int column) {
    public static SqlText of(String text) {
        return new SqlText(text, 1, 1);
    }

    /// The text of a place, which is given in the script's lines and columns.
    public String of(SourcePosition place) {
        String start = from(place.line(), place.column());
        String after = from(place.endLine(), place.endColumn());
        return start.substring(0, start.length() - after.length() + 1);
    }

    /// The text from a place on, which is given in the script's lines and columns.
    String from(int fromLine, int fromColumn) {
        int offset = 0;
        for (int at = line; at < fromLine; at++) {
            offset = text.indexOf('\n', offset) + 1;
        }
        return text.substring(offset + fromColumn - (fromLine == line ? column : 1));
    }
}
