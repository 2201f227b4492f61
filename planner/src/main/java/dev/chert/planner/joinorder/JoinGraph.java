package dev.chert.planner.joinorder;

import dev.chert.planner.statistics.Estimate;
import dev.chert.planner.statistics.Estimator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/// A tree of joins taken apart: relations, what restricts each, and what connects them.
///
/// Columns of all relations are numbered through ("global columns"); every expression here is over those numbers. Sets
/// of relations are bits of a `long`.
final class JoinGraph {
    /// More do not fit the bits of a set.
    static final int MOST_RELATIONS = 62;

    /// One input of the joins.
    static final class Relation {
        final int index;
        final int firstColumn;
        final JoinRelType kind;
        RelNode rel;
        final List<RexNode> filters = new ArrayList<>();
        /// Of a semi or anti join: what is compared, and the relations that must be there before it.
        RexNode condition;
        long needs;
        Estimate estimate;

        Relation(int index, int firstColumn, JoinRelType kind, RelNode rel) {
            this.index = index;
            this.firstColumn = firstColumn;
            this.kind = kind;
            this.rel = rel;
        }

        long bit() {
            return 1L << index;
        }

        boolean isFilter() {
            return kind != JoinRelType.INNER;
        }
    }

    /// A condition over several relations that is no equality of two columns.
    record Predicate(RexNode condition, long relations) {}

    final List<Relation> relations = new ArrayList<>();
    final List<Predicate> predicates = new ArrayList<>();
    /// Global columns that are equal to each other in every row of the result.
    final List<BitSet> classes = new ArrayList<>();
    final List<RelDataType> columnTypes = new ArrayList<>();

    private final RexBuilder rex;
    private final List<RexNode> conjuncts = new ArrayList<>();

    JoinGraph(RexBuilder rex) {
        this.rex = rex;
    }

    /// True of a node that can be the top of a tree of joins.
    static boolean isRoot(RelNode rel) {
        return rel instanceof Join join && isOrdered(join)
                || rel instanceof Filter filter && filter.getInput() instanceof Join input && isOrdered(input);
    }

    private static boolean isOrdered(Join join) {
        return join.getJoinType() == JoinRelType.INNER
                || join.getJoinType() == JoinRelType.SEMI
                || join.getJoinType() == JoinRelType.ANTI;
    }

    /// Takes a tree apart.
    ///
    /// @return the global column of each output field
    int[] add(RelNode rel) {
        int[] output = collect(rel);
        conjuncts.forEach(this::classify);
        equateKnown();
        equalWithinRelation();
        copyFilters();
        return output;
    }

    private int[] collect(RelNode rel) {
        if (relations.size() >= MOST_RELATIONS - 1) {
            return leaf(rel, JoinRelType.INNER);
        }
        if (rel instanceof Filter filter && !RexUtil.containsCorrelation(filter.getCondition())) {
            int[] input = collect(filter.getInput());
            addConjuncts(filter.getCondition(), input);
            return input;
        }
        if (rel instanceof Project project && project.getProjects().stream().allMatch(RexInputRef.class::isInstance)) {
            int[] input = collect(project.getInput());
            return project.getProjects().stream()
                    .mapToInt(e -> input[((RexInputRef) e).getIndex()])
                    .toArray();
        }
        if (rel instanceof Join join && isOrdered(join)) {
            int before = relations.size();
            int[] left = collect(join.getLeft());
            long leftRelations = bits(before, relations.size());
            if (join.getJoinType() == JoinRelType.INNER) {
                int[] both = concat(left, collect(join.getRight()));
                addConjuncts(join.getCondition(), both);
                return both;
            }
            Relation right = relation(join.getRight(), join.getJoinType());
            int[] both = concat(left, columns(right));
            right.condition = global(join.getCondition(), both);
            right.needs = relationsOf(right.condition) & leftRelations;
            if (right.needs == 0) {
                right.needs = leftRelations & ~filters();
            }
            return left;
        }
        return leaf(rel, JoinRelType.INNER);
    }

    private int[] leaf(RelNode rel, JoinRelType kind) {
        return columns(relation(rel, kind));
    }

    private Relation relation(RelNode rel, JoinRelType kind) {
        Relation relation = new Relation(relations.size(), columnTypes.size(), kind, rel);
        relations.add(relation);
        rel.getRowType().getFieldList().forEach(f -> columnTypes.add(f.getType()));
        return relation;
    }

    private static int[] columns(Relation relation) {
        int[] columns = new int[relation.rel.getRowType().getFieldCount()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = relation.firstColumn + i;
        }
        return columns;
    }

