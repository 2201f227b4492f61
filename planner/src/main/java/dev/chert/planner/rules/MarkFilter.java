package dev.chert.planner.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;

/// Filter(mark AND p, MarkJoin(x, y)) => Project(x.*, TRUE)(Filter(p)(SemiJoin(x, y))): the mark is known above its
/// filter.
///
/// With NOT mark, an anti join and FALSE, but only where the mark is never NULL: NOT IN over NULLs keeps its mark until
/// the translation, which has a null-aware anti join.
final class MarkFilter extends RelRule<RuleConfig> {
    static final RelOptRule INSTANCE = RuleConfig.of(
                    "MarkFilter",
                    MarkFilter::new,
                    filter -> filter.operand(LogicalFilter.class)
                            .oneInput(join -> join.operand(LogicalJoin.class)
                                    .predicate(j -> j.getJoinType() == JoinRelType.LEFT_MARK)
                                    .anyInputs()))
            .toRule();

    private MarkFilter(RuleConfig config) {
        super(config);
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
        LogicalFilter filter = call.rel(0);
        LogicalJoin join = call.rel(1);
        RexBuilder rex = join.getCluster().getRexBuilder();
        int mark = join.getRowType().getFieldCount() - 1;
        RelDataType markType = join.getRowType().getFieldList().get(mark).getType();
        JoinRelType kind = null;
        List<RexNode> rest = new ArrayList<>();
        for (RexNode conjunct : RelOptUtil.conjunctions(filter.getCondition())) {
            if (isMark(conjunct, mark)) {
                kind = JoinRelType.SEMI;
            } else if (conjunct.getKind() == SqlKind.NOT
                    && isMark(((RexCall) conjunct).getOperands().get(0), mark)
                    && !markType.isNullable()) {
                kind = JoinRelType.ANTI;
            } else if (RelOptUtil.InputFinder.bits(conjunct).get(mark)) {
                return;
            } else {
                rest.add(conjunct);
            }
        }
        if (kind == null) {
            return;
        }
        RelNode made = LogicalJoin.create(
                join.getLeft(), join.getRight(), join.getHints(), join.getCondition(), join.getVariablesSet(), kind);
        if (!rest.isEmpty()) {
            made = LogicalFilter.create(made, RexUtil.composeConjunction(rex, rest));
        }
        List<RexNode> fields = new ArrayList<>();
        for (int i = 0; i < mark; i++) {
            fields.add(rex.makeInputRef(made, i));
        }
        fields.add(rex.makeLiteral(kind == JoinRelType.SEMI, markType, true));
        call.transformTo(
                LogicalProject.create(made, List.of(), fields, join.getRowType().getFieldNames(), Set.of()));
    }

    private static boolean isMark(RexNode node, int mark) {
        return node instanceof RexInputRef reference && reference.getIndex() == mark;
    }
}
