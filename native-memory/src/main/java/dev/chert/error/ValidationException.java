package dev.chert.error;

/// The query is wrong, by its text or by the values that it meets: its author can change it.
public final class ValidationException extends ChertException {
    private static final long serialVersionUID = 1;

    public ValidationException(String message) {
        this(message, null, null);
    }

    /// @param position where in the statement; null when it lies nowhere in its text
    public ValidationException(String message, SourcePosition position) {
        this(message, position, null);
    }

    /// @param position where in the statement; null when it lies nowhere in its text
    /// @param cause    what it follows from; null when it is the first
    public ValidationException(String message, SourcePosition position, Throwable cause) {
        super(placed(position, message), message, position, cause);
    }

    @Override
    public ValidationException withPosition(SourcePosition position) {
        return position().isPresent() ? this : copied(this, new ValidationException(detail(), position, getCause()));
    }
}
