package dev.chert.planner.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.plan.hep.HepRelVertex;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalConditionalCorrelate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/// MarkCorrelate(x, Filter(p(x, y))(y)) => MarkJoin(x, y, IS TRUE(p)): EXISTS and IN whose only tie to the query around
/// is a predicate.
///
/// The general decorrelation would join the sub-query with the distinct keys of the outer side, and so compute that
/// side twice; it is left to what this rule does not fit: a correlation below an aggregate, a limit, a join. IS TRUE
/// keeps the mark of EXISTS from being NULL where a compared column is.
final class CorrelatedMark extends RelRule<RuleConfig> {
    static final RelOptRule INSTANCE = RuleConfig.of(
                    "CorrelatedMark",
                    CorrelatedMark::new,
                    correlate ->
                            correlate.operand(LogicalConditionalCorrelate.class).anyInputs())
            .toRule();

    private CorrelatedMark(RuleConfig config) {
        super(config);
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
        LogicalConditionalCorrelate correlate = call.rel(0);
        RexBuilder rex = correlate.getCluster().getRexBuilder();
        CorrelationId id = correlate.getCorrelationId();
        int leftCount = correlate.getLeft().getRowType().getFieldCount();

        RelNode right = bare(correlate.getRight());
        RexNode condition = correlate.getCondition();
        while (right instanceof LogicalProject project) {
            condition = inlined(condition, project, leftCount);
            right = bare(project.getInput());
        }
        if (!(right instanceof LogicalFilter filter) || isCorrelated(bare(filter.getInput()), id)) {
            return;
        }
        List<RexNode> tied = new ArrayList<>();
        List<RexNode> own = new ArrayList<>();
        for (RexNode conjunct : RelOptUtil.conjunctions(filter.getCondition())) {
            if (RexUtil.SubQueryFinder.find(conjunct) != null) {
                return;
            }
            (uses(conjunct, id) ? tied : own).add(conjunct);
        }
        RelNode rest = filter.getInput();
        if (!own.isEmpty()) {
            rest = LogicalFilter.create(rest, RexUtil.composeConjunction(rex, own));
        }
        List<RexNode> conditions = new ArrayList<>();
        for (RexNode conjunct : tied) {
            RexNode joined = joined(RexUtil.shift(conjunct, leftCount), id, rex, correlate.getLeft());
            conditions.add(joined.getType().isNullable() ? rex.makeCall(SqlStdOperatorTable.IS_TRUE, joined) : joined);
        }
        conditions.addAll(RelOptUtil.conjunctions(joined(condition, id, rex, correlate.getLeft())));
        LogicalJoin join = LogicalJoin.create(
                correlate.getLeft(),
                rest,
                List.of(),
                RexUtil.composeConjunction(rex, conditions),
                Set.of(),
                JoinRelType.LEFT_MARK);
        if (RelOptUtil.areRowTypesEqual(join.getRowType(), correlate.getRowType(), false)) {
            call.transformTo(join);
        }
    }

    private static RelNode bare(RelNode rel) {
        return rel instanceof HepRelVertex vertex ? vertex.getCurrentRel() : rel;
    }

    private static RexNode inlined(RexNode condition, LogicalProject project, int leftCount) {
        return condition.accept(new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef reference) {
                int index = reference.getIndex() - leftCount;
                return index < 0
                        ? reference
                        : RexUtil.shift(project.getProjects().get(index), leftCount);
            }
        });
    }

    /// The outer row's columns as the left columns of a join.
    private static RexNode joined(RexNode node, CorrelationId id, RexBuilder rex, RelNode left) {
        return node.accept(new RexShuttle() {
            @Override
            public RexNode visitFieldAccess(RexFieldAccess access) {
                return access.getReferenceExpr() instanceof RexCorrelVariable variable && variable.id.equals(id)
                        ? rex.makeInputRef(left, access.getField().getIndex())
                        : super.visitFieldAccess(access);
            }
        });
    }

    private static boolean uses(RexNode node, CorrelationId id) {
        boolean[] found = new boolean[1];
        node.accept(new RexShuttle() {
            @Override
            public RexNode visitCorrelVariable(RexCorrelVariable variable) {
                found[0] |= variable.id.equals(id);
                return variable;
            }
        });
        return found[0];
    }

    /// Whether anything in a tree, whose inputs may be vertices of the rule engine, uses the outer row.
    private static boolean isCorrelated(RelNode rel, CorrelationId id) {
        boolean[] found = new boolean[1];
        rel.accept(new RexShuttle() {
            @Override
            public RexNode visitCorrelVariable(RexCorrelVariable variable) {
                found[0] |= variable.id.equals(id);
                return variable;
            }

            @Override
            public RexNode visitSubQuery(RexSubQuery query) {
                found[0] = true; // not yet a join: this rule comes again
                return query;
            }
        });
        return found[0] || rel.getInputs().stream().anyMatch(input -> isCorrelated(bare(input), id));
    }
}
