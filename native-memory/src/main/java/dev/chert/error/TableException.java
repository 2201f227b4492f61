package dev.chert.error;

/// Chert lacks a feature that the query or the program asks for.
public final class TableException extends ChertException {
    private static final long serialVersionUID = 1;

    public TableException(String message) {
        this(message, null, null);
    }

    /// @param position where in the statement; null when it lies nowhere in its text
    public TableException(String message, SourcePosition position) {
        this(message, position, null);
    }

    /// @param position where in the statement; null when it lies nowhere in its text
    /// @param cause    what it follows from; null when it is the first
    public TableException(String message, SourcePosition position, Throwable cause) {
        super(placed(position, message), message, position, cause);
    }

    @Override
    public TableException withPosition(SourcePosition position) {
        return position().isPresent() ? this : copied(this, new TableException(detail(), position, getCause()));
    }
}
