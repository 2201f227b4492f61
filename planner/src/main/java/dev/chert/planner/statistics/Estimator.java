package dev.chert.planner.statistics;

import dev.chert.batch.DataType;
import dev.chert.batch.TypeKind;
import dev.chert.source.Statistics;
import dev.chert.source.Statistics.ColumnStatistics;
import dev.chert.source.TableSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinInfo;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/// Guesses rows and distinct values of every node of a tree. Remembers each node that it was asked about.
public final class Estimator {
    /// Rows of a table that says nothing of itself.
    private static final double UNKNOWN_ROWS = 10_000;

    /// Up to so many rows a column without statistics is taken for a name, which is different in each.
    private static final double FEW_ROWS = 100;

    private final Map<RelNode, Estimate> known = new IdentityHashMap<>();

    public Estimate estimate(RelNode rel) {
        Estimate estimate = known.get(rel);
        if (estimate == null) {
            estimate = compute(rel);
            known.put(rel, estimate);
        }
        return estimate;
    }

    private Estimate compute(RelNode rel) {
        return switch (rel) {
            case TableScan scan -> scan(scan);
            case Filter filter -> filter(estimate(filter.getInput()), filter.getCondition());
            case Project project -> project(project);
            case Join join -> join(join);
            case Aggregate aggregate -> aggregate(aggregate);
            case Sort sort -> sort(sort);
            case Union union -> union(union);
            case Values values -> values(values);
            default -> rel.getInputs().size() == 1 ? widened(rel) : unknown(rel, UNKNOWN_ROWS);
        };
    }

    private static Estimate unknown(RelNode rel, double rows) {
        return new Estimate(rows, Collections.nCopies(rel.getRowType().getFieldCount(), ColumnEstimate.unknown(rows)));
    }

    private Estimate widened(RelNode rel) {
        return unknown(rel, estimate(rel.getInput(0)).rows());
    }

    private static Estimate scan(TableScan scan) {
        TableSource source = scan.getTable().unwrap(TableSource.class);
        if (source == null) {
            return unknown(scan, UNKNOWN_ROWS);
        }
        Statistics statistics = source.statistics();
        double rows = statistics.rowCount().isKnown()
                ? Math.max(1, statistics.rowCount().value())
                : UNKNOWN_ROWS;
        List<ColumnEstimate> columns = new ArrayList<>();
        for (int i = 0; i < source.schema().size(); i++) {
            columns.add(column(statistics.columns().get(i), source.schema().type(i), rows));
        }
        return new Estimate(rows, columns);
    }

    private static ColumnEstimate column(ColumnStatistics statistics, DataType type, double rows) {
        double minimum = Literals.number(statistics.minimum());
        double maximum = Literals.number(statistics.maximum());
        boolean whole = type.kind().isInteger() || type.kind() == TypeKind.DATE;
        double distinct;
        boolean counted = true;
        if (statistics.distinctCount().isKnown()) {
            distinct = statistics.distinctCount().value();
        } else if (whole && !Double.isNaN(minimum) && !Double.isNaN(maximum)) {
            distinct = Math.min(rows, maximum - minimum + 1);
        } else {
            distinct = Math.max(Math.min(rows, FEW_ROWS), Math.sqrt(rows));
            counted = rows <= FEW_ROWS;
        }
        double nulls = statistics.nullCount().isKnown()
                ? Math.min(1, statistics.nullCount().value() / rows)
                : 0;
        return new ColumnEstimate(Math.clamp(distinct, 1, rows), minimum, maximum, nulls, counted);
    }

    /// The rows of `input` for which `condition` is true.
    public static Estimate filter(Estimate input, RexNode condition) {
        double share = Selectivity.of(condition, input.columns());
        Estimate reduced = input.reduced(input.rows() * share);
        List<ColumnEstimate> columns = new ArrayList<>(reduced.columns());
        for (RexNode conjunct : RelOptUtil.conjunctions(condition)) {
            if (conjunct.getKind() == SqlKind.EQUALS
                    && conjunct instanceof RexCall call
                    && call.getOperands().get(0) instanceof RexInputRef reference
                    && call.getOperands().get(1) instanceof RexLiteral) {
                columns.set(
                        reference.getIndex(), columns.get(reference.getIndex()).withDistinct(1));
            }
        }
        return new Estimate(reduced.rows(), columns);
    }

    private Estimate project(Project project) {
        Estimate input = estimate(project.getInput());
        List<ColumnEstimate> columns = new ArrayList<>();
        for (RexNode expression : project.getProjects()) {
            columns.add(expression(expression, input));
        }
        return new Estimate(input.rows(), columns);
    }

