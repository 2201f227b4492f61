package dev.chert.planner.translate;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.error.TableException;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.Coalesce;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.expression.Expression.IsNull;
import dev.chert.expression.Expression.Literal;
import dev.chert.plan.JoinKind;
import dev.chert.plan.PhysicalPlan;
import dev.chert.plan.PhysicalPlan.HashJoin;
import dev.chert.plan.PhysicalPlan.NestedLoopJoin;
import dev.chert.plan.PhysicalPlan.Project;
import dev.chert.planner.statistics.Estimate;
import dev.chert.planner.statistics.Estimator;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/// Joins: which conditions are hash keys, which side is built, and how Calcite's kinds are ours.
///
/// The smaller side is built. An inner join comes here with it on the right; an outer or semi join whose right side is
/// the larger one is turned around, and its columns put back in order.
final class JoinTranslator {
    /// A turned join gives up streaming its preserved side in order, so it must pay.
    private static final double WORTH_TURNING = 1.5;

    private final RexBuilder rex;
    private final ExpressionTranslator expressions;
    private final Estimator estimator;

    JoinTranslator(RexBuilder rex, ExpressionTranslator expressions, Estimator estimator) {
        this.rex = rex;
        this.expressions = expressions;
        this.estimator = estimator;
    }

    /// A join's condition taken apart.
    private static final class Condition {
        final List<Expression> leftKeys = new ArrayList<>();
        final List<Expression> rightKeys = new ArrayList<>();
        final List<RexNode> residual = new ArrayList<>();
    }

    PhysicalPlan translate(Join join, PhysicalPlan left, PhysicalPlan right) {
        JoinKind kind = switch (join.getJoinType()) {
            case INNER -> JoinKind.INNER;
            case LEFT -> JoinKind.LEFT;
            case RIGHT -> JoinKind.RIGHT;
            case FULL -> JoinKind.FULL;
            case SEMI -> JoinKind.SEMI;
            case ANTI -> JoinKind.ANTI;
            case LEFT_MARK -> JoinKind.MARK;
            case ASOF, LEFT_ASOF -> throw new TableException("ASOF JOIN is not supported");
        };
        boolean twoValued = join.getJoinType() == JoinRelType.LEFT_MARK
                && !join.getCondition().getType().isNullable();
        PhysicalPlan plan = join(join, left, right, kind, kind != JoinKind.MARK || twoValued);
        return twoValued ? withoutNullMark(plan) : plan;
    }

    /// NOT IN as a filter: rows of the left side whose mark is FALSE, and not NULL.
    PhysicalPlan nullAwareAnti(Join join, PhysicalPlan left, PhysicalPlan right) {
        return join(join, left, right, JoinKind.NULL_AWARE_ANTI, false);
    }

    /// @param nullIsFalse whether a condition that is NULL counts as one that is false, as everywhere but in the
    ///                    three-valued kinds
    private PhysicalPlan join(Join join, PhysicalPlan left, PhysicalPlan right, JoinKind kind, boolean nullIsFalse) {
        Condition condition = takenApart(join, nullIsFalse);
        Expression residual = condition.residual.isEmpty()
                ? null
                : expressions.translate(RexUtil.composeConjunction(rex, condition.residual));
        Estimate estimate = kind == JoinKind.NULL_AWARE_ANTI ? estimator.unmatched(join) : estimator.estimate(join);
        if (condition.leftKeys.isEmpty()) {
            return new NestedLoopJoin(left, right, kind, residual, estimate.rows());
        }
        boolean rightIsLarger = estimator.estimate(join.getRight()).rows()
                > WORTH_TURNING * estimator.estimate(join.getLeft()).rows();
        JoinKind turned = rightIsLarger ? turned(kind) : null;
        if (turned == null) {
            return new HashJoin(left, right, kind, condition.leftKeys, condition.rightKeys, residual, estimate.rows());
        }
        int leftCount = left.schema().size();
        int rightCount = right.schema().size();
        HashJoin made = new HashJoin(
                right,
                left,
                turned,
                condition.rightKeys,
                condition.leftKeys,
                residual == null ? null : exchanged(residual, leftCount, rightCount),
                estimate.rows());
        return turned.givesLeft() ? inOrder(made, leftCount, rightCount) : made;
    }

    private static JoinKind turned(JoinKind kind) {
        return switch (kind) {
            case INNER -> JoinKind.INNER;
            case LEFT -> JoinKind.RIGHT;
            case RIGHT -> JoinKind.LEFT;
            case FULL -> JoinKind.FULL;
            case SEMI -> JoinKind.RIGHT_SEMI;
            case ANTI -> JoinKind.RIGHT_ANTI;
            case NULL_AWARE_ANTI, MARK, RIGHT_SEMI, RIGHT_ANTI -> null;
        };
    }

    /// The residual over right columns then left columns.
    private static Expression exchanged(Expression residual, int leftCount, int rightCount) {
        return Columns.renumbered(residual, i -> i < leftCount ? i + rightCount : i - leftCount);
    }