    private long filters() {
        long bits = 0;
        for (Relation relation : relations) {
            bits |= relation.isFilter() ? relation.bit() : 0;
        }
        return bits;
    }

    private static long bits(int from, int to) {
        long bits = 0;
        for (int i = from; i < to; i++) {
            bits |= 1L << i;
        }
        return bits;
    }

    private static int[] concat(int[] left, int[] right) {
        int[] both = Arrays.copyOf(left, left.length + right.length);
        System.arraycopy(right, 0, both, left.length, right.length);
        return both;
    }

    private void addConjuncts(RexNode condition, int[] columns) {
        RexNode pulled = RexUtil.pullFactors(rex, global(condition, columns));
        conjuncts.addAll(RelOptUtil.conjunctions(pulled));
    }

    private RexNode global(RexNode node, int[] columns) {
        return node.accept(new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef reference) {
                int column = columns[reference.getIndex()];
                return new RexInputRef(column, columnTypes.get(column));
            }
        });
    }

    /// The relation that a global column belongs to.
    Relation relationOf(int column) {
        int low = 0;
        int high = relations.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (relations.get(middle).firstColumn <= column) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return relations.get(low);
    }

    long relationsOf(RexNode node) {
        long bits = 0;
        for (int column : RelOptUtil.InputFinder.bits(node)) {
            bits |= relationOf(column).bit();
        }
        return bits;
    }

    private void classify(RexNode conjunct) {
        long used = relationsOf(conjunct);
        if (Long.bitCount(used) <= 1) {
            int index = used == 0 ? 0 : Long.numberOfTrailingZeros(used);
            addFilter(relations.get(index), conjunct);
            return;
        }
        if (conjunct.getKind() == SqlKind.EQUALS
                && conjunct instanceof RexCall call
                && call.getOperands().get(0) instanceof RexInputRef left
                && call.getOperands().get(1) instanceof RexInputRef right) {
            equate(left.getIndex(), right.getIndex());
            return;
        }
        predicates.add(new Predicate(conjunct, used));
        for (Relation relation : relations) {
            if ((used & relation.bit()) != 0) {
                RexNode implied = implied(conjunct, relation);
                if (implied != null) {
                    addFilter(relation, implied);
                }
            }
        }
    }

    /// `a IS NOT DISTINCT FROM b` is an equality where one of them cannot be NULL: by its type, or because it is equal
    /// to something.
    private void equateKnown() {
        boolean changed = true;
        while (changed) {
            changed = predicates.removeIf(predicate -> {
                if (predicate.condition().getKind() == SqlKind.IS_NOT_DISTINCT_FROM
                        && predicate.condition() instanceof RexCall call
                        && call.getOperands().get(0) instanceof RexInputRef left
                        && call.getOperands().get(1) instanceof RexInputRef right
                        && (isKnown(left) || isKnown(right))) {
                    equate(left.getIndex(), right.getIndex());
                    return true;
                }
                return false;
            });
        }
    }

    private boolean isKnown(RexInputRef reference) {
        Relation relation = relationOf(reference.getIndex());
        return !reference.getType().isNullable()
                || classOf(reference.getIndex()) != null
                || NotNull.is(relation.rel, reference.getIndex() - relation.firstColumn);
    }

    private static void addFilter(Relation relation, RexNode filter) {
        if (!filter.isAlwaysTrue() && !relation.filters.contains(filter)) {
            relation.filters.add(filter);
        }
    }

    private void equate(int left, int right) {
        BitSet a = classOf(left);
        BitSet b = classOf(right);
        if (a == null && b == null) {
            BitSet both = new BitSet();
            both.set(left);
            both.set(right);
            classes.add(both);
        } else if (a == null) {
            b.set(left);
        } else if (b == null) {
            a.set(right);
        } else if (a != b) {
            a.or(b);
            classes.removeIf(c -> c == b);
        }
    }

    private BitSet classOf(int column) {
        for (BitSet equal : classes) {
            if (equal.get(column)) {
                return equal;
            }
        }
        return null;
    }

    /// What an OR over several relations says of one alone: `(n1 = 'a' AND n2 = 'b') OR (n1 = 'b' AND n2 = 'a')` says
    /// `n1 = 'a' OR n1 = 'b'` of the first. Null where it says nothing.
    private RexNode implied(RexNode conjunct, Relation relation) {
        if (conjunct.getKind() != SqlKind.OR) {
            return null;
        }
        List<RexNode> alternatives = new ArrayList<>();
        for (RexNode alternative : RelOptUtil.disjunctions(conjunct)) {
            List<RexNode> own = RelOptUtil.conjunctions(alternative).stream()
                    .filter(c -> relationsOf(c) == relation.bit())
                    .toList();
            if (own.isEmpty()) {
                return null;
            }
            alternatives.add(RexUtil.composeConjunction(rex, own));
        }
        return RexUtil.composeDisjunction(rex, alternatives);
    }

    /// A class with several columns of one relation restricts that relation.
    private void equalWithinRelation() {
        for (BitSet equal : classes) {
            for (Relation relation : relations) {
                int end = relation.firstColumn + relation.rel.getRowType().getFieldCount();
                int first = equal.nextSetBit(relation.firstColumn);
                if (first < 0 || first >= end) {
                    continue;
                }
                for (int next = equal.nextSetBit(first + 1);
                        next >= 0 && next < end;
                        next = equal.nextSetBit(next + 1)) {
                    addFilter(relation, equal(first, next));
                }
            }
        }
    }

    /// What is said of one column holds for all that are equal to it.
    private void copyFilters() {
        for (Relation relation : relations) {
            for (RexNode filter : List.copyOf(relation.filters)) {
                var used = RelOptUtil.InputFinder.bits(filter);
                if (used.cardinality() != 1) {
                    continue;
                }
                int column = used.nth(0);
                BitSet equal = classOf(column);
                if (equal == null) {
                    continue;
                }
                for (int other = equal.nextSetBit(0); other >= 0; other = equal.nextSetBit(other + 1)) {
                    Relation target = relationOf(other);
                    if (other != column
                            && columnTypes.get(other).getSqlTypeName()
                                    == columnTypes.get(column).getSqlTypeName()) {
                        addFilter(target, replaced(filter, column, other));
                    }
                }
            }
        }
    }

    private RexNode replaced(RexNode filter, int column, int other) {
        return filter.accept(new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef reference) {
                return reference.getIndex() == column ? new RexInputRef(other, columnTypes.get(other)) : reference;
            }
        });
    }

    RexNode equal(int left, int right) {
        return rex.makeCall(
                SqlStdOperatorTable.EQUALS,
                new RexInputRef(left, columnTypes.get(left)),
                new RexInputRef(right, columnTypes.get(right)));
    }

    /// Asks for the rows of every relation; its filters are in it by then.
    void estimate(Estimator estimator) {
        for (Relation relation : relations) {
            relation.estimate = estimator.estimate(relation.rel);
        }
    }

    /// Relations that something connects with each relation.
    long[] neighbours() {
        long[] neighbours = new long[relations.size()];
        for (BitSet equal : classes) {
            long members = 0;
            for (int column = equal.nextSetBit(0); column >= 0; column = equal.nextSetBit(column + 1)) {
                members |= relationOf(column).bit();
            }
            connect(neighbours, members);
        }
        for (Predicate predicate : predicates) {
            if (Long.bitCount(predicate.relations()) == 2) {
                connect(neighbours, predicate.relations());
            }
        }
        for (Relation relation : relations) {
            if (relation.isFilter()) {
                for (int other = 0; other < relations.size(); other++) {
                    if ((relation.needs >> other & 1) != 0) {
                        connect(neighbours, relation.bit() | 1L << other);
                    }
                }
            }
        }
        connectComponents(neighbours);
        return neighbours;
    }

    private static void connect(long[] neighbours, long members) {
        for (int i = 0; i < neighbours.length; i++) {
            if ((members >> i & 1) != 0) {
                neighbours[i] |= members & ~(1L << i);
            }
        }
    }

    /// Relations that nothing connects are joined to the rest by a product.
    private void connectComponents(long[] neighbours) {
        long reached = reachable(neighbours, 1);
        for (int i = 0; i < neighbours.length; i++) {
            if ((reached >> i & 1) == 0) {
                long component = reachable(neighbours, 1L << i);
                int from = smallest(reached);
                int to = smallest(component);
                neighbours[from] |= 1L << to;
                neighbours[to] |= 1L << from;
                reached |= component;
            }
        }
    }

    private int smallest(long members) {
        int best = -1;
        for (Relation relation : relations) {
            if ((members & relation.bit()) != 0
                    && !relation.isFilter()
                    && (best < 0
                            || relation.estimate.rows()
                                    < relations.get(best).estimate.rows())) {
                best = relation.index;
            }
        }
        return best;
    }

    private static long reachable(long[] neighbours, long from) {
        long reached = from;
        long grown = from;
        while (grown != 0) {
            long next = 0;
            for (int i = 0; i < neighbours.length; i++) {
                if ((grown >> i & 1) != 0) {
                    next |= neighbours[i];
                }
            }
            grown = next & ~reached;
            reached |= next;
        }
        return reached;
    }
}
