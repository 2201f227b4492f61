package dev.chert.arrow;

import dev.chert.error.CorruptFileException;

/// Where a message lies, for errors.
///
/// @param file   as messages name it: a path, or `the spill file of Sort 3`
/// @param offset of the message in it, in bytes
record MessagePlace(String file, long offset) {
    CorruptFileException corrupt(String format, Object... arguments) {
        return new CorruptFileException(file, "record batch at byte " + offset, format.formatted(arguments));
    }
}
