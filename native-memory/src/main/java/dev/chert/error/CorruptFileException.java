package dev.chert.error;

/// A file does not hold what its format demands: its owner can look at it or write it again.
public final class CorruptFileException extends ChertException {
    private static final long serialVersionUID = 1;

    private final String file;
    private final String place;

    /// @param file  the path as the query named it
    /// @param place where in the file, from coarse to fine: `row group 3, column l_tax, page at byte 81920`;
    ///     may be empty
    public CorruptFileException(String file, String place, String message) {
        this(file, place, message, null);
    }

    /// @param file  the path as the query named it
    /// @param place where in the file, from coarse to fine: `row group 3, column l_tax, page at byte 81920`;
    ///     may be empty
    /// @param cause what it follows from; null when it is the first
    public CorruptFileException(String file, String place, String message, Throwable cause) {
        super((place.isEmpty() ? file : file + ", " + place) + ": " + message, message, null, cause);
        this.file = file;
        this.place = place;
    }

    public String file() {
        return file;
    }

    /// Where in the file; empty when the message is about the whole of it.
    public String place() {
        return place;
    }
}
