package dev.chert.planner.rules;

import dev.chert.error.TableException;
import dev.chert.planner.joinorder.JoinOrder;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.hep.HepMatchOrder;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rel.rules.PruneEmptyRules;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql2rel.RelFieldTrimmer;
import org.apache.calcite.sql2rel.TopDownGeneralDecorrelator;
import org.apache.calcite.tools.RelBuilder;

/// Takes a query's algebra through the steps that make it run fast; the order of the steps is the order of the methods.
public final class Optimizer {
    /// Leaves mark joins alone: their mark may be NULL where their condition is, so that their type changes with it.
    private static final RelOptRule REDUCE_JOIN_CONDITION = CoreRules.JOIN_REDUCE_EXPRESSIONS
            .config
            .withOperandSupplier(join -> join.operand(Join.class)
                    .predicate(j -> j.getJoinType() != JoinRelType.LEFT_MARK)
                    .anyInputs())
            .toRule();

    /// Sub-queries become joins that add a mark, or correlations.
    private static final List<RelOptRule> SUB_QUERIES = List.of(
            CoreRules.FILTER_SUB_QUERY_TO_MARK_CORRELATE,
            CoreRules.PROJECT_SUB_QUERY_TO_MARK_CORRELATE,
            CoreRules.JOIN_SUB_QUERY_TO_CORRELATE,
            CorrelatedMark.INSTANCE);

    /// Predicates move down to where their columns come from, and everything is said once.
    private static final List<RelOptRule> NORMALIZE = List.of(
            FilterFactors.INSTANCE,
            CoreRules.FILTER_MERGE,
            CoreRules.FILTER_PROJECT_TRANSPOSE,
            CoreRules.FILTER_INTO_JOIN,
            CoreRules.JOIN_CONDITION_PUSH,
            CoreRules.FILTER_AGGREGATE_TRANSPOSE,
            CoreRules.FILTER_SET_OP_TRANSPOSE,
            CoreRules.FILTER_REDUCE_EXPRESSIONS,
            CoreRules.PROJECT_REDUCE_EXPRESSIONS,
            REDUCE_JOIN_CONDITION,
            CoreRules.PROJECT_MERGE,
            CoreRules.PROJECT_REMOVE,
            MarkFilter.INSTANCE,
            CoreRules.AGGREGATE_PROJECT_MERGE,
            CoreRules.UNION_MERGE,
            CoreRules.UNION_TO_DISTINCT,
            CoreRules.INTERSECT_TO_DISTINCT,
            CoreRules.MINUS_TO_DISTINCT,
            PruneEmptyRules.FILTER_INSTANCE,
            PruneEmptyRules.PROJECT_INSTANCE,
            PruneEmptyRules.SORT_INSTANCE,
            PruneEmptyRules.UNION_INSTANCE,
            PruneEmptyRules.JOIN_LEFT_INSTANCE,
            PruneEmptyRules.JOIN_RIGHT_INSTANCE,
            PruneEmptyRules.SORT_FETCH_ZERO_INSTANCE);

    private static final List<RelOptRule> CLEAN_UP =
            List.of(CoreRules.PROJECT_MERGE, CoreRules.PROJECT_REMOVE, CoreRules.FILTER_MERGE);

    private final Set<String> disabled;
    private final RelBuilder builder;

    /// @param disabled names of rules and steps that are left out; `all` leaves out all that a query can do without
    public Optimizer(RelOptCluster cluster, Set<String> disabled) {
        this.disabled = Set.copyOf(disabled);
        this.builder = RelFactories.LOGICAL_BUILDER.create(cluster, null);
    }

    public RelNode optimize(RelNode query) {
        RelNode rel = removeSubQueries(query);
        rel = normalize(rel);
        rel = orderJoins(rel);
        return cleanUp(rel);
    }

    private RelNode removeSubQueries(RelNode query) {
        if (!hasSubQuery(query)) {
            return query;
        }
        RelNode removed = run(SUB_QUERIES, query, true);
        RelNode decorrelated =
                hasCorrelate(removed) ? TopDownGeneralDecorrelator.decorrelateQuery(removed, builder) : removed;
        if (hasCorrelate(decorrelated)) {
            throw new TableException("a sub-query that refers to the query around it in this way is not supported;"
                    + " write it as a join");
        }
        return decorrelated;
    }

    private RelNode normalize(RelNode rel) {
        return run(NORMALIZE, rel, false);
    }

    private RelNode orderJoins(RelNode rel) {
        if (isDisabled("JoinOrder")) {
            return rel;
        }
        return new JoinOrder(builder, part -> run(NORMALIZE, part, false)).order(rel);
    }

    private RelNode cleanUp(RelNode rel) {
        RelNode trimmed = isDisabled("TrimFields") ? rel : new RelFieldTrimmer(null, builder).trim(rel);
        return run(CLEAN_UP, trimmed, true);
    }

    private boolean isDisabled(String step) {
        return disabled.contains(step) || disabled.contains("all");
    }

    private RelNode run(List<RelOptRule> rules, RelNode rel, boolean always) {
        HepProgramBuilder program = HepProgram.builder().addMatchOrder(HepMatchOrder.TOP_DOWN);
        List<RelOptRule> wanted = rules.stream()
                .filter(rule -> always || !isDisabled(rule.toString()))
                .toList();
        program.addRuleCollection(wanted);
        HepPlanner planner =
                new HepPlanner(program.build(), rel.getCluster().getPlanner().getContext());
        planner.setExecutor(rel.getCluster().getPlanner().getExecutor());
        planner.setRoot(rel);
        return planner.findBestExp();
    }

    private static boolean hasSubQuery(RelNode rel) {
        return new Search() {
            @Override
            boolean matches(RelNode node) {
                return switch (node) {
                    case Filter filter -> RexUtil.SubQueryFinder.find(filter.getCondition()) != null;
                    case Project project ->
                        project.getProjects().stream().anyMatch(e -> RexUtil.SubQueryFinder.find(e) != null);
                    case Join join -> RexUtil.SubQueryFinder.find(join.getCondition()) != null;
                    default -> false;
                };
            }
        }.in(rel);
    }

    private static boolean hasCorrelate(RelNode rel) {
        return new Search() {
            @Override
            boolean matches(RelNode node) {
                return node instanceof Correlate;
            }
        }.in(rel);
    }

    /// Looks for a node in a tree.
    private abstract static class Search extends RelVisitor {
        private boolean found;

        abstract boolean matches(RelNode node);

        boolean in(RelNode rel) {
            go(rel);
            return found;
        }

        @Override
        public void visit(RelNode node, int ordinal, RelNode parent) {
            found = found || matches(node);
            if (!found) {
                super.visit(node, ordinal, parent);
            }
        }
    }
}
