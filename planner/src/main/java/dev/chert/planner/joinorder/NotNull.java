package dev.chert.planner.joinorder;

import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/// Columns that cannot be NULL although their type says so: what was filtered stays filtered above.
final class NotNull {
    private NotNull() {}

    static boolean is(RelNode rel, int column) {
        if (!rel.getRowType().getFieldList().get(column).getType().isNullable()) {
            return true;
        }
        return switch (rel) {
            case Filter filter -> isSaid(filter.getCondition(), column) || is(filter.getInput(), column);
            case Project project ->
                project.getProjects().get(column) instanceof RexInputRef reference
                        && is(project.getInput(), reference.getIndex());
            case Aggregate aggregate ->
                column < aggregate.getGroupCount()
                        && aggregate.getGroupSets().size() == 1
                        && is(aggregate.getInput(), aggregate.getGroupSet().nth(column));
            case Join join -> isJoined(join, column);
            default -> false;
        };
    }

    private static boolean isJoined(Join join, int column) {
        int leftCount = join.getLeft().getRowType().getFieldCount();
        if (join.getJoinType() == JoinRelType.INNER && isSaid(join.getCondition(), column)) {
            return true;
        }
        return column < leftCount
                ? !join.getJoinType().generatesNullsOnLeft() && is(join.getLeft(), column)
                : join.getJoinType() == JoinRelType.INNER && is(join.getRight(), column - leftCount);
    }

    /// Whether a condition is only true where the column has a value.
    private static boolean isSaid(RexNode condition, int column) {
        for (RexNode conjunct : RelOptUtil.conjunctions(condition)) {
            boolean strict = conjunct.isA(SqlKind.COMPARISON)
                            && conjunct.getKind() != SqlKind.IS_NOT_DISTINCT_FROM
                            && conjunct.getKind() != SqlKind.IS_DISTINCT_FROM
                    || conjunct.getKind() == SqlKind.IS_NOT_NULL;
            if (strict
                    && ((RexCall) conjunct)
                            .getOperands().stream()
                                    .anyMatch(o ->
                                            o instanceof RexInputRef reference && reference.getIndex() == column)) {
                return true;
            }
        }
        return false;
    }
}
