package dev.chert.planner.statistics;

import dev.chert.batch.ScalarType;
import dev.chert.batch.TypeKind;
import dev.chert.expression.Expression.Literal;
import java.math.BigDecimal;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeFamily;

/// Constants as numbers on a line, so that distances between them can be compared.
final class Literals {
    private static final double MILLIS_A_DAY = 86_400_000.0;

    private Literals() {}

    /// A bound of a source's statistics as days or as the number itself, or NaN.
    static double number(Literal literal) {
        if (literal == null || literal.isNull() || !(literal.value() instanceof Number number)) {
            return Double.NaN;
        }
        if (literal.type() instanceof ScalarType type
                && (type.kind() == TypeKind.TIMESTAMP || type.kind() == TypeKind.TIMESTAMP_LTZ)) {
            return number.doubleValue() / type.unitsPerSecond() / 86_400.0;
        }
        return number.doubleValue();
    }

    /// A constant of an expression on the same line, or NaN.
    static double number(RexNode node) {
        RexNode bare = node;
        while (bare.getKind() == SqlKind.CAST) {
            bare = ((RexCall) bare).getOperands().get(0);
        }
        return bare instanceof RexLiteral literal ? number(literal) : Double.NaN;
    }

    private static double number(RexLiteral literal) {
        return literal.isNull() ? Double.NaN : number(literal.getValue(), literal.getType());
    }

    /// A value as Calcite keeps it in literals and search arguments.
    static double number(Object value, RelDataType type) {
        return switch (value) {
            case BigDecimal decimal -> decimal.doubleValue();
            case org.apache.calcite.util.DateString date -> date.getDaysSinceEpoch();
            case org.apache.calcite.util.TimestampString timestamp -> timestamp.getMillisSinceEpoch() / MILLIS_A_DAY;
            case java.util.Calendar calendar -> calendar.getTimeInMillis() / MILLIS_A_DAY;
            case null, default ->
                type.getFamily() == SqlTypeFamily.BOOLEAN && value instanceof Boolean b ? (b ? 1 : 0) : Double.NaN;
        };
    }
}
