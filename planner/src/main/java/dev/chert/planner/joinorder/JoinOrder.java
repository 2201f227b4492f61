package dev.chert.planner.joinorder;

import dev.chert.planner.joinorder.Enumeration.Leaf;
import dev.chert.planner.joinorder.Enumeration.Node;
import dev.chert.planner.joinorder.Enumeration.Tree;
import dev.chert.planner.joinorder.JoinGraph.Predicate;
import dev.chert.planner.joinorder.JoinGraph.Relation;
import dev.chert.planner.statistics.Estimator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.tools.RelBuilder;

/// Puts the joins of a query into the order that costs least.
public final class JoinOrder {
    private final RexBuilder rex;
    private final UnaryOperator<RelNode> pushDown;
    private final Estimator estimator = new Estimator();

    /// @param builder  of the query
    /// @param pushDown moves a filter at the top of a tree down in it
    public JoinOrder(RelBuilder builder, UnaryOperator<RelNode> pushDown) {
        this.rex = builder.getRexBuilder();
        this.pushDown = pushDown;
    }

    /// The same rows in the same columns.
    public RelNode order(RelNode rel) {
        if (JoinGraph.isRoot(rel)) {
            return orderRoot(rel);
        }
        List<RelNode> inputs = new ArrayList<>();
        boolean changed = false;
        for (RelNode input : rel.getInputs()) {
            RelNode ordered = order(input);
            inputs.add(ordered);
            changed |= ordered != input;
        }
        return changed ? rel.copy(rel.getTraitSet(), inputs) : rel;
    }

    private RelNode orderRoot(RelNode root) {
        JoinGraph graph = new JoinGraph(rex);
        int[] output = graph.add(root);
        for (Relation relation : graph.relations) {
            relation.rel = order(filtered(relation));
        }
        graph.estimate(estimator);
        Tree tree = new Enumeration(graph, Enumeration.PAIR_BUDGET).run();
        Built built = new Builder(graph).build(tree);
        return projected(built, output, root);
    }

    private RelNode filtered(Relation relation) {
        if (relation.filters.isEmpty()) {
            return relation.rel;
        }
        RexNode condition = RexUtil.composeConjunction(rex, relation.filters).accept(new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef reference) {
                return new RexInputRef(reference.getIndex() - relation.firstColumn, reference.getType());
            }
        });
        return pushDown.apply(LogicalFilter.create(relation.rel, condition));
    }

    private RelNode projected(Built built, int[] output, RelNode root) {
        List<RexNode> fields = new ArrayList<>();
        for (int i = 0; i < output.length; i++) {
            fields.add(new RexInputRef(
                    built.indexOf(output[i]),
                    root.getRowType().getFieldList().get(i).getType()));
        }
        return LogicalProject.create(
                built.rel(), List.of(), fields, root.getRowType().getFieldNames(), Set.of());
    }

    /// A tree that is built, with the global column of each of its fields.
    private record Built(RelNode rel, int[] columns) {
        int indexOf(int column) {
            for (int i = 0; i < columns.length; i++) {
                if (columns[i] == column) {
                    return i;
                }
            }
            throw new IllegalStateException("column " + column + " is not in this join");
        }
    }

    private final class Builder {
        private final JoinGraph graph;

        Builder(JoinGraph graph) {
            this.graph = graph;
        }

        Built build(Tree tree) {
            return switch (tree) {
                case Leaf leaf -> leaf(leaf.relation());
                case Node node -> join(node);
            };
        }

        private Built leaf(Relation relation) {
            int[] columns = new int[relation.rel.getRowType().getFieldCount()];
            for (int i = 0; i < columns.length; i++) {
                columns[i] = relation.firstColumn + i;
            }
            return new Built(relation.rel, columns);
        }

        private Built join(Node node) {
            Built left = build(node.left());
            Built right = build(node.right());
            int[] both = new int[left.columns().length + right.columns().length];
            System.arraycopy(left.columns(), 0, both, 0, left.columns().length);
            System.arraycopy(right.columns(), 0, both, left.columns().length, right.columns().length);
            Relation filter =
                    node.right() instanceof Leaf leaf && leaf.relation().isFilter() ? leaf.relation() : null;
            RexNode global = filter != null
                    ? filter.condition
                    : condition(node.left().relations(), node.right().relations());
            Built pair = new Built(left.rel(), both);
            RexNode local = global.accept(new RexShuttle() {
                @Override
                public RexNode visitInputRef(RexInputRef reference) {
                    return new RexInputRef(pair.indexOf(reference.getIndex()), reference.getType());
                }
            });
            JoinRelType kind = filter == null ? JoinRelType.INNER : filter.kind;
            RelNode joined = LogicalJoin.create(left.rel(), right.rel(), List.of(), local, Set.of(), kind);
            return new Built(joined, filter == null ? both : left.columns());
        }

        private RexNode condition(long left, long right) {
            List<RexNode> conditions = new ArrayList<>();
            for (BitSet equal : graph.classes) {
                int one = member(equal, left);
                int other = member(equal, right);
                if (one >= 0 && other >= 0) {
                    conditions.add(graph.equal(one, other));
                }
            }
            for (Predicate predicate : graph.predicates) {
                if ((predicate.relations() & ~(left | right)) == 0
                        && (predicate.relations() & left) != 0
                        && (predicate.relations() & right) != 0) {
                    conditions.add(predicate.condition());
                }
            }
            return RexUtil.composeConjunction(rex, conditions);
        }

        /// A column of the class in one of the relations, or -1.
        private int member(BitSet equal, long relations) {
            for (int column = equal.nextSetBit(0); column >= 0; column = equal.nextSetBit(column + 1)) {
                if ((graph.relationOf(column).bit() & relations) != 0) {
                    return column;
                }
            }
            return -1;
        }
    }
}