    /// The columns of a turned join as the query knows them: left, then right.
    private static PhysicalPlan inOrder(HashJoin turned, int leftCount, int rightCount) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < leftCount; i++) {
            order.add(rightCount + i);
        }
        for (int i = 0; i < rightCount; i++) {
            order.add(i);
        }
        Schema schema = turned.schema();
        return new Project(
                turned,
                order.stream()
                        .map(i -> (Expression) new InputColumn(i, schema.type(i)))
                        .toList(),
                schema.select(order));
    }

    /// The mark of EXISTS: a NULL key matches nothing, so what it leaves open is false.
    private static PhysicalPlan withoutNullMark(PhysicalPlan plan) {
        Schema schema = plan.schema();
        List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < schema.size() - 1; i++) {
            columns.add(new InputColumn(i, schema.type(i)));
        }
        columns.add(new Coalesce(
                List.of(new InputColumn(schema.size() - 1, ScalarType.BOOLEAN), Literal.FALSE), ScalarType.BOOLEAN));
        return new Project(plan, columns, schema);
    }

    private Condition takenApart(Join join, boolean nullIsFalse) {
        Condition condition = new Condition();
        int leftCount = join.getLeft().getRowType().getFieldCount();
        for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
            if (conjunct.isAlwaysTrue()) {
                continue;
            }
            if (conjunct.getKind() == SqlKind.IS_TRUE) {
                RexNode inner = ((RexCall) conjunct).getOperands().get(0);
                List<RexNode> parts = nullIsFalse ? RelOptUtil.conjunctions(inner) : List.of(conjunct);
                parts.forEach(part -> place(part, leftCount, condition));
            } else {
                place(conjunct, leftCount, condition);
            }
        }
        return condition;
    }

    private void place(RexNode conjunct, int leftCount, Condition condition) {
        boolean equality = conjunct.getKind() == SqlKind.EQUALS || conjunct.getKind() == SqlKind.IS_NOT_DISTINCT_FROM;
        if (equality && conjunct instanceof RexCall call) {
            RexNode one = call.getOperands().get(0);
            RexNode other = call.getOperands().get(1);
            if (isLeft(one, leftCount) && isRight(other, leftCount)) {
                addKeys(one, other, leftCount, condition, conjunct.getKind());
                return;
            }
            if (isLeft(other, leftCount) && isRight(one, leftCount)) {
                addKeys(other, one, leftCount, condition, conjunct.getKind());
                return;
            }
        }
        condition.residual.add(conjunct);
    }

    private static boolean isLeft(RexNode node, int leftCount) {
        ImmutableBitSet used = RelOptUtil.InputFinder.bits(node);
        return !used.isEmpty() && used.length() <= leftCount;
    }

    private static boolean isRight(RexNode node, int leftCount) {
        ImmutableBitSet used = RelOptUtil.InputFinder.bits(node);
        return !used.isEmpty() && used.nth(0) >= leftCount;
    }

    private void addKeys(RexNode left, RexNode right, int leftCount, Condition condition, SqlKind kind) {
        Expression leftKey = expressions.translate(left);
        Expression rightKey = expressions.translate(RexUtil.shift(right, -leftCount));
        if (!leftKey.type().equals(rightKey.type())) {
            DataType common = expressions.common(left, right);
            leftKey = ExpressionTranslator.converted(leftKey, common, null);
            rightKey = ExpressionTranslator.converted(rightKey, common, null);
        }
        if (ExpressionTranslator.asChar(left) != left || ExpressionTranslator.asChar(right) != right) {
            leftKey = FunctionCalls.withoutPadding(leftKey);
            rightKey = FunctionCalls.withoutPadding(rightKey);
        }
        boolean nullsMatch = kind == SqlKind.IS_NOT_DISTINCT_FROM
                && left.getType().isNullable()
                && right.getType().isNullable();
        if (!nullsMatch) {
            condition.leftKeys.add(leftKey);
            condition.rightKeys.add(rightKey);
            return;
        }
        // Two NULLs match as two keys that are never NULL: whether it is NULL, and the value or some constant.
        condition.leftKeys.add(new IsNull(leftKey, false));
        condition.rightKeys.add(new IsNull(rightKey, false));
        Literal some = some(leftKey.type());
        condition.leftKeys.add(new Coalesce(List.of(leftKey, some), leftKey.type()));
        condition.rightKeys.add(new Coalesce(List.of(rightKey, some), rightKey.type()));
    }

    /// Any value of a type.
    private static Literal some(DataType type) {
        Serializable value = switch (type.kind()) {
            case BOOLEAN -> false;
            case TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_LTZ,
                    INTERVAL_YEAR_MONTH,
                    INTERVAL_DAY_TIME -> 0L;
            case REAL, DOUBLE -> 0.0;
            case DECIMAL -> BigDecimal.ZERO.setScale(((ScalarType) type).scale());
            case CHAR, VARCHAR, VARBINARY -> "";
            case UUID -> new UUID(0, 0);
            case ARRAY, MAP, ROW, NULL, OPAQUE ->
                throw new TableException("comparing values of type " + type + " is not supported");
        };
        return new Literal(value, type);
    }
}
