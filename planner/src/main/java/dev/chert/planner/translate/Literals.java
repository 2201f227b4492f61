package dev.chert.planner.translate;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.error.TableException;
import dev.chert.expression.Expression.Literal;
import dev.chert.planner.types.TypeMapping;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.UUID;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/// Constants of Calcite's as constants of ours.
final class Literals {
    private static final long NANOS_A_SECOND = 1_000_000_000L;
    private static final long MILLIS_A_SECOND = 1_000L;

    private Literals() {}

    static Literal of(RexLiteral literal) {
        return of(literal, TypeMapping.dataType(literal.getType()));
    }

    /// A constant as a value of `type`, which has the same kind.
    static Literal of(RexLiteral literal, DataType type) {
        return new Literal(literal.isNull() ? null : value(literal.getValueAs(Comparable.class), type), type);
    }

    /// A value as Calcite keeps it, of the type of the expression it is compared with.
    static Literal of(Object value, RelDataType type) {
        DataType own = TypeMapping.dataType(type);
        return new Literal(value(value, own), own);
    }

    private static Serializable value(Object value, DataType type) {
        return switch (type.kind()) {
            case BOOLEAN -> (Boolean) value;
            case TINYINT, SMALLINT, INTEGER, BIGINT -> ((BigDecimal) value).longValueExact();
            case REAL, DOUBLE -> ((Number) value).doubleValue();
            case DECIMAL -> ((BigDecimal) value).setScale(((ScalarType) type).scale(), RoundingMode.HALF_UP);
            case CHAR, VARCHAR -> value instanceof NlsString text ? text.getValue() : (String) value;
            case DATE ->
                value instanceof DateString date ? (long) date.getDaysSinceEpoch() : ((Number) value).longValue();
            case TIME -> units(((TimeString) value).getMillisOfDay(), nanos(value.toString()), (ScalarType) type);
            case TIMESTAMP, TIMESTAMP_LTZ ->
                units(((TimestampString) value).getMillisSinceEpoch(), nanos(value.toString()), (ScalarType) type);
            case INTERVAL_YEAR_MONTH -> ((BigDecimal) value).longValueExact();
            case INTERVAL_DAY_TIME ->
                ((BigDecimal) value)
                        .multiply(BigDecimal.valueOf(((ScalarType) type).unitsPerSecond()))
                        .divide(BigDecimal.valueOf(MILLIS_A_SECOND), RoundingMode.HALF_UP)
                        .longValueExact();
            case VARBINARY -> ((ByteString) value).toString(16);
            case UUID -> (UUID) value;
            case NULL, ARRAY, MAP, ROW, OPAQUE ->
                throw new TableException("a constant of type " + type + " is not supported");
        };
    }

    /// Nanoseconds within the second of `… hh:mm:ss.fff`.
    private static long nanos(String text) {
        int point = text.lastIndexOf('.');
        if (point < 0) {
            return 0;
        }
        String digits = (text.substring(point + 1) + "000000000").substring(0, 9);
        return Long.parseLong(digits);
    }

    private static long units(long millis, long nanosOfSecond, ScalarType type) {
        long seconds = Math.floorDiv(millis, MILLIS_A_SECOND);
        long perUnit = NANOS_A_SECOND / type.unitsPerSecond();
        return Math.addExact(Math.multiplyExact(seconds, type.unitsPerSecond()), nanosOfSecond / perUnit);
    }
}
