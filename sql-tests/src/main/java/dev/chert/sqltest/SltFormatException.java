package dev.chert.sqltest;

/// A test file that cannot be read.
public final class SltFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient int line;

    SltFormatException(int line, String message) {
        super(message);
        this.line = line;
    }

    /// Returns the line of the file that could not be read, from 1.
    public int line() {
        return line;
    }
}
