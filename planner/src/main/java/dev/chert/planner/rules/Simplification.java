package dev.chert.planner.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.plan.RelOptPredicateList;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSimplify;
import org.apache.calcite.rex.RexUnknownAs;
import org.apache.calcite.sql.SqlKind;

/// Filter(p), Project(e), Join(p) => the same over simpler expressions, with constants computed.
///
/// Calcite's own rules ask for all predicates known of the input first, which costs more planning than it saves
/// here. Leaves the condition of a mark join alone: the mark may be NULL where the condition is, so its type
/// changes with it.
final class Simplification extends RelRule<RuleConfig> {
    static final RelOptRule FILTER = RuleConfig.of(
                    "SimplifyFilter",
                    config -> new Simplification(config, Simplification::filter),
                    filter -> filter.operand(LogicalFilter.class).anyInputs())
            .toRule();
    static final RelOptRule PROJECT = RuleConfig.of(
                    "SimplifyProject",
                    config -> new Simplification(config, Simplification::project),
                    project -> project.operand(LogicalProject.class).anyInputs())
            .toRule();
    static final RelOptRule JOIN = RuleConfig.of(
                    "SimplifyJoin",
                    config -> new Simplification(config, Simplification::join),
                    join -> join.operand(LogicalJoin.class)
                            .predicate(j -> j.getJoinType() != JoinRelType.LEFT_MARK)
                            .anyInputs())
            .toRule();

    private static final ConstantFolder FOLDER = new ConstantFolder();

    private final Function<RelOptRuleCall, RelNode> simplify;

    /// @param simplify the simpler node, or null where it is simple enough
    private Simplification(RuleConfig config, Function<RelOptRuleCall, RelNode> simplify) {
        super(config);
        this.simplify = simplify;
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
        RelNode simpler = simplify.apply(call);
        if (simpler != null) {
            call.transformTo(simpler);
        }
    }

    private static RelNode filter(RelOptRuleCall call) {
        LogicalFilter filter = call.rel(0);
        RexNode simple = condition(filter.getCondition(), filter.getCluster().getRexBuilder());
        return simple.equals(filter.getCondition())
                ? null
                : call.builder().push(filter.getInput()).filter(simple).build();
    }

    private static RelNode join(RelOptRuleCall call) {
        LogicalJoin join = call.rel(0);
        RexNode simple = condition(join.getCondition(), join.getCluster().getRexBuilder());
        return simple.equals(join.getCondition())
                ? null
                : join.copy(join.getTraitSet(), simple, join.getLeft(), join.getRight(), join.getJoinType(), false);
    }

    private static RelNode project(RelOptRuleCall call) {
        LogicalProject project = call.rel(0);
        RexBuilder rex = project.getCluster().getRexBuilder();
        RexSimplify simplifier = simplifier(rex);
        List<RexNode> simple = new ArrayList<>();
        for (RexNode expression : project.getProjects()) {
            simple.add(simplifier.simplifyPreservingType(folded(expression, rex)));
        }
        return simple.equals(project.getProjects())
                ? null
                : LogicalProject.create(
                        project.getInput(),
                        project.getHints(),
                        simple,
                        project.getRowType(),
                        project.getVariablesSet());
    }

    private static RexNode condition(RexNode condition, RexBuilder rex) {
        return simplifier(rex).simplifyUnknownAs(folded(condition, rex), RexUnknownAs.FALSE);
    }

    private static RexSimplify simplifier(RexBuilder rex) {
        return new RexSimplify(rex, RelOptPredicateList.EMPTY, FOLDER);
    }

    /// With every call over constants computed, as far as the folder knows how.
    private static RexNode folded(RexNode node, RexBuilder rex) {
        return node.accept(new RexShuttle() {
            @Override
            public RexNode visitCall(RexCall call) {
                RexNode visited = LosslessCasts.removed(super.visitCall(call), rex);
                if (!(visited instanceof RexCall made)
                        || made.getKind() == SqlKind.SEARCH
                        || made.getOperands().isEmpty()
                        || !made.getOperands().stream().allMatch(RexLiteral.class::isInstance)) {
                    return visited;
                }
                List<RexNode> reduced = new ArrayList<>();
                FOLDER.reduce(rex, List.of(made), reduced);
                return reduced.getFirst();
            }
        });
    }
}
