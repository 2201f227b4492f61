package dev.chert.memory;

import dev.chert.error.ResourceException;

/// Memory was refused, not disk space: whoever can do without goes on.
final class MemoryRefusedException extends ResourceException {
    private static final long serialVersionUID = 1;

    MemoryRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
