package dev.chert.planner.rules;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimestampString;

/// Cast(column) compared with a literal => the column compared with the literal in the column's type.
///
/// Only such a comparison can be answered by statistics, and it runs on the column as it is stored. Holds where
/// the cast changes no value and keeps their order. A literal between two values of the column's type bounds an
/// inequality by the lower of them; an equality with such a literal stays as it is, and so does a literal outside
/// of the type.
final class LosslessCasts {
    private static final long MILLIS_A_DAY = 86_400_000L;

    private LosslessCasts() {}

    static RexNode removed(RexNode node, RexBuilder rex) {
        if (!(node instanceof RexCall call)) {
            return node;
        }
        return switch (call.getKind()) {
            case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
                comparison(call, rex);
            case SEARCH -> search(call, rex);
            default -> node;
        };
    }

    /// A range is its comparisons again, which the simplifier puts together without the casts.
    private static RexNode search(RexCall call, RexBuilder rex) {
        RexNode operand = call.getOperands().getFirst();
        return operand instanceof RexInputRef || column(operand) == null
                ? call
                : RexUtil.expandSearch(rex, null, call).accept(new RexShuttle() {
                    @Override
                    public RexNode visitCall(RexCall inner) {
                        RexNode visited = super.visitCall(inner);
                        return visited.getKind() == SqlKind.SEARCH ? visited : removed(visited, rex);
                    }
                });
    }

    private static RexNode comparison(RexCall call, RexBuilder rex) {
        RexNode left = call.getOperands().get(0);
        RexNode right = call.getOperands().get(1);
        RexNode compared = null;
        if (right instanceof RexLiteral literal && column(left) != null) {
            compared = comparison(call, call.getKind(), column(left), literal, rex);
        } else if (left instanceof RexLiteral literal && column(right) != null) {
            compared = comparison(call, call.getKind().reverse(), column(right), literal, rex);
        }
        return compared == null ? call : compared;
    }

    /// The column of a column or of casts around one that change no value; else null.
    private static RexInputRef column(RexNode node) {
        if (node instanceof RexInputRef column) {
            return column;
        }
        if (node.getKind() != SqlKind.CAST || ((RexCall) node).getOperands().size() != 1) {
            return null;
        }
        RexNode operand = ((RexCall) node).getOperands().getFirst();
        return isLossless(operand.getType(), node.getType()) ? column(operand) : null;
    }

    private static boolean isLossless(RelDataType from, RelDataType to) {
        SqlTypeName source = from.getSqlTypeName();
        SqlTypeName target = to.getSqlTypeName();
        if (SqlTypeUtil.isExactNumeric(from) && SqlTypeUtil.isExactNumeric(to)) {
            return to.getScale() >= from.getScale()
                    && to.getPrecision() - to.getScale() >= from.getPrecision() - from.getScale();
        }
        return switch (target) {
            case DOUBLE ->
                source == SqlTypeName.REAL
                        || source == SqlTypeName.TINYINT
                        || source == SqlTypeName.SMALLINT
                        || source == SqlTypeName.INTEGER;
            case TIMESTAMP ->
                source == SqlTypeName.DATE
                        || source == SqlTypeName.TIMESTAMP && to.getPrecision() >= from.getPrecision();
            default -> false;
        };
    }

    /// @return null where the comparison stays as it is
    private static RexNode comparison(
            RexCall call, SqlKind kind, RexInputRef column, RexLiteral literal, RexBuilder rex) {
        RelDataType type = rex.getTypeFactory().createTypeWithNullability(column.getType(), false);
        if (literal.isNull()
                || literal.getType().equals(type) && call.getOperands().contains(column)) {
            return null;
        }
        Bound bound = bound(literal, type, rex);
        if (bound == null || !bound.exact && (kind == SqlKind.EQUALS || kind == SqlKind.NOT_EQUALS)) {
            return null;
        }
        SqlOperator operator = switch (kind) {
            case EQUALS -> SqlStdOperatorTable.EQUALS;
            case NOT_EQUALS -> SqlStdOperatorTable.NOT_EQUALS;
            case LESS_THAN -> bound.exact ? SqlStdOperatorTable.LESS_THAN : SqlStdOperatorTable.LESS_THAN_OR_EQUAL;
            case LESS_THAN_OR_EQUAL -> SqlStdOperatorTable.LESS_THAN_OR_EQUAL;
            case GREATER_THAN -> SqlStdOperatorTable.GREATER_THAN;
            default -> bound.exact ? SqlStdOperatorTable.GREATER_THAN_OR_EQUAL : SqlStdOperatorTable.GREATER_THAN;
        };
        return rex.makeCall(call.getParserPosition(), operator, List.of(column, bound.literal));
    }

    /// The greatest value of a type that is not above a literal.
    ///
    /// @param exact whether it is the literal's value
    private record Bound(RexNode literal, boolean exact) {}

    /// @return null where the type has no such value, or the literal is of another kind
    private static Bound bound(RexLiteral literal, RelDataType type, RexBuilder rex) {
        Comparable<?> value = literal.getValueAs(Comparable.class);
        return switch (type.getSqlTypeName()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL ->
                switch (value) {
                    case BigDecimal number -> number(number, type, rex);
                    case Double number when Double.isFinite(number) -> number(new BigDecimal(number), type, rex);
                    case null, default -> null;
                };
            case REAL -> {
                double number = value instanceof Number n ? n.doubleValue() : Double.NaN;
                yield (float) number == number && Math.abs(number) <= Float.MAX_VALUE
                        ? new Bound(rex.makeApproxLiteral(BigDecimal.valueOf(number), type), true)
                        : null;
            }
            case DATE -> value instanceof TimestampString time ? date(time, rex) : null;
            case TIMESTAMP -> value instanceof TimestampString time ? timestamp(time, type, rex) : null;
            default -> null;
        };
    }

    private static Bound number(BigDecimal value, RelDataType type, RexBuilder rex) {
        BigDecimal floor = value.setScale(type.getScale(), RoundingMode.FLOOR);
        boolean fits = switch (type.getSqlTypeName()) {
            case TINYINT -> isWithin(floor, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case SMALLINT -> isWithin(floor, Short.MIN_VALUE, Short.MAX_VALUE);
            case INTEGER -> isWithin(floor, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BIGINT -> isWithin(floor, Long.MIN_VALUE, Long.MAX_VALUE);
            default -> floor.precision() <= type.getPrecision();
        };
        return fits ? new Bound(rex.makeExactLiteral(floor, type), floor.compareTo(value) == 0) : null;
    }

    private static boolean isWithin(BigDecimal value, long least, long most) {
        return value.compareTo(BigDecimal.valueOf(least)) >= 0 && value.compareTo(BigDecimal.valueOf(most)) <= 0;
    }

    private static Bound date(TimestampString time, RexBuilder rex) {
        long days = Math.floorDiv(time.getMillisSinceEpoch(), MILLIS_A_DAY);
        boolean midnight = time.toString().endsWith(" 00:00:00");
        return new Bound(rex.makeDateLiteral(DateString.fromDaysSinceEpoch((int) days)), midnight);
    }

    private static Bound timestamp(TimestampString time, RelDataType type, RexBuilder rex) {
        TimestampString floor = time.round(type.getPrecision());
        return new Bound(rex.makeLiteral(floor, type, false), floor.equals(time));
    }
}
