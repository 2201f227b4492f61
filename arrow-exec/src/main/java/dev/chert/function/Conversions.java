package dev.chert.function;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.TypeKind;
import dev.chert.error.SourcePosition;
import dev.chert.error.ValidationException;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.Cast;
import dev.chert.expression.Expression.Literal;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/// Which conversions there are, and conversions of literals, which need no running.
public final class Conversions {
    private Conversions() {}

    /// Makes a conversion; a literal is converted at once where that loses nothing.
    static Expression cast(Expression input, DataType type, boolean tried, SourcePosition position) {
        DataType from = input.type();
        if (from.equals(type)) {
            return input;
        }
        if (input instanceof Literal literal) {
            Optional<Literal> converted = literal(literal, type);
            if (converted.isPresent()) {
                return converted.get();
            }
        }
        if (from.kind() != TypeKind.NULL
                && !changesNoValue(from, type)
                && FunctionRegistry.find(FunctionRegistry.CAST, List.of(from), type)
                        .isEmpty()) {
            throw new ValidationException("a value of type " + from + " cannot be cast to " + type, position);
        }
        return new Cast(input, type, tried, position);
    }

    /// True where every value of one type is one of the other in the same form, so that a column needs only
    /// another name for its type.
    public static boolean changesNoValue(DataType from, DataType to) {
        if (from.equals(to)) {
            return true;
        }
        if (!(from instanceof ScalarType source) || !(to instanceof ScalarType target)) {
            return false;
        }
        if (source.kind() == TypeKind.CHAR && target.kind() == TypeKind.VARCHAR) {
            return target.precision() == ScalarType.UNBOUNDED || target.precision() >= source.precision();
        }
        if (source.kind() != target.kind()) {
            return false;
        }
        return switch (source.kind()) {
            case DECIMAL -> source.scale() == target.scale() && source.precision() <= target.precision();
            case VARCHAR, VARBINARY ->
                target.precision() == ScalarType.UNBOUNDED
                        || (source.precision() != ScalarType.UNBOUNDED && source.precision() <= target.precision());
            case TIME, TIMESTAMP, TIMESTAMP_LTZ, INTERVAL_DAY_TIME ->
                source.unitsPerSecond() == target.unitsPerSecond() && source.precision() <= target.precision();
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    REAL,
                    DOUBLE,
                    DATE,
                    INTERVAL_YEAR_MONTH,
                    CHAR,
                    UUID,
                    ARRAY,
                    MAP,
                    ROW,
                    NULL,
                    OPAQUE -> false;
        };
    }

    /// Converts a literal where the result is exact.
    static Optional<Literal> literal(Literal literal, DataType type) {
        if (literal.isNull()) {
            return Optional.of(new Literal(null, type));
        }
        Serializable value = literal.value();
        ScalarType target = type instanceof ScalarType scalar ? scalar : null;
        if (target == null) {
            return Optional.empty();
        }
        TypeKind from = literal.type().kind();
        if (from.isInteger()) {
            return number(BigDecimal.valueOf((Long) value), target);
        }
        if (from == TypeKind.DECIMAL) {
            return number((BigDecimal) value, target);
        }
        if (from == TypeKind.REAL && target.kind() == TypeKind.DOUBLE) {
            return Optional.of(new Literal(value, target));
        }
        if (from == TypeKind.VARCHAR && target.kind() == TypeKind.DATE) {
            return date((String) value);
        }
        if (from == TypeKind.DATE && target.kind() == TypeKind.TIMESTAMP) {
            return Optional.of(
                    new Literal(Math.multiplyExact((Long) value, 86_400L * target.unitsPerSecond()), target));
        }
        return changesNoValue(literal.type(), target) && target.kind() != TypeKind.CHAR
                ? Optional.of(new Literal(value, target))
                : Optional.empty();
    }

    private static Optional<Literal> number(BigDecimal value, ScalarType target) {
        return switch (target.kind()) {
            case TINYINT -> integer(value, target, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case SMALLINT -> integer(value, target, Short.MIN_VALUE, Short.MAX_VALUE);
            case INTEGER -> integer(value, target, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BIGINT -> integer(value, target, Long.MIN_VALUE, Long.MAX_VALUE);
            case DECIMAL -> decimal(value, target);
            case DOUBLE -> Optional.of(new Literal(value.doubleValue(), target));
            case REAL -> Optional.of(new Literal((double) value.floatValue(), target));
            case BOOLEAN,
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
                    OPAQUE -> Optional.empty();
        };
    }

    private static Optional<Literal> integer(BigDecimal value, ScalarType target, long least, long most) {
        boolean whole = value.stripTrailingZeros().scale() <= 0;
        boolean fits =
                value.compareTo(BigDecimal.valueOf(least)) >= 0 && value.compareTo(BigDecimal.valueOf(most)) <= 0;
        return whole && fits ? Optional.of(new Literal(value.longValue(), target)) : Optional.empty();
    }

    private static Optional<Literal> decimal(BigDecimal value, ScalarType target) {
        BigDecimal scaled = value.setScale(target.scale(), RoundingMode.HALF_UP);
        boolean fits = scaled.precision() <= target.precision();
        return fits && scaled.compareTo(value) == 0 ? Optional.of(new Literal(scaled, target)) : Optional.empty();
    }

    private static Optional<Literal> date(String text) {
        try {
            return Optional.of(new Literal(LocalDate.parse(text.strip()).toEpochDay(), ScalarType.DATE));
        } catch (DateTimeParseException e) {
            return Optional.empty(); // the conversion at run time words the error
        }
    }
}
