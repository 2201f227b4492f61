package dev.chert.plan;

import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.expression.AggregateCall;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.Literal;
import dev.chert.expression.SortKey;
import dev.chert.source.ColumnPredicate;
import dev.chert.source.TableSource;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/// A node of a physical plan: an operator with its inputs below it.
///
/// Expressions of a node name columns of its input by number; those of a join's residual name the left input's
/// columns first and the right input's after them.
public sealed interface PhysicalPlan extends Serializable {
    /// The columns of the output.
    Schema schema();

    List<PhysicalPlan> inputs();

    /// The node on one line, without its inputs, for EXPLAIN.
    String describe();

    /// The rows that whoever made the plan expects to come out, or NaN where that was not said. Changes nothing of
    /// what runs; metrics show it beside what came.
    double estimatedRows();

    /// Reads a source.
    ///
    /// @param columns    the source's columns that are wanted, in this order; may be none
    /// @param predicates conjuncts over the source's columns (numbered as in the source) that the source may use
    ///                   to leave rows out; rows that do not satisfy them may still come, unless the source said
    ///                   exact
    record Scan(TableSource source, List<Integer> columns, List<ColumnPredicate> predicates, double estimatedRows)
            implements PhysicalPlan {
        public Scan {
            columns = List.copyOf(columns);
            predicates = List.copyOf(predicates);
        }

        @Override
        public Schema schema() {
            return source.schema().select(columns);
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of();
        }

        @Override
        public String describe() {
            return "Scan " + source.describe() + " columns="
                    + schema().fields().stream().map(Field::name).toList()
                    + (predicates.isEmpty() ? "" : " prune=" + predicates);
        }
    }

    /// Gives literal rows.
    record Values(Schema schema, List<List<Literal>> rows) implements PhysicalPlan {
        public Values {
            rows = rows.stream().map(List::copyOf).toList();
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of();
        }

        @Override
        public String describe() {
            return "Values rows=" + rows.size();
        }

        @Override
        public double estimatedRows() {
            return rows.size();
        }
    }

    /// Keeps the rows for which the predicate is true.
    record Filter(PhysicalPlan input, Expression predicate, double estimatedRows) implements PhysicalPlan {
        /// A filter without an estimate.
        public Filter(PhysicalPlan input, Expression predicate) {
            this(input, predicate, Double.NaN);
        }

        @Override
        public Schema schema() {
            return input.schema();
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(input);
        }

        @Override
        public String describe() {
            return "Filter " + predicate;
        }
    }

    /// Computes one column an expression.
    record Project(PhysicalPlan input, List<Expression> expressions, Schema schema) implements PhysicalPlan {
        public Project {
            expressions = List.copyOf(expressions);
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(input);
        }

        @Override
        public String describe() {
            return "Project " + expressions;
        }

        @Override
        public double estimatedRows() {
            return input.estimatedRows();
        }
    }

    /// Groups by keys (none: one group, also over no rows) and aggregates; output is keys, then aggregates.
    record HashAggregate(
            PhysicalPlan input,
            List<Expression> keys,
            List<AggregateCall> aggregates,
            Schema schema,
            double estimatedRows)
            implements PhysicalPlan {
        public HashAggregate {
            keys = List.copyOf(keys);
            aggregates = List.copyOf(aggregates);
        }

        /// An aggregation without an estimate.
        public HashAggregate(PhysicalPlan input, List<Expression> keys, List<AggregateCall> aggregates, Schema schema) {
            this(input, keys, aggregates, schema, Double.NaN);
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(input);
        }

        @Override
        public String describe() {
            return "HashAggregate keys=" + keys + " aggregates=" + aggregates;
        }
    }

    /// Joins on equal keys. The build side (right) is put into the table, the probe side (left) streams past it.
    ///
    /// @param residual a further condition over left columns then right columns, or null
    record HashJoin(
            PhysicalPlan probe,
            PhysicalPlan build,
            JoinKind kind,
            List<Expression> probeKeys,
            List<Expression> buildKeys,
            Expression residual,
            double estimatedRows)
            implements PhysicalPlan {
        public HashJoin {
            probeKeys = List.copyOf(probeKeys);
            buildKeys = List.copyOf(buildKeys);
        }

        /// A join without an estimate.
        public HashJoin(
                PhysicalPlan probe,
                PhysicalPlan build,
                JoinKind kind,
                List<Expression> probeKeys,
                List<Expression> buildKeys,
                Expression residual) {
            this(probe, build, kind, probeKeys, buildKeys, residual, Double.NaN);
        }

        @Override
        public Schema schema() {
            return joined(kind, probe.schema(), build.schema());
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(probe, build);
        }

        @Override
        public String describe() {
            return "HashJoin " + kind + " probe=" + probeKeys + " build=" + buildKeys
                    + (residual == null ? "" : " residual=" + residual);
        }
    }

