package dev.chert.operator.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Batch;
import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.batch.Step;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.Call;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.operator.Operator;
import dev.chert.operator.OperatorFactory;
import dev.chert.operator.Sink;
import dev.chert.operator.TestQuery;
import dev.chert.operator.TestRows;
import dev.chert.operator.join.JoinReference.Condition;
import dev.chert.plan.JoinKind;
import dev.chert.plan.PhysicalPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A hash join of two tables that each have key columns, then a BIGINT that the residual compares; and what runs it
/// and compares it with [JoinReference].
///
/// @param distinct about how many values a column has
record JoinCase(JoinKind kind, List<ScalarType> keys, boolean residual, int distinct) {

    Expression residualExpression() {
        int column = keys.size();
        return residual
                ? new Call(
                        "<",
                        List.of(
                                new InputColumn(column, ScalarType.BIGINT),
                                new InputColumn(2 * column + 1, ScalarType.BIGINT)),
                        ScalarType.BOOLEAN,
                        null)
                : null;
    }

    Condition condition() {
        return (l, r) -> {
            Boolean outcome = true;
            for (int k = 0; k < keys.size(); k++) {
                outcome = JoinReference.and(
                        outcome,
                        l.get(k) == null || r.get(k) == null
                                ? null
                                : (Boolean) (TestRows.compare(l.get(k), r.get(k)) == 0));
            }
            Object x = l.get(keys.size());
            Object y = r.get(keys.size());
            return residual
                    ? JoinReference.and(outcome, x == null || y == null ? null : (Boolean) ((Long) x < (Long) y))
                    : outcome;
        };
    }

    static void check(JoinCase join, int leftRows, int rightRows, int batchSize, int workers, long seed) {
        try (TestQuery query = new TestQuery(batchSize)) {
            check(query, join, leftRows, rightRows, workers, seed);
        }
    }

    static void check(TestQuery query, JoinCase join, int leftRows, int rightRows, int workers, long seed) {
        Random random = new Random(seed);
        Schema leftSchema = schema(join.keys(), "l");
        Schema rightSchema = schema(join.keys(), "r");
        List<List<Object>> left = rows(leftSchema, leftRows, join.distinct(), random.nextInt(3) == 0, random);
        List<List<Object>> right = rows(rightSchema, rightRows, join.distinct(), random.nextInt(3) > 0, random);
        HashJoinBuild build =
                new HashJoinBuild(node(leftSchema, rightSchema, join), "HashJoin 1", query.context(), workers);
        fill(query, build, rightSchema, right, workers, random);
        List<Batch> batches = TestRows.batches(leftSchema, left, query.context(), query.input(), random);
        OperatorFactory probe = build.probe(worker -> {
            List<Batch> own = new ArrayList<>();
            for (int b = worker.worker(); b < batches.size(); b += workers) {
                own.add(batches.get(b));
            }
            return TestRows.source(own);
        });
        List<Operator> operators = new ArrayList<>();
        for (int w = 0; w < workers; w++) {
            operators.add(probe.open(query.worker(w, workers)));
        }
        List<List<Object>> given =
                TestRows.drainTogether(operators, query.context().batchSize());
        build.close();
        assertThat(TestRows.count(given))
                .as("seed %d, keys %s", seed, join.keys())
                .isEqualTo(TestRows.count(JoinReference.join(
                        join.kind(), left, right, leftSchema.size(), rightSchema.size(), join.condition())));
    }

    static void fill(
            TestQuery query, HashJoinBuild build, Schema schema, List<List<Object>> rows, int workers, Random random) {
        List<Batch> batches = TestRows.batches(schema, rows, query.context(), query.input(), random);
        for (int w = 0; w < workers; w++) {
            Sink sink = build.sink(query.worker(w, workers));
            for (int b = w; b < batches.size(); b += workers) {
                sink.accept(batches.get(b));
            }
            sink.finish();
        }
        for (int part = build.closingParts() - 1; part >= 0; part--) {
            build.closePart(part);
        }
    }

