package dev.chert.sqltest;

/// How results are put in order before they are compared.
enum SortMode {
    /// As delivered: the query orders its rows, or has one.
    NONE,
    /// By rows.
    ROWS,
    /// All values by themselves, whatever row they stand in.
    VALUES;

    /// Returns the mode of a word on a `query` line, or null where the word is none.
    static SortMode of(String word) {
        return switch (word) {
            case "nosort" -> NONE;
            case "rowsort", "sort" -> ROWS;
            case "valuesort" -> VALUES;
            default -> null;
        };
    }
}
