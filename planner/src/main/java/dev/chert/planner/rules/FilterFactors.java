package dev.chert.planner.rules;

import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/// Filter((a AND b) OR (a AND c)) => Filter(a AND (b OR c)): what all alternatives share can be pushed or joined on.
///
/// Leaves a predicate alone that has no common factor.
final class FilterFactors extends RelRule<RuleConfig> {
    static final RelOptRule INSTANCE = RuleConfig.of(
                    "FilterFactors",
                    FilterFactors::new,
                    filter -> filter.operand(LogicalFilter.class).anyInputs())
            .toRule();

    private FilterFactors(RuleConfig config) {
        super(config);
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
        LogicalFilter filter = call.rel(0);
        RexNode pulled = RexUtil.pullFactors(filter.getCluster().getRexBuilder(), filter.getCondition());
        if (pulled.equals(filter.getCondition())) {
            return;
        }
        call.transformTo(LogicalFilter.create(filter.getInput(), pulled));
    }
}