    static PhysicalPlan.HashJoin node(Schema left, Schema right, JoinCase join) {
        List<Expression> keys = new ArrayList<>();
        for (int k = 0; k < join.keys().size(); k++) {
            keys.add(new InputColumn(k, join.keys().get(k)));
        }
        return new PhysicalPlan.HashJoin(
                new PhysicalPlan.Values(left, List.of()),
                new PhysicalPlan.Values(right, List.of()),
                join.kind(),
                keys,
                keys,
                join.residualExpression());
    }

    static Schema schema(List<ScalarType> keys, String prefix) {
        List<Field> fields = new ArrayList<>();
        keys.forEach(type -> fields.add(new Field(prefix + fields.size(), type, true)));
        fields.add(new Field(prefix + "value", ScalarType.BIGINT, true));
        return new Schema(fields);
    }

    static List<List<Object>> rows(Schema schema, int count, int distinct, boolean noNullKeys, Random random) {
        List<List<Object>> rows = new ArrayList<>();
        while (rows.size() < count) {
            List<Object> row = new ArrayList<>();
            schema.fields()
                    .forEach(field -> row.add(TestRows.randomValue((ScalarType) field.type(), distinct, random)));
            if (!noNullKeys || !row.subList(0, row.size() - 1).contains(null)) {
                rows.add(row);
            }
        }
        return rows;
    }

    /// Runs a join over rows of which the batches are made as they are asked for.
    static List<List<Object>> run(
            TestQuery query, JoinCase join, List<List<Object>> left, List<List<Object>> right, int workers) {
        Schema leftSchema = schema(join.keys(), "l");
        Schema rightSchema = schema(join.keys(), "r");
        int batchSize = query.context().batchSize();
        HashJoinBuild build =
                new HashJoinBuild(node(leftSchema, rightSchema, join), "HashJoin 1", query.context(), workers);
        List<Sink> sinks = new ArrayList<>();
        for (int w = 0; w < workers; w++) {
            sinks.add(build.sink(query.worker(w, workers)));
        }
        for (int from = 0; from < right.size(); from += batchSize) {
            List<List<Object>> rows = right.subList(from, Math.min(right.size(), from + batchSize));
            sinks.get(from / batchSize % workers).accept(TestRows.batch(rightSchema, rows, query.input(), null));
        }
        sinks.forEach(Sink::finish);
        for (int part = 0; part < build.closingParts(); part++) {
            build.closePart(part);
        }
        OperatorFactory probe = build.probe(worker -> lazily(query, leftSchema, left, worker.worker(), workers));
        List<Operator> operators = new ArrayList<>();
        for (int w = 0; w < workers; w++) {
            operators.add(probe.open(query.worker(w, workers)));
        }
        List<List<Object>> given = TestRows.drainTogether(operators, batchSize);
        build.close();
        return given;
    }

    private static Operator lazily(TestQuery query, Schema schema, List<List<Object>> rows, int worker, int workers) {
        int batchSize = query.context().batchSize();
        return new Operator() {
            private int from = worker * batchSize;

            @Override
            public Step next() {
                if (from >= rows.size()) {
                    return Step.END;
                }
                List<List<Object>> next = rows.subList(from, Math.min(rows.size(), from + batchSize));
                from += workers * batchSize;
                return TestRows.batch(schema, next, query.input(), null);
            }

            @Override
            public void close() {}
        };
    }

    /// Runs a join of random rows for some steps, then closes it.
    static void runFor(TestQuery query, JoinCase join, int leftRows, int rightRows, int steps, long seed) {
        Random random = new Random(seed);
        Schema schema = schema(join.keys(), "c");
        List<List<Object>> left = rows(schema, leftRows, join.distinct(), false, random);
        List<List<Object>> right = rows(schema, rightRows, join.distinct(), false, random);
        HashJoinBuild build = new HashJoinBuild(node(schema, schema, join), "HashJoin 1", query.context(), 1);
        fill(query, build, schema, right, 1, random);
        Operator operator =
                build.probe(worker -> lazily(query, schema, left, 0, 1)).open(query.worker(0, 1));
        for (int i = 0; i < steps; i++) {
            if (operator.next() instanceof Batch batch) {
                batch.close();
            }
        }
        operator.close();
        build.close();
    }
}
