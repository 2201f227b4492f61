package dev.chert.error;

/// The query was stopped before its end: cancelled, closed by its caller, or out of time (`query.timeout`).
public final class QueryCancelledException extends ChertException {
    private static final long serialVersionUID = 1;

    public QueryCancelledException(String message) {
        this(message, null);
    }

    /// @param cause what it follows from; null when it is the first
    public QueryCancelledException(String message, Throwable cause) {
        super(message, message, null, cause);
    }
}
