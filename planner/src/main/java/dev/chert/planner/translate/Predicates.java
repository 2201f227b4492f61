package dev.chert.planner.translate;

import com.google.common.collect.BoundType;
import com.google.common.collect.Range;
import dev.chert.expression.Expression.Literal;
import dev.chert.source.ColumnPredicate;
import dev.chert.source.ColumnPredicate.Comparison;
import dev.chert.source.ColumnPredicate.Operator;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUnknownAs;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.Sarg;

/// Conjuncts of a filter in the form that statistics can answer.
final class Predicates {
    private Predicates() {}

    /// What a conjunct says of one column; several predicates where it is a range, none where it has another form.
    ///
    /// @param columns the source's number of each column of the filter's input
    static List<ColumnPredicate> of(RexNode conjunct, List<Integer> columns) {
        if (!(conjunct instanceof RexCall call)) {
            return List.of();
        }
        return switch (call.getKind()) {
            case EQUALS -> comparison(call, Operator.EQUAL, Operator.EQUAL, columns);
            case NOT_EQUALS -> comparison(call, Operator.NOT_EQUAL, Operator.NOT_EQUAL, columns);
            case LESS_THAN -> comparison(call, Operator.LESS, Operator.GREATER, columns);
            case LESS_THAN_OR_EQUAL -> comparison(call, Operator.LESS_OR_EQUAL, Operator.GREATER_OR_EQUAL, columns);
            case GREATER_THAN -> comparison(call, Operator.GREATER, Operator.LESS, columns);
            case GREATER_THAN_OR_EQUAL -> comparison(call, Operator.GREATER_OR_EQUAL, Operator.LESS_OR_EQUAL, columns);
            case IS_NULL -> nulls(call, false, columns);
            case IS_NOT_NULL -> nulls(call, true, columns);
            case SEARCH -> search(call, columns);
            default -> List.of();
        };
    }

    private static List<ColumnPredicate> comparison(
            RexCall call, Operator operator, Operator mirrored, List<Integer> columns) {
        RexNode left = call.getOperands().get(0);
        RexNode right = call.getOperands().get(1);
        if (left instanceof RexInputRef column && right instanceof RexLiteral literal) {
            return comparison(column, operator, literal, columns);
        }
        if (right instanceof RexInputRef column && left instanceof RexLiteral literal) {
            return comparison(column, mirrored, literal, columns);
        }
        return List.of();
    }

    private static List<ColumnPredicate> comparison(
            RexInputRef column, Operator operator, RexLiteral literal, List<Integer> columns) {
        SqlTypeName columnType = column.getType().getSqlTypeName();
        if (literal.isNull()
                || columnType != literal.getType().getSqlTypeName()
                || columnType == SqlTypeName.DECIMAL
                        && literal.getType().getScale() != column.getType().getScale()) {
            return List.of();
        }
        Literal value = Literals.of(literal.getValueAs(Comparable.class), column.getType());
        return List.of(new Comparison(columns.get(column.getIndex()), operator, value));
    }

    private static List<ColumnPredicate> nulls(RexCall call, boolean negated, List<Integer> columns) {
        return call.getOperands().get(0) instanceof RexInputRef column
                ? List.of(new ColumnPredicate.IsNull(columns.get(column.getIndex()), negated))
                : List.of();
    }

    private static List<ColumnPredicate> search(RexCall call, List<Integer> columns) {
        if (!(call.getOperands().get(0) instanceof RexInputRef column)) {
            return List.of();
        }
        Sarg<?> sarg = ((RexLiteral) call.getOperands().get(1)).getValueAs(Sarg.class);
        if (sarg == null || sarg.nullAs == RexUnknownAs.TRUE) {
            return List.of();
        }
        int number = columns.get(column.getIndex());
        RelDataType type = column.getType();
        if (sarg.isPoints()) {
            List<Literal> values = new ArrayList<>();
            for (Range<?> range : sarg.rangeSet.asRanges()) {
                values.add(Literals.of(range.lowerEndpoint(), type));
            }
            return List.of(new ColumnPredicate.In(number, values));
        }
        if (sarg.isComplementedPoints()) {
            return List.of();
        }
        Range<?> span = sarg.rangeSet.span();
        List<ColumnPredicate> bounds = new ArrayList<>();
        if (span.hasLowerBound()) {
            Operator operator =
                    span.lowerBoundType() == BoundType.CLOSED ? Operator.GREATER_OR_EQUAL : Operator.GREATER;
            bounds.add(new Comparison(number, operator, Literals.of(span.lowerEndpoint(), type)));
        }
        if (span.hasUpperBound()) {
            Operator operator = span.upperBoundType() == BoundType.CLOSED ? Operator.LESS_OR_EQUAL : Operator.LESS;
            bounds.add(new Comparison(number, operator, Literals.of(span.upperEndpoint(), type)));
        }
        return bounds;
    }

    /// Whether the predicates say all that the conjunct says: the hull of several ranges says less.
    static boolean isWhole(RexNode conjunct) {
        if (conjunct instanceof RexCall call
                && call.getOperands().size() == 2
                && call.getOperands().get(1) instanceof RexLiteral literal
                && literal.getValue() instanceof Sarg<?> sarg) {
            return sarg.isPoints() || sarg.rangeSet.asRanges().size() == 1;
        }
        return true;
    }
}
