package dev.chert.function;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.TypeKind;
import java.util.Optional;

/// The type in which values of two types meet: for comparisons, set operations, CASE branches.
public final class CommonType {
    private CommonType() {}

    /// Returns the smallest type to which values of both are converted without being asked, empty where there is
    /// none.
    public static Optional<DataType> of(DataType a, DataType b) {
        if (a.equals(b)) {
            return Optional.of(a);
        }
        if (a.kind() == TypeKind.NULL) {
            return Optional.of(b);
        }
        if (b.kind() == TypeKind.NULL) {
            return Optional.of(a);
        }
        if (!(a instanceof ScalarType left) || !(b instanceof ScalarType right)) {
            return Optional.empty();
        }
        if (a.kind().isNumeric() && b.kind().isNumeric()) {
            return Optional.of(ofNumbers(left, right));
        }
        if (a.kind().isCharacter() && b.kind().isCharacter()) {
            return Optional.of(ofStrings(left, right));
        }
        return ofOthers(left, right);
    }

    private static DataType ofNumbers(ScalarType a, ScalarType b) {
        TypeKind left = a.kind();
        TypeKind right = b.kind();
        if (left.isInteger() && right.isInteger()) {
            return left.ordinal() >= right.ordinal() ? a : b;
        }
        if (left == TypeKind.DOUBLE || right == TypeKind.DOUBLE) {
            return ScalarType.DOUBLE;
        }
        if (left == TypeKind.REAL || right == TypeKind.REAL) {
            return left == TypeKind.DECIMAL || right == TypeKind.DECIMAL ? ScalarType.DOUBLE : ScalarType.REAL;
        }
        return DecimalRules.common(DecimalRules.ofType(a), DecimalRules.ofType(b));
    }

    private static DataType ofStrings(ScalarType a, ScalarType b) {
        boolean unbounded = a.precision() == ScalarType.UNBOUNDED || b.precision() == ScalarType.UNBOUNDED;
        int length = unbounded ? ScalarType.UNBOUNDED : Math.max(a.precision(), b.precision());
        if (a.kind() == TypeKind.CHAR && b.kind() == TypeKind.CHAR) {
            return ScalarType.character(length);
        }
        return ScalarType.varchar(length);
    }

    private static Optional<DataType> ofOthers(ScalarType a, ScalarType b) {
        TypeKind left = a.kind();
        TypeKind right = b.kind();
        int precision = Math.max(a.precision(), b.precision());
        if (left == right) {
            return switch (left) {
                case TIME, TIMESTAMP, TIMESTAMP_LTZ, INTERVAL_DAY_TIME ->
                    Optional.of(new ScalarType(left, precision, 0));
                case VARBINARY ->
                    Optional.of(
                            a.precision() == ScalarType.UNBOUNDED || b.precision() == ScalarType.UNBOUNDED
                                    ? ScalarType.VARBINARY
                                    : new ScalarType(left, precision, 0));
                case BOOLEAN,
                        TINYINT,
                        SMALLINT,
                        INTEGER,
                        BIGINT,
                        REAL,
                        DOUBLE,
                        DECIMAL,
                        DATE,
                        INTERVAL_YEAR_MONTH,
                        CHAR,
                        VARCHAR,
                        UUID,
                        ARRAY,
                        MAP,
                        ROW,
                        NULL,
                        OPAQUE -> Optional.of(a);
            };
        }
        boolean times = isPointInTime(left) && isPointInTime(right);
        if (!times) {
            return Optional.empty();
        }
        boolean zoned = left == TypeKind.TIMESTAMP_LTZ || right == TypeKind.TIMESTAMP_LTZ;
        return Optional.of(zoned ? ScalarType.timestampLtz(precision) : ScalarType.timestamp(precision));
    }

    private static boolean isPointInTime(TypeKind kind) {
        return kind == TypeKind.DATE || kind == TypeKind.TIMESTAMP || kind == TypeKind.TIMESTAMP_LTZ;
    }
}
