package dev.chert.sqltest;

/// The families of column types that the letters of a `query` line tell apart.
public enum ColumnKind {
    INTEGER('I'),
    FLOATING('R'),
    DECIMAL('R'),
    TEXT('T'),
    BOOLEAN('B'),
    DATE('D'),
    TIMESTAMP('P'),
    OTHER('?');

    private final char letter;

    ColumnKind(char letter) {
        this.letter = letter;
    }

    /// Returns the letter of a column of this kind in our own and DataFusion's files; `?` there stands for any kind.
    char letter() {
        return letter;
    }
}
