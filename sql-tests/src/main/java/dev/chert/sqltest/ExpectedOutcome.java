package dev.chert.sqltest;

import java.util.regex.Pattern;

/// What must become of a statement.
sealed interface ExpectedOutcome {
    /// Success.
    record Success() implements ExpectedOutcome {}

    /// Success or failure, as long as the engine survives.
    record Anything() implements ExpectedOutcome {}

    /// Success with so many changed rows.
    record RowCount(long rows) implements ExpectedOutcome {}

    /// Failure.
    /// @param message what the message must be like; null where any will do
    record Failure(MessagePattern message) implements ExpectedOutcome {}

    /// A claim about a message.
    /// @param text    the claim as written
    /// @param regex   whether the text is a regular expression, else a part of the message
    /// @param negated whether the message must not be like that
    record MessagePattern(String text, boolean regex, boolean negated) {
        /// Reads the lines after `----`: a part of the message, or an expression after `<REGEX>:` or `<!REGEX>:`.
        static MessagePattern ofBlock(String text) {
            if (text.startsWith(ResultCheck.REGEX)) {
                return new MessagePattern(text.substring(ResultCheck.REGEX.length()), true, false);
            }
            if (text.startsWith(ResultCheck.NOT_REGEX)) {
                return new MessagePattern(text.substring(ResultCheck.NOT_REGEX.length()), true, true);
            }
            return new MessagePattern(text, false, false);
        }

        boolean matches(String message) {
            boolean found = regex
                    ? Pattern.compile(text, Pattern.DOTALL).matcher(message).find()
                    : message.contains(text);
            return found != negated;
        }
    }
}
