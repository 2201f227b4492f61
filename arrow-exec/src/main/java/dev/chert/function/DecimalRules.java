package dev.chert.function;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.TypeKind;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.Literal;

/// The result types of arithmetic on decimals: those of SQL Server, but that a product has no digit to spare.
///
/// Source: Microsoft, Transact-SQL reference, "Precision, scale, and length".
public final class DecimalRules {
    private static final int MAX = ScalarType.MAX_DECIMAL_PRECISION;
    /// Fraction digits that a product or quotient keeps when its precision is cut.
    private static final int KEPT_SCALE = 6;

    private DecimalRules() {}

    /// The type of `a + b` and `a - b`.
    public static ScalarType sum(ScalarType a, ScalarType b) {
        int scale = Math.max(a.scale(), b.scale());
        int whole = Math.max(a.precision() - a.scale(), b.precision() - b.scale());
        int precision = whole + scale + 1;
        if (precision > MAX) {
            return ScalarType.decimal(MAX, Math.min(scale, MAX - whole));
        }
        return ScalarType.decimal(precision, scale);
    }

    /// The type of `a * b`.
    public static ScalarType product(ScalarType a, ScalarType b) {
        return limited(a.precision() + b.precision(), a.scale() + b.scale());
    }

    /// The type of `a / b`.
    public static ScalarType quotient(ScalarType a, ScalarType b) {
        int scale = Math.max(KEPT_SCALE, a.scale() + b.precision() + 1);
        return limited(a.precision() - a.scale() + b.scale() + scale, scale);
    }

    /// The type of `a % b`.
    public static ScalarType remainder(ScalarType a, ScalarType b) {
        int scale = Math.max(a.scale(), b.scale());
        int whole = Math.min(a.precision() - a.scale(), b.precision() - b.scale());
        return limited(Math.max(1, whole + scale), scale);
    }

    /// The smallest decimal that holds every value of both, with fewer fraction digits where 38 digits are not
    /// enough.
    public static ScalarType common(ScalarType a, ScalarType b) {
        int scale = Math.max(a.scale(), b.scale());
        int whole = Math.max(a.precision() - a.scale(), b.precision() - b.scale());
        return ScalarType.decimal(Math.min(MAX, Math.max(1, whole + scale)), Math.min(scale, MAX - whole));
    }

    private static ScalarType limited(int precision, int scale) {
        if (precision <= MAX) {
            return ScalarType.decimal(precision, scale);
        }
        int whole = precision - scale;
        return ScalarType.decimal(MAX, Math.max(Math.min(scale, MAX - whole), Math.min(scale, KEPT_SCALE)));
    }

    /// The decimal that holds every value of an integer type, or a decimal type itself.
    public static ScalarType ofType(DataType type) {
        return switch (type.kind()) {
            case TINYINT -> ScalarType.decimal(3, 0);
            case SMALLINT -> ScalarType.decimal(5, 0);
            case INTEGER -> ScalarType.decimal(10, 0);
            case BIGINT -> ScalarType.decimal(19, 0);
            case DECIMAL -> (ScalarType) type;
            case BOOLEAN,
                    REAL,
                    DOUBLE,
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
                    OPAQUE -> throw new IllegalArgumentException(type + " is no exact number");
        };
    }

    /// The decimal of an exact number: of an integer literal, one with as many digits as the literal has.
    public static ScalarType of(Expression expression) {
        if (expression instanceof Literal literal
                && literal.type().kind().isInteger()
                && literal.value() instanceof Long value) {
            return ScalarType.decimal(digits(value), 0);
        }
        return ofType(expression.type());
    }

    /// Decimal digits of a whole number, without its sign.
    public static int digits(long value) {
        return value == Long.MIN_VALUE ? 19 : Long.toString(Math.abs(value)).length();
    }

    static boolean isExact(TypeKind kind) {
        return kind.isInteger() || kind == TypeKind.DECIMAL;
    }
}