    /// Joins on any condition by comparing every pair; the right side is kept in memory.
    ///
    /// @param condition over left columns then right columns, or null: every pair matches
    record NestedLoopJoin(
            PhysicalPlan left, PhysicalPlan right, JoinKind kind, Expression condition, double estimatedRows)
            implements PhysicalPlan {
        /// A join without an estimate.
        public NestedLoopJoin(PhysicalPlan left, PhysicalPlan right, JoinKind kind, Expression condition) {
            this(left, right, kind, condition, Double.NaN);
        }

        @Override
        public Schema schema() {
            return joined(kind, left.schema(), right.schema());
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(left, right);
        }

        @Override
        public String describe() {
            return "NestedLoopJoin " + kind + (condition == null ? "" : " condition=" + condition);
        }
    }

    /// Orders all rows.
    record Sort(PhysicalPlan input, List<SortKey> keys) implements PhysicalPlan {
        public Sort {
            keys = List.copyOf(keys);
        }

        @Override
        public Schema schema() {
            return input.schema();
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(input);
        }

        @Override
        public String describe() {
            return "Sort " + keys;
        }

        @Override
        public double estimatedRows() {
            return input.estimatedRows();
        }
    }

    /// Orders rows and gives `fetch` of them after the first `offset`.
    record TopN(PhysicalPlan input, List<SortKey> keys, long offset, long fetch) implements PhysicalPlan {
        public TopN {
            keys = List.copyOf(keys);
        }

        @Override
        public Schema schema() {
            return input.schema();
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(input);
        }

        @Override
        public String describe() {
            return "TopN " + keys + " offset=" + offset + " fetch=" + fetch;
        }

        @Override
        public double estimatedRows() {
            return Math.min(fetch, Math.max(0, input.estimatedRows() - offset));
        }
    }

    /// Gives at most `fetch` rows after the first `offset`; of an ordered input in its order, else any.
    record Limit(PhysicalPlan input, long offset, long fetch) implements PhysicalPlan {
        @Override
        public Schema schema() {
            return input.schema();
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(input);
        }

        @Override
        public String describe() {
            return "Limit offset=" + offset + (fetch == Long.MAX_VALUE ? "" : " fetch=" + fetch);
        }

        @Override
        public double estimatedRows() {
            return Math.min(fetch, Math.max(0, input.estimatedRows() - offset));
        }
    }

    /// All rows of all inputs, which have the same types.
    record UnionAll(List<PhysicalPlan> inputs, Schema schema) implements PhysicalPlan {
        public UnionAll {
            inputs = List.copyOf(inputs);
        }

        @Override
        public String describe() {
            return "UnionAll";
        }

        @Override
        public double estimatedRows() {
            return inputs.stream().mapToDouble(PhysicalPlan::estimatedRows).sum();
        }
    }

    /// Hands rows from one pipeline to the next: how a plan is told where data changes hands.
    record Exchange(PhysicalPlan input, Distribution distribution) implements PhysicalPlan {
        @Override
        public Schema schema() {
            return input.schema();
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(input);
        }

        @Override
        public String describe() {
            return "Exchange " + distribution;
        }

        @Override
        public double estimatedRows() {
            return input.estimatedRows();
        }
    }

    /// Where an [Exchange] sends a row.
    sealed interface Distribution extends Serializable {
        /// To whoever asks next.
        record Any() implements Distribution {}

        /// To the one consumer of its keys' hash.
        record Hash(List<Expression> keys) implements Distribution {
            public Hash {
                keys = List.copyOf(keys);
            }
        }

        /// To one consumer.
        record Single() implements Distribution {}
    }

    private static Schema joined(JoinKind kind, Schema left, Schema right) {
        List<Field> fields = new ArrayList<>();
        if (kind.givesLeft()) {
            fields.addAll(kind == JoinKind.RIGHT || kind == JoinKind.FULL ? nullable(left) : left.fields());
        }
        if (kind.givesRight()) {
            fields.addAll(kind == JoinKind.LEFT || kind == JoinKind.FULL ? nullable(right) : right.fields());
        }
        if (kind == JoinKind.MARK) {
            fields.add(new Field("mark", ScalarType.BOOLEAN, true));
        }
        return new Schema(fields);
    }

    private static List<Field> nullable(Schema schema) {
        return schema.fields().stream()
                .map(f -> new Field(f.name(), f.type(), true))
                .toList();
    }
}
