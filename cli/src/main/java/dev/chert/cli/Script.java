package dev.chert.cli;

import dev.chert.error.SourcePosition;
import java.util.List;
import java.util.Optional;

/// Text of several statements, and where in it they lie.
/// @param text       the whole text
/// @param statements in order
record Script(String text, List<Statement> statements) {
    /// A statement of a script.
    /// @param text   without its semicolon
    /// @param line   the line of the script that it starts on, from 1
    /// @param column the column of that line, from 1
    record Statement(String text, int line, int column) {
        /// Returns the place in the script of a place in the statement.
        SourcePosition inScript(SourcePosition place) {
            return new SourcePosition(
                    place.line() + line - 1,
                    place.column() + (place.line() == 1 ? column - 1 : 0),
                    place.endLine() + line - 1,
                    place.endColumn() + (place.endLine() == 1 ? column - 1 : 0));
        }
    }

    /// Returns a line of the text, from 1, where there is one.
    Optional<String> line(int number) {
        return text.lines().skip(number - 1L).findFirst();
    }
}
