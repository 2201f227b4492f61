package dev.chert.planner.joinorder;

import dev.chert.planner.joinorder.JoinGraph.Predicate;
import dev.chert.planner.joinorder.JoinGraph.Relation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/// Rows of a set of relations once they are joined, the same in whatever order that happened.
final class Cardinality {
    private static final double UNKNOWN_PREDICATE = 1.0 / 3;

    private final JoinGraph graph;
    private final Map<Long, Double> known = new HashMap<>();

    Cardinality(JoinGraph graph) {
        this.graph = graph;
    }

    double rows(long set) {
        return known.computeIfAbsent(set, this::compute);
    }

    private double compute(long set) {
        double rows = 1;
        for (Relation relation : graph.relations) {
            if ((set & relation.bit()) != 0 && !(relation.isFilter() && set != relation.bit())) {
                rows *= Math.max(1, relation.estimate.rows());
            }
        }
        if (Long.bitCount(set) == 1) {
            return rows;
        }
        for (BitSet equal : graph.classes) {
            rows *= equality(equal, set);
        }
        for (Predicate predicate : graph.predicates) {
            if ((predicate.relations() & ~set) == 0) {
                rows *= predicate(predicate.condition());
            }
        }
        for (Relation relation : graph.relations) {
            if ((set & relation.bit()) != 0 && relation.isFilter()) {
                double matched = matched(relation);
                rows *= relation.kind == JoinRelType.ANTI ? Math.max(0.05, 1 - matched) : matched;
            }
        }
        return Math.max(1, rows);
    }

    /// Of n equal columns all but the one with the fewest values divide the rows, one column a relation.
    private double equality(BitSet equal, long set) {
        List<Double> distinct = new ArrayList<>();
        long seen = 0;
        for (int column = equal.nextSetBit(0); column >= 0; column = equal.nextSetBit(column + 1)) {
            Relation relation = graph.relationOf(column);
            if ((set & relation.bit()) != 0 && (seen & relation.bit()) == 0) {
                seen |= relation.bit();
                distinct.add(distinct(column));
            }
        }
        if (distinct.size() < 2) {
            return 1;
        }
        distinct.sort(null);
        double share = 1;
        for (int i = 1; i < distinct.size(); i++) {
            share /= distinct.get(i);
        }
        return share;
    }

    private double distinct(int column) {
        Relation relation = graph.relationOf(column);
        return Math.max(1, relation.estimate.distinct(column - relation.firstColumn));
    }

    private double predicate(RexNode condition) {
        if (condition.getKind() == SqlKind.EQUALS && condition instanceof RexCall call) {
            double most = 1;
            for (RexNode operand : call.getOperands()) {
                double distinct = 1;
                for (int column : RelOptUtil.InputFinder.bits(operand)) {
                    distinct = Math.max(distinct, distinct(column));
                }
                most = Math.max(most, distinct);
            }
            return 1 / most;
        }
        return condition.getKind() == SqlKind.NOT_EQUALS ? 0.9 : UNKNOWN_PREDICATE;
    }

    /// The share of rows that have a match in the right side of a semi join.
    private double matched(Relation right) {
        double share = 1;
        boolean equality = false;
        for (RexNode conjunct : RelOptUtil.conjunctions(right.condition)) {
            if (conjunct.getKind() == SqlKind.EQUALS
                    && conjunct instanceof RexCall call
                    && call.getOperands().get(0) instanceof RexInputRef one
                    && call.getOperands().get(1) instanceof RexInputRef other) {
                boolean swapped = graph.relationOf(one.getIndex()) == right;
                int left = (swapped ? other : one).getIndex();
                int own = (swapped ? one : other).getIndex();
                share = Math.min(share, distinct(own) / distinct(left));
                equality = true;
            }
        }
        return equality ? share : 0.5;
    }
}
