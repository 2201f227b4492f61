package dev.chert.planner.rules;

import dev.chert.error.ChertException;
import dev.chert.error.TableException;
import dev.chert.error.ValidationException;
import dev.chert.planner.joinorder.JoinOrder;
import dev.chert.query.NearestName;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.rules.AggregateProjectMergeRule;
import org.apache.calcite.rel.rules.FilterAggregateTransposeRule;
import org.apache.calcite.rel.rules.FilterJoinRule.FilterIntoJoinRule.FilterIntoJoinRuleConfig;
import org.apache.calcite.rel.rules.FilterJoinRule.JoinConditionPushRule.JoinConditionPushRuleConfig;
import org.apache.calcite.rel.rules.FilterMergeRule;
import org.apache.calcite.rel.rules.FilterProjectTransposeRule;
import org.apache.calcite.rel.rules.FilterSetOpTransposeRule;
import org.apache.calcite.rel.rules.IntersectToDistinctRule;
import org.apache.calcite.rel.rules.MinusToDistinctRule;
import org.apache.calcite.rel.rules.ProjectMergeRule;
import org.apache.calcite.rel.rules.ProjectRemoveRule;
import org.apache.calcite.rel.rules.PruneEmptyRules;
import org.apache.calcite.rel.rules.SubQueryRemoveRule;
import org.apache.calcite.rel.rules.UnionMergeRule;
import org.apache.calcite.rel.rules.UnionToDistinctRule;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql2rel.RelFieldTrimmer;
import org.apache.calcite.sql2rel.TopDownGeneralDecorrelator;
import org.apache.calcite.tools.RelBuilder;

/// Takes a query's algebra through the steps that make it run fast; the order of the steps is the order of the methods.
public final class Optimizer {
    /// Sub-queries become joins that add a mark, or correlations.
    private static final List<RelOptRule> SUB_QUERIES = List.of(
            SubQueryRemoveRule.Config.FILTER_ENABLE_MARK_JOIN.toRule(),
            SubQueryRemoveRule.Config.PROJECT_ENABLE_MARK_JOIN.toRule(),
            SubQueryRemoveRule.Config.JOIN.toRule(),
            CorrelatedMark.INSTANCE);

    // Rules are made from their configurations: the class CoreRules makes all two hundred, which a cold start feels.

    /// Predicates move down to where their columns come from, and everything is said once.
    private static final List<RelOptRule> NORMALIZE = List.of(
            FilterFactors.INSTANCE,
            FilterMergeRule.Config.DEFAULT.toRule(),
            FilterProjectTransposeRule.Config.DEFAULT.toRule(),
            FilterIntoJoinRuleConfig.DEFAULT.toRule(),
            JoinConditionPushRuleConfig.DEFAULT.toRule(),
            FilterAggregateTransposeRule.Config.DEFAULT.toRule(),
            FilterSetOpTransposeRule.Config.DEFAULT.toRule(),
            Simplification.FILTER,
            Simplification.PROJECT,
            Simplification.JOIN,
            ProjectMergeRule.Config.DEFAULT.toRule(),
            ProjectRemoveRule.Config.DEFAULT.toRule(),
            MarkFilter.INSTANCE,
            AggregateProjectMergeRule.Config.DEFAULT.toRule(),
            PruneEmptyRules.FILTER_INSTANCE,
            PruneEmptyRules.PROJECT_INSTANCE,
            PruneEmptyRules.SORT_INSTANCE,
            PruneEmptyRules.UNION_INSTANCE,
            PruneEmptyRules.JOIN_LEFT_INSTANCE,
            PruneEmptyRules.JOIN_RIGHT_INSTANCE,
            PruneEmptyRules.SORT_FETCH_ZERO_INSTANCE);

    /// Set operations become unions and aggregates, which is all that the translation knows of them.
    private static final List<RelOptRule> SET_OPERATIONS = List.of(
            UnionMergeRule.Config.DEFAULT.toRule(),
            UnionToDistinctRule.Config.DEFAULT.toRule(),
            IntersectToDistinctRule.Config.DEFAULT.toRule(),
            MinusToDistinctRule.Config.DEFAULT.toRule());

    private static final List<RelOptRule> CLEAN_UP = List.of(
            ProjectMergeRule.Config.DEFAULT.toRule(),
            ProjectRemoveRule.Config.DEFAULT.toRule(),
            FilterMergeRule.Config.DEFAULT.toRule());

    private static final String CORRELATION =
            "a sub-query that refers to the query around it in this way is not supported; write it as a join";
    private static final String JOIN_ORDER = "JoinOrder";
    private static final String TRIM_FIELDS = "TrimFields";

    private final Set<String> disabled;
    private final RelBuilder builder;

    /// @param disabled names of rules and steps that are left out; `all` leaves out all that a query can do without
    /// @throws ValidationException where there is no rule or step of a name
    public Optimizer(RelOptCluster cluster, Set<String> disabled) {
        for (String name : disabled) {
            if (!name.equals("all") && !names().contains(name)) {
                throw new ValidationException("planner.disabled-rules: there is no rule '" + name + "'; did you mean '"
                        + NearestName.of(name, names()) + "'?");
            }
        }
        this.disabled = Set.copyOf(disabled);
        this.builder = RelFactories.LOGICAL_BUILDER.create(cluster, null);
    }

    /// The names of the rules and steps that can be left out.
    static Set<String> names() {
        Set<String> names = new TreeSet<>(Set.of(JOIN_ORDER, TRIM_FIELDS));
        NORMALIZE.forEach(rule -> names.add(rule.toString()));
        return names;
    }

    public RelNode optimize(RelNode query) {
        RelNode rel = removeSubQueries(query);
        if (hasSetOperation(rel)) {
            rel = run(SET_OPERATIONS, rel, true);
        }
        rel = normalize(rel);
        rel = orderJoins(rel);
        return cleanUp(rel);
    }

    private RelNode removeSubQueries(RelNode query) {
        if (!hasSubQuery(query)) {
            return query;
        }
        RelNode removed = run(SUB_QUERIES, query, true);
        if (!hasCorrelate(removed)) {
            return removed;
        }
        RelNode decorrelated = decorrelated(removed);
        if (hasCorrelate(decorrelated)) {
            throw new TableException(CORRELATION);
        }
        return decorrelated;
    }

    /// Calcite's decorrelation fails in many ways where it does not know a form.
    private RelNode decorrelated(RelNode correlated) {
        try {
            return TopDownGeneralDecorrelator.decorrelateQuery(correlated, builder);
        } catch (ChertException e) {
            throw e;
        } catch (RuntimeException | AssertionError e) {
            throw new TableException(CORRELATION, null, e);
        }
    }

    private RelNode normalize(RelNode rel) {
        return run(NORMALIZE, rel, false);
    }

    private RelNode orderJoins(RelNode rel) {
        if (isDisabled(JOIN_ORDER)) {
            return rel;
        }
        return new JoinOrder(builder, part -> run(NORMALIZE, part, false)).order(rel);
    }

    private RelNode cleanUp(RelNode rel) {
        RelNode trimmed = isDisabled(TRIM_FIELDS) ? rel : new RelFieldTrimmer(null, builder).trim(rel);
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

    private static boolean hasSetOperation(RelNode rel) {
        return new Search() {
            @Override
            boolean matches(RelNode node) {
                return node instanceof SetOp;
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
