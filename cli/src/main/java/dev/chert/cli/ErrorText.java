package dev.chert.cli;

import dev.chert.error.ChertException;
import dev.chert.error.SourcePosition;

/// Words errors for standard error.
final class ErrorText {
    private static final String PROGRAM = "chert: ";

    /// What is said where the run was interrupted.
    static final String INTERRUPTED = PROGRAM + "interrupted";

    private ErrorText() {}

    /// Returns one line that says what happened and, where that has a place in the script, the source line and a caret.
    static String of(ChertException error, Script script, Script.Statement statement) {
        if (error.position().isEmpty()) {
            return line(error.getMessage());
        }
        SourcePosition place = statement.inScript(error.position().get());
        String message = line(place + ": " + error.detail());
        return script.line(place.line())
                .map(source -> message + "\n" + source.stripTrailing() + "\n" + caret(source, place))
                .orElse(message);
    }

    /// Returns one line on a failure that is nobody's but ours.
    static String ofBug(Throwable bug) {
        return line("internal error: %s; please report it, with the output of --debug".formatted(bug));
    }

    /// Returns one line.
    static String line(String message) {
        return PROGRAM + message.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /// Marks a place below its source line, as far as it goes on that line; tabs stay, so that the mark stands where it
    /// should.
    private static String caret(String source, SourcePosition place) {
        int start = Math.min(place.column() - 1, source.length());
        int end = place.endLine() > place.line() ? source.stripTrailing().length() : place.endColumn();
        String margin = source.substring(0, start).replaceAll("[^\t]", " ");
        return margin + "^".repeat(Math.max(1, end - start));
    }
}
