package dev.chert.batch;

/// A type without elements.
///
/// @param kind      any kind but ARRAY, MAP and ROW
/// @param precision digits of a DECIMAL; fraction digits (0 to 9) of TIME, TIMESTAMP, TIMESTAMP_LTZ and day-time
///                  intervals; length of a CHAR; length of VARCHAR and VARBINARY or [#UNBOUNDED]; otherwise 0
/// @param scale     digits after the point of a DECIMAL; otherwise 0
public record ScalarType(TypeKind kind, int precision, int scale) implements DataType {
    /// The precision of a VARCHAR or VARBINARY without a length limit.
    public static final int UNBOUNDED = -1;
    /// The most digits a DECIMAL has.
    public static final int MAX_DECIMAL_PRECISION = 38;
    /// The most digits for which every DECIMAL value fits 64 bits.
    public static final int MAX_LONG_PRECISION = 18;

    public static final ScalarType BOOLEAN = new ScalarType(TypeKind.BOOLEAN, 0, 0);
    public static final ScalarType TINYINT = new ScalarType(TypeKind.TINYINT, 0, 0);
    public static final ScalarType SMALLINT = new ScalarType(TypeKind.SMALLINT, 0, 0);
    public static final ScalarType INTEGER = new ScalarType(TypeKind.INTEGER, 0, 0);
    public static final ScalarType BIGINT = new ScalarType(TypeKind.BIGINT, 0, 0);
    public static final ScalarType REAL = new ScalarType(TypeKind.REAL, 0, 0);
    public static final ScalarType DOUBLE = new ScalarType(TypeKind.DOUBLE, 0, 0);
    public static final ScalarType DATE = new ScalarType(TypeKind.DATE, 0, 0);
    public static final ScalarType INTERVAL_YEAR_MONTH = new ScalarType(TypeKind.INTERVAL_YEAR_MONTH, 0, 0);
    public static final ScalarType VARCHAR = new ScalarType(TypeKind.VARCHAR, UNBOUNDED, 0);
    public static final ScalarType VARBINARY = new ScalarType(TypeKind.VARBINARY, UNBOUNDED, 0);
    public static final ScalarType UUID = new ScalarType(TypeKind.UUID, 0, 0);
    public static final ScalarType NULL = new ScalarType(TypeKind.NULL, 0, 0);
    public static final ScalarType OPAQUE = new ScalarType(TypeKind.OPAQUE, 0, 0);

    public ScalarType {
        switch (kind) {
            case DECIMAL -> {
                if (precision < 1 || precision > MAX_DECIMAL_PRECISION || scale < 0 || scale > precision) {
                    throw new IllegalArgumentException("DECIMAL(" + precision + ", " + scale
                            + "): precision is 1 to 38, scale 0 to the precision");
                }
            }
            case TIME, TIMESTAMP, TIMESTAMP_LTZ, INTERVAL_DAY_TIME -> {
                if (precision < 0 || precision > 9) {
                    throw new IllegalArgumentException(kind + "(" + precision + "): fraction digits are 0 to 9");
                }
            }
            case CHAR -> {
                if (precision < 1) {
                    throw new IllegalArgumentException("CHAR(" + precision + "): a length is at least 1");
                }
            }
            case VARCHAR, VARBINARY -> {
                if (precision < UNBOUNDED) {
                    throw new IllegalArgumentException(kind + "(" + precision + "): a length is at least 0");
                }
            }
            case ARRAY, MAP, ROW -> throw new IllegalArgumentException(kind + " has elements");
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
                    OPAQUE -> {
                if (precision != 0) {
                    throw new IllegalArgumentException(kind + " takes no precision");
                }
            }
        }
    }

    public static ScalarType decimal(int precision, int scale) {
        return new ScalarType(TypeKind.DECIMAL, precision, scale);
    }

    public static ScalarType time(int fractionDigits) {
        return new ScalarType(TypeKind.TIME, fractionDigits, 0);
    }

    public static ScalarType timestamp(int fractionDigits) {
        return new ScalarType(TypeKind.TIMESTAMP, fractionDigits, 0);
    }

    public static ScalarType timestampLtz(int fractionDigits) {
        return new ScalarType(TypeKind.TIMESTAMP_LTZ, fractionDigits, 0);
    }

    public static ScalarType intervalDayTime(int fractionDigits) {
        return new ScalarType(TypeKind.INTERVAL_DAY_TIME, fractionDigits, 0);
    }

    public static ScalarType character(int length) {
        return new ScalarType(TypeKind.CHAR, length, 0);
    }

    public static ScalarType varchar(int length) {
        return new ScalarType(TypeKind.VARCHAR, length, 0);
    }

    /// Units a second in which TIME, TIMESTAMP, TIMESTAMP_LTZ and day-time intervals are stored: the smallest of
    /// seconds, milliseconds, microseconds and nanoseconds that holds [#precision()] digits.
    public long unitsPerSecond() {
        return precision == 0 ? 1L : precision <= 3 ? 1_000L : precision <= 6 ? 1_000_000L : 1_000_000_000L;
    }

    @Override
    public Physical physical() {
        return switch (kind) {
            case BOOLEAN -> Physical.BIT;
            case TINYINT -> Physical.INT8;
            case SMALLINT -> Physical.INT16;
            case INTEGER, DATE, INTERVAL_YEAR_MONTH -> Physical.INT32;
            case BIGINT, TIME, TIMESTAMP, TIMESTAMP_LTZ, INTERVAL_DAY_TIME -> Physical.INT64;
            case REAL -> Physical.FLOAT32;
            case DOUBLE -> Physical.FLOAT64;
            case DECIMAL -> precision <= MAX_LONG_PRECISION ? Physical.INT64 : Physical.INT128;
            case UUID -> Physical.INT128;
            case CHAR, VARCHAR, VARBINARY -> Physical.VIEW;
            case NULL -> Physical.NONE;
            case OPAQUE -> Physical.HANDLE;
            case ARRAY, MAP, ROW -> throw new AssertionError(kind);
        };
    }

    /// The type as SQL writes it.
    @Override
    public String toString() {
        return switch (kind) {
            case DECIMAL -> "DECIMAL(" + precision + ", " + scale + ")";
            case TIME, TIMESTAMP, TIMESTAMP_LTZ -> kind + "(" + precision + ")";
            case INTERVAL_YEAR_MONTH -> "INTERVAL YEAR TO MONTH";
            case INTERVAL_DAY_TIME -> "INTERVAL DAY TO SECOND(" + precision + ")";
            case CHAR -> "CHAR(" + precision + ")";
            case VARCHAR, VARBINARY -> precision == UNBOUNDED ? kind.name() : kind + "(" + precision + ")";
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DATE, UUID, NULL, OPAQUE, ARRAY, MAP, ROW ->
                kind.name();
        };
    }
}
