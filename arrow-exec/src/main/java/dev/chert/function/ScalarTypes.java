package dev.chert.function;

import dev.chert.batch.ScalarType;
import dev.chert.batch.TypeKind;

/// Types by kind alone.
final class ScalarTypes {
    private ScalarTypes() {}

    /// A type of a kind, with the most usual precision: 38 digits, 6 fraction digits, no limit of length.
    static ScalarType plain(TypeKind kind) {
        return switch (kind) {
            case DECIMAL -> ScalarType.decimal(ScalarType.MAX_DECIMAL_PRECISION, 0);
            case TIME, TIMESTAMP, TIMESTAMP_LTZ, INTERVAL_DAY_TIME -> new ScalarType(kind, 6, 0);
            case CHAR, VARCHAR -> ScalarType.VARCHAR;
            case VARBINARY -> ScalarType.VARBINARY;
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    REAL,
                    DOUBLE,
                    DATE,
                    INTERVAL_YEAR_MONTH,
                    UUID,
                    NULL,
                    OPAQUE -> new ScalarType(kind, 0, 0);
            case ARRAY, MAP, ROW -> throw new IllegalArgumentException(kind + " has elements");
        };
    }

    /// True of kinds whose precision says their unit.
    static boolean hasFraction(TypeKind kind) {
        return kind == TypeKind.TIME
                || kind == TypeKind.TIMESTAMP
                || kind == TypeKind.TIMESTAMP_LTZ
                || kind == TypeKind.INTERVAL_DAY_TIME;
    }
}
