package dev.chert.batch;

/// The kinds of SQL types, without precision, scale or element types.
public enum TypeKind {
    BOOLEAN,
    TINYINT,
    SMALLINT,
    INTEGER,
    BIGINT,
    REAL,
    DOUBLE,
    DECIMAL,
    DATE,
    TIME,
    TIMESTAMP,
    TIMESTAMP_LTZ,
    INTERVAL_YEAR_MONTH,
    INTERVAL_DAY_TIME,
    CHAR,
    VARCHAR,
    VARBINARY,
    UUID,
    ARRAY,
    MAP,
    ROW,
    NULL,
    OPAQUE;

    /// True of TINYINT to BIGINT.
    public boolean isInteger() {
        return this == TINYINT || this == SMALLINT || this == INTEGER || this == BIGINT;
    }

    /// True of REAL and DOUBLE.
    public boolean isFloating() {
        return this == REAL || this == DOUBLE;
    }

    /// True of integers, floating point numbers and DECIMAL.
    public boolean isNumeric() {
        return isInteger() || isFloating() || this == DECIMAL;
    }

    /// True of CHAR and VARCHAR.
    public boolean isCharacter() {
        return this == CHAR || this == VARCHAR;
    }

    /// True of ARRAY, MAP and ROW.
    public boolean isNested() {
        return this == ARRAY || this == MAP || this == ROW;
    }
}
