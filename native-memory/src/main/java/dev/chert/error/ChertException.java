package dev.chert.error;

import java.util.Optional;

/// An error that a user of Chert can act on. Its type says who; its message says where, what and what helps.
public abstract sealed class ChertException extends RuntimeException
        permits ValidationException, TableException, CorruptFileException, ResourceException, QueryCancelledException {
    private static final long serialVersionUID = 1;

    private final String detail;
    private final SourcePosition position;

    ChertException(String message, String detail, SourcePosition position, Throwable cause) {
        super(message, cause);
        this.detail = detail;
        this.position = position;
    }

    /// Where in the statement the error lies, when it lies in one.
    public Optional<SourcePosition> position() {
        return Optional.ofNullable(position);
    }

    /// The message without the place that it begins with.
    public String detail() {
        return detail;
    }

    /// The same error, with its stack trace and cause, at a place in the statement. An error that knows its
    /// place already, or whose place is not in the statement (a file, an operator), comes back as it is.
    public ChertException withPosition(SourcePosition position) {
        return this;
    }

    /// Begins a message with a place in the statement.
    static String placed(SourcePosition position, String detail) {
        return position == null ? detail : position + ": " + detail;
    }

    /// Gives a copy the stack trace and the suppressed exceptions of the error that it was made from.
    static <E extends ChertException> E copied(ChertException original, E copy) {
        copy.setStackTrace(original.getStackTrace());
        for (Throwable suppressed : original.getSuppressed()) {
            copy.addSuppressed(suppressed);
        }
        return copy;
    }
}
