package dev.chert.error;

/// Memory, disk space or another means of the machine does not suffice: whoever runs the process can grant more.
public non-sealed class ResourceException extends ChertException {
    private static final long serialVersionUID = 1;

    public ResourceException(String message) {
        this(message, null);
    }

    /// @param cause what it follows from; null when it is the first
    public ResourceException(String message, Throwable cause) {
        super(message, message, null, cause);
    }
}
