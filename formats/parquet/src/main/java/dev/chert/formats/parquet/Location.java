package dev.chert.formats.parquet;

import dev.chert.error.CorruptFileException;
import dev.chert.error.TableException;

/// A place in a Parquet file, to word errors: each part may be absent, the finer first.
///
/// @param rowGroup number of the row group, or -1
/// @param column   name of the column, or null
/// @param page     byte of the file at which the page's header begins, or -1
record Location(String file, int rowGroup, String column, long page) {
    static Location of(String file) {
        return new Location(file, -1, null, -1);
    }

    Location inRowGroup(int number) {
        return new Location(file, number, null, -1);
    }

    Location inColumn(String name) {
        return new Location(file, rowGroup, name, -1);
    }

    Location inPage(long headerByte) {
        return new Location(file, rowGroup, column, headerByte);
    }

    /// The place within the file, from coarse to fine; empty where it is the whole file.
    String place() {
        StringBuilder text = new StringBuilder();
        if (rowGroup >= 0) {
            text.append("row group ").append(rowGroup);
        }
        if (column != null) {
            text.append(text.isEmpty() ? "" : ", ").append("column ").append(column);
        }
        if (page >= 0) {
            text.append(text.isEmpty() ? "" : ", ").append("page at byte ").append(page);
        }
        return text.toString();
    }

    /// @param format as of [String#format]: what was found and what was expected
    CorruptFileException corrupt(String format, Object... arguments) {
        return new CorruptFileException(file, place(), format.formatted(arguments));
    }

    CorruptFileException corrupt(Throwable cause, String format, Object... arguments) {
        return new CorruptFileException(file, place(), format.formatted(arguments), cause);
    }

    /// For what the format allows and this reader lacks.
    TableException unsupported(String format, Object... arguments) {
        String place = place();
        return new TableException(file + (place.isEmpty() ? "" : ", " + place) + ": " + format.formatted(arguments));
    }
}
