package dev.chert.error;

/// Memory, disk space or another means of the machine does not suffice: whoever runs the process can grant more.
public final class ResourceException extends ChertException {
    private static final long serialVersionUID = 1;

    private final boolean ofMemory;

    public ResourceException(String message) {
        this(message, null);
    }

    /// @param cause what it follows from; null when it is the first
    public ResourceException(String message, Throwable cause) {
        this(message, cause, false);
    }

    private ResourceException(String message, Throwable cause, boolean ofMemory) {
        super(message, message, null, cause);
        this.ofMemory = ofMemory;
    }

    /// Tells of memory that was refused.
    /// @param cause what it follows from; null when it is the first
    public static ResourceException ofMemory(String message, Throwable cause) {
        return new ResourceException(message, cause, true);
    }

    /// Whether it was memory that was refused, and not disk space: who can do without goes on.
    public boolean isOfMemory() {
        return ofMemory;
    }
}