    private static ColumnEstimate expression(RexNode expression, Estimate input) {
        if (expression instanceof RexInputRef reference) {
            return input.columns().get(reference.getIndex());
        }
        if (expression instanceof RexLiteral) {
            return ColumnEstimate.of(1);
        }
        if (expression instanceof RexCall call) {
            double distinct = 1;
            for (RexNode operand : call.getOperands()) {
                distinct *= expression(operand, input).distinct();
            }
            double most = call.getKind() == SqlKind.EXTRACT ? 100 : Double.POSITIVE_INFINITY;
            return ColumnEstimate.of(Math.min(most, Math.min(distinct, input.rows())));
        }
        return ColumnEstimate.unknown(input.rows());
    }

    private Estimate join(Join join) {
        Estimate left = estimate(join.getLeft());
        Estimate right = estimate(join.getRight());
        JoinInfo info = join.analyzeCondition();
        double share = 1 / Math.max(combinations(left, info.leftKeys), combinations(right, info.rightKeys));
        List<ColumnEstimate> both = new ArrayList<>(left.columns());
        both.addAll(right.columns());
        for (RexNode residual : info.nonEquiConditions) {
            share *= Selectivity.of(residual, both);
        }
        double matches = Math.max(left.rows() * right.rows() * share, 0);
        return switch (join.getJoinType()) {
            case SEMI -> left.reduced(left.rows() * matched(info, left, right));
            case ANTI -> unmatched(info, left, right);
            case LEFT_MARK -> {
                List<ColumnEstimate> columns = new ArrayList<>(left.columns());
                columns.add(ColumnEstimate.of(2));
                yield new Estimate(left.rows(), columns);
            }
            case LEFT -> joined(Math.max(left.rows(), matches), left, right);
            case RIGHT -> joined(Math.max(right.rows(), matches), left, right);
            case FULL -> joined(Math.max(Math.max(left.rows(), right.rows()), matches), left, right);
            case INNER, ASOF, LEFT_ASOF -> joined(matches, left, right);
        };
    }

    /// The different values of several columns together: no more than there are rows, since the columns of a composite
    /// key go together.
    private static double combinations(Estimate input, List<Integer> columns) {
        double combinations = 1;
        for (int column : columns) {
            combinations *= input.distinct(column);
        }
        return Math.max(1, Math.min(combinations, input.rows()));
    }

    /// The left rows of a join that have no match.
    public Estimate unmatched(Join join) {
        return unmatched(join.analyzeCondition(), estimate(join.getLeft()), estimate(join.getRight()));
    }

    private static Estimate unmatched(JoinInfo info, Estimate left, Estimate right) {
        return left.reduced(left.rows() * Math.max(0.05, 1 - matched(info, left, right)));
    }

    /// The share of left rows with a match.
    public static double matched(JoinInfo info, Estimate left, Estimate right) {
        if (info.leftKeys.isEmpty()) {
            return 0.5;
        }
        double share = 1;
        for (int i = 0; i < info.leftKeys.size(); i++) {
            share = Math.min(share, right.distinct(info.rightKeys.get(i)) / left.distinct(info.leftKeys.get(i)));
        }
        return Math.min(1, share) * (info.nonEquiConditions.isEmpty() ? 1 : 0.8);
    }

    /// Columns of both sides in `rows` rows.
    public static Estimate joined(double rows, Estimate left, Estimate right) {
        List<ColumnEstimate> columns = new ArrayList<>();
        left.columns().forEach(c -> columns.add(c.within(left.rows(), rows)));
        right.columns().forEach(c -> columns.add(c.within(right.rows(), rows)));
        return new Estimate(rows, columns);
    }

    /// The groups that rows make by some of their columns.
    public static double groups(Estimate input, ImmutableBitSet keys) {
        double groups = 1;
        for (int key : keys) {
            groups *= input.distinct(key);
        }
        return Math.max(1, Math.min(groups, keys.cardinality() > 1 ? input.rows() * 0.9 : input.rows()));
    }

    private Estimate aggregate(Aggregate aggregate) {
        Estimate input = estimate(aggregate.getInput());
        double groups = groups(input, aggregate.getGroupSet());
        List<ColumnEstimate> columns = new ArrayList<>();
        for (int key : aggregate.getGroupSet()) {
            columns.add(input.columns().get(key).within(input.rows(), input.rows()));
        }
        while (columns.size() < aggregate.getRowType().getFieldCount()) {
            columns.add(ColumnEstimate.unknown(groups));
        }
        return new Estimate(groups, columns);
    }

    private Estimate sort(Sort sort) {
        Estimate input = estimate(sort.getInput());
        return sort.fetch instanceof RexLiteral literal ? input.reduced(RexLiteral.intValue(literal)) : input;
    }

    private Estimate union(Union union) {
        double rows = 0;
        for (RelNode input : union.getInputs()) {
            rows += estimate(input).rows();
        }
        return unknown(union, rows);
    }

    private static Estimate values(Values values) {
        return unknown(values, Math.max(1, values.getTuples().size()));
    }
}
