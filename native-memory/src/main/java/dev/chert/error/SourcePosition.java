package dev.chert.error;

import java.io.Serializable;

/// A stretch of a statement's text, from its first to its last character; lines and columns count from 1.
///
/// @param line      line of the first character
/// @param column    column of the first character
/// @param endLine   line of the last character
/// @param endColumn column of the last character, which belongs to the stretch
public record SourcePosition(int line, int column, int endLine, int endColumn) implements Serializable {
    public SourcePosition {
        if (line < 1 || column < 1 || endLine < line || endColumn < 1 || (endLine == line && endColumn < column)) {
            throw new IllegalArgumentException("not a stretch of text: line %d, column %d to line %d, column %d"
                    .formatted(line, column, endLine, endColumn));
        }
    }

    /// The single character at a line and column.
    public static SourcePosition at(int line, int column) {
        return new SourcePosition(line, column, line, column);
    }

    /// The smallest stretch that holds this one and another.
    public SourcePosition union(SourcePosition other) {
        boolean startsHere = line < other.line || (line == other.line && column <= other.column);
        boolean endsHere = endLine > other.endLine || (endLine == other.endLine && endColumn >= other.endColumn);
        SourcePosition start = startsHere ? this : other;
        SourcePosition end = endsHere ? this : other;
        return new SourcePosition(start.line, start.column, end.endLine, end.endColumn);
    }

    /// The first character, as messages name it: `line 4, column 17`.
    @Override
    public String toString() {
        return "line " + line + ", column " + column;
    }
}
