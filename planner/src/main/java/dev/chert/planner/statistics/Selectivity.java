package dev.chert.planner.statistics;

import com.google.common.collect.Range;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.Sarg;

/// The share of rows for which a predicate is true.
final class Selectivity {
    /// For a range without bounds to compare with, and for what nobody knows (Selinger's 1/3).
    private static final double UNKNOWN = 1.0 / 3;

    private static final double LIKE = 0.1;

    /// For a value of a column whose distinct values nobody counted: flags have few, names have many.
    private static final double UNCOUNTED = 0.05;

    private Selectivity() {}

    static double of(RexNode predicate, List<ColumnEstimate> columns) {
        double product = 1;
        for (RexNode conjunct : RelOptUtil.conjunctions(predicate)) {
            product *= ofConjunct(conjunct, columns);
        }
        return product;
    }

    private static double ofConjunct(RexNode node, List<ColumnEstimate> columns) {
        if (node instanceof RexLiteral literal) {
            return literal.isAlwaysTrue() ? 1 : 0;
        }
        if (!(node instanceof RexCall call)) {
            return 0.5; // a column of booleans
        }
        return switch (call.getKind()) {
            case OR -> {
                double none = 1;
                for (RexNode operand : call.getOperands()) {
                    none *= 1 - of(operand, columns);
                }
                yield 1 - none;
            }
            case NOT -> 1 - of(call.getOperands().get(0), columns);
            case EQUALS, IS_NOT_DISTINCT_FROM -> equal(call, columns);
            case NOT_EQUALS, IS_DISTINCT_FROM -> 1 - equal(call, columns);
            case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL -> range(call, columns);
            case SEARCH -> search(call, columns);
            case LIKE -> LIKE;
            case IS_NULL -> nulls(call.getOperands().get(0), columns);
            case IS_NOT_NULL -> 1 - nulls(call.getOperands().get(0), columns);
            default -> UNKNOWN;
        };
    }

    private static ColumnEstimate column(RexNode node, List<ColumnEstimate> columns) {
        RexNode bare = node;
        while (bare.getKind() == SqlKind.CAST) {
            bare = ((RexCall) bare).getOperands().get(0);
        }
        return bare instanceof RexInputRef reference && reference.getIndex() < columns.size()
                ? columns.get(reference.getIndex())
                : null;
    }

    private static double equal(RexCall call, List<ColumnEstimate> columns) {
        ColumnEstimate left = column(call.getOperands().get(0), columns);
        ColumnEstimate right = column(call.getOperands().get(1), columns);
        if (left != null && right != null) {
            return 1 / Math.max(left.distinct(), right.distinct());
        }
        ColumnEstimate one = left != null ? left : right;
        return one == null ? LIKE : point(one);
    }

    private static double point(ColumnEstimate column) {
        double share = 1 / column.distinct();
        return (1 - column.nulls()) * (column.counted() ? share : Math.max(share, UNCOUNTED));
    }

    private static double range(RexCall call, List<ColumnEstimate> columns) {
        ColumnEstimate left = column(call.getOperands().get(0), columns);
        ColumnEstimate right = column(call.getOperands().get(1), columns);
        boolean less = call.getKind() == SqlKind.LESS_THAN || call.getKind() == SqlKind.LESS_THAN_OR_EQUAL;
        if (left != null && right == null) {
            double value = Literals.number(call.getOperands().get(1));
            return less
                    ? between(left, Double.NEGATIVE_INFINITY, value)
                    : between(left, value, Double.POSITIVE_INFINITY);
        }
        if (right != null && left == null) {
            double value = Literals.number(call.getOperands().get(0));
            return less
                    ? between(right, value, Double.POSITIVE_INFINITY)
                    : between(right, Double.NEGATIVE_INFINITY, value);
        }
        return UNKNOWN;
    }

    /// The share of a column's values from `low` to `high`.
    private static double between(ColumnEstimate column, double low, double high) {
        if (Double.isNaN(low)
                || Double.isNaN(high)
                || Double.isNaN(column.minimum())
                || Double.isNaN(column.maximum())) {
            return UNKNOWN;
        }
        double width = column.maximum() - column.minimum();
        double from = Math.max(low, column.minimum());
        double to = Math.min(high, column.maximum());
        if (to < from) {
            return 0;
        }
        double share = width <= 0 ? 1 : (to - from) / width;
        return (1 - column.nulls()) * Math.max(share, 1 / column.distinct());
    }

    private static double search(RexCall call, List<ColumnEstimate> columns) {
        ColumnEstimate column = column(call.getOperands().get(0), columns);
        if (column == null || !(call.getOperands().get(1) instanceof RexLiteral literal)) {
            return UNKNOWN;
        }
        Sarg<?> sarg = literal.getValueAs(Sarg.class);
        if (sarg == null) {
            return UNKNOWN;
        }
        RelDataType type = call.getOperands().get(0).getType();
        if (sarg.isComplementedPoints()) {
            return Math.max(0, 1 - sarg.negate().pointCount * point(column));
        }
        double share = 0;
        for (Range<?> range : sarg.rangeSet.asRanges()) {
            if (range.hasLowerBound()
                    && range.hasUpperBound()
                    && range.lowerEndpoint().equals(range.upperEndpoint())) {
                share += point(column);
            } else {
                double low =
                        range.hasLowerBound() ? Literals.number(range.lowerEndpoint(), type) : Double.NEGATIVE_INFINITY;
                double high =
                        range.hasUpperBound() ? Literals.number(range.upperEndpoint(), type) : Double.POSITIVE_INFINITY;
                boolean open = !range.hasLowerBound() || !range.hasUpperBound();
                double part = between(column, low, high);
                share += part == UNKNOWN && !open ? (SqlTypeUtil.isCharacter(type) ? LIKE : UNKNOWN / 2) : part;
            }
        }
        return Math.min(1, share);
    }

    private static double nulls(RexNode operand, List<ColumnEstimate> columns) {
        ColumnEstimate column = column(operand, columns);
        return column == null ? LIKE : column.nulls();
    }
}
