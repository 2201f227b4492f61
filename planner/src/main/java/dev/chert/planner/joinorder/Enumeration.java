package dev.chert.planner.joinorder;

import dev.chert.planner.joinorder.JoinGraph.Relation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlKind;

/// Finds the cheapest order of a graph's joins.
final class Enumeration {
    /// Pairs of connected sub-graphs that are looked at before the search becomes greedy: a clique of ten relations has
    /// about 30,000, a chain or star of twelve less.
    static final int PAIR_BUDGET = 40_000;

    /// Putting a row into a table costs this many times a probe.
    private static final double BUILD = 2;

    /// Making a row of the output costs this much of a probe.
    private static final double OUTPUT = 0.5;

    /// A tree of joins over a set of relations.
    sealed interface Tree {
        long relations();

        double rows();

        double cost();
    }

    record Leaf(Relation relation, double rows) implements Tree {
        @Override
        public long relations() {
            return relation.bit();
        }

        @Override
        public double cost() {
            return 0;
        }
    }

    /// @param left  the probe side
    /// @param right the build side; the right side of a semi join
    record Node(Tree left, Tree right, long relations, double rows, double cost) implements Tree {}

    private final JoinGraph graph;
    private final Cardinality cardinality;
    private final long[] neighbours;
    private final int budget;
    private final Map<Long, Tree> best = new HashMap<>();
    private int pairs;

    Enumeration(JoinGraph graph, int budget) {
        this.graph = graph;
        this.cardinality = new Cardinality(graph);
        this.neighbours = graph.neighbours();
        this.budget = budget;
    }

    Tree run() {
        int count = graph.relations.size();
        for (Relation relation : graph.relations) {
            best.put(relation.bit(), new Leaf(relation, Math.max(1, relation.estimate.rows())));
        }
        long all = count == Long.SIZE ? -1L : (1L << count) - 1;
        for (int i = count - 1; i >= 0 && pairs <= budget; i--) {
            long start = 1L << i;
            emitSubgraph(start);
            growSubgraph(start, (start << 1) - 1);
        }
        Tree tree = pairs <= budget ? best.get(all) : null;
        return tree != null ? tree : greedy();
    }

    private long neighbourhood(long set) {
        long around = 0;
        for (long rest = set; rest != 0; rest &= rest - 1) {
            around |= neighbours[Long.numberOfTrailingZeros(rest)];
        }
        return around & ~set;
    }

    /// Grows a connected sub-graph by every subset of its neighbours that are not excluded.
    private void growSubgraph(long set, long excluded) {
        long around = neighbourhood(set) & ~excluded;
        if (around == 0 || pairs > budget) {
            return;
        }
        for (long subset = around & -around; subset != 0; subset = (subset - around) & around) {
            emitSubgraph(set | subset);
        }
        for (long subset = around & -around; subset != 0; subset = (subset - around) & around) {
            growSubgraph(set | subset, excluded | around);
        }
    }

    /// Pairs a sub-graph with its connected complements.
    private void emitSubgraph(long set) {
        long excluded = set | ((set & -set) << 1) - 1;
        long around = neighbourhood(set) & ~excluded;
        for (long rest = around; rest != 0 && pairs <= budget; ) {
            long start = Long.highestOneBit(rest);
            rest &= ~start;
            emitPair(set, start);
            growComplement(set, start, excluded | around & (start | start - 1));
        }
    }

    private void growComplement(long set, long complement, long excluded) {
        long around = neighbourhood(complement) & ~excluded;
        if (around == 0 || pairs > budget) {
            return;
        }
        for (long subset = around & -around; subset != 0; subset = (subset - around) & around) {
            emitPair(set, complement | subset);
        }
        for (long subset = around & -around; subset != 0; subset = (subset - around) & around) {
            growComplement(set, complement | subset, excluded | around);
        }
    }

    private void emitPair(long one, long other) {
        pairs++;
        Tree left = best.get(one);
        Tree right = best.get(other);
        if (left == null || right == null) {
            return;
        }
        Tree joined = join(left, right);
        if (joined != null) {
            best.merge(joined.relations(), joined, (old, made) -> made.cost() < old.cost() ? made : old);
        }
    }

    /// The join of two trees with its sides in place, or null where a semi join forbids it.
    private Tree join(Tree one, Tree other) {
        Relation oneFilter = filter(one);
        Relation otherFilter = filter(other);
        if (oneFilter != null && otherFilter != null) {
            return null;
        }
        Tree left = one;
        Tree right = other;
        if (oneFilter != null) {
            left = other;
            right = one;
        } else if (otherFilter == null && one.rows() < other.rows()) {
            left = other;
            right = one;
        }
        Relation filter = oneFilter != null ? oneFilter : otherFilter;
        if (filter != null && (filter.needs & ~left.relations()) != 0) {
            return null;
        }
        long set = one.relations() | other.relations();
        double rows = cardinality.rows(set);
        double probe = Math.max(left.rows(), right.rows());
        double build = Math.min(left.rows(), right.rows());
        double own = isConnected(left, right) ? probe + BUILD * build + OUTPUT * rows : probe * build + rows;
        return new Node(left, right, set, rows, left.cost() + right.cost() + own);
    }

    private static Relation filter(Tree tree) {
        return tree instanceof Leaf leaf && leaf.relation().isFilter() ? leaf.relation() : null;
    }

    /// Whether a hash join can be made of it, rather than a product.
    private boolean isConnected(Tree left, Tree right) {
        Relation filter = filter(right);
        if (filter != null) {
            return true;
        }
        return graph.classes.stream().anyMatch(equal -> touches(equal, left) && touches(equal, right))
                || graph.predicates.stream()
                        .anyMatch(p -> p.condition().getKind() == SqlKind.EQUALS
                                && (p.relations() & left.relations()) != 0
                                && (p.relations() & right.relations()) != 0
                                && (p.relations() & ~(left.relations() | right.relations())) == 0);
    }

    private boolean touches(BitSet equal, Tree tree) {
        for (int column = equal.nextSetBit(0); column >= 0; column = equal.nextSetBit(column + 1)) {
            if ((graph.relationOf(column).bit() & tree.relations()) != 0) {
                return true;
            }
        }
        return false;
    }

    /// Joins, again and again, the two trees whose join has the fewest rows.
    private Tree greedy() {
        List<Tree> trees = new ArrayList<>();
        for (Relation relation : graph.relations) {
            trees.add(new Leaf(relation, Math.max(1, relation.estimate.rows())));
        }
        while (trees.size() > 1) {
            Tree chosen = null;
            int left = 0;
            int right = 0;
            boolean chosenIsProduct = true;
            for (int i = 0; i < trees.size(); i++) {
                for (int j = i + 1; j < trees.size(); j++) {
                    Tree joined = join(trees.get(i), trees.get(j));
                    if (joined == null) {
                        continue;
                    }
                    boolean product = (neighbourhood(trees.get(i).relations())
                                    & trees.get(j).relations())
                            == 0;
                    if (chosen == null
                            || chosenIsProduct && !product
                            || chosenIsProduct == product && joined.rows() < chosen.rows()) {
                        chosen = joined;
                        chosenIsProduct = product;
                        left = i;
                        right = j;
                    }
                }
            }
            if (chosen == null) {
                throw new IllegalStateException("a graph of joins without an order");
            }
            trees.remove(right);
            trees.set(left, chosen);
        }
        return trees.getFirst();
    }
}
