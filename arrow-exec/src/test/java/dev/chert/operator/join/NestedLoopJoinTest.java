package dev.chert.operator.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Batch;
import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.batch.Step;
import dev.chert.error.QueryCancelledException;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.Call;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.memory.Buffer;
import dev.chert.operator.Operator;
import dev.chert.operator.OperatorFactory;
import dev.chert.operator.Sink;
import dev.chert.operator.TestQuery;
import dev.chert.operator.TestRows;
import dev.chert.operator.join.JoinReference.Condition;
import dev.chert.plan.JoinKind;
import dev.chert.plan.PhysicalPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NestedLoopJoinTest {
    private static final Schema LEFT = Schema.of(
            new Field("a", ScalarType.INTEGER, true),
            new Field("s", ScalarType.VARCHAR, true),
            new Field("b", ScalarType.BOOLEAN, true));
    private static final Schema RIGHT = Schema.of(
            new Field("x", ScalarType.INTEGER, true),
            new Field("t", ScalarType.VARCHAR, true),
            new Field("d", ScalarType.decimal(38, 4), true),
            new Field("y", ScalarType.BOOLEAN, true));

    private static final Expression LESS = new Call(
            "<",
            List.of(new InputColumn(0, ScalarType.INTEGER), new InputColumn(3, ScalarType.INTEGER)),
            ScalarType.BOOLEAN,
            null);
    private static final Condition IS_LESS =
            (l, r) -> l.get(0) == null || r.get(0) == null ? null : (Long) l.get(0) < (Long) r.get(0);

    @ParameterizedTest
    @EnumSource(JoinKind.class)
    void givesWhatComparingEveryPairGives(JoinKind kind) {
        for (long seed = 0; seed < 6; seed++) {
            check(kind, LESS, IS_LESS, 60, 25, 7, 1 + (int) (seed % 2), seed);
            check(kind, LESS, IS_LESS, 3, 150, 64, 2, seed);
            check(kind, LESS, IS_LESS, 20, 10, 1, 2, seed);
            check(kind, LESS, IS_LESS, 300, 40, 4096, 1, seed);
        }
    }

    @ParameterizedTest
    @EnumSource(JoinKind.class)
    void joinsEveryPairWithoutACondition(JoinKind kind) {
        for (long seed = 0; seed < 3; seed++) {
            check(kind, null, (l, r) -> true, 50, 1, 16, 2, seed);
            check(kind, null, (l, r) -> true, 5, 70, 16, 1, seed);
        }
    }

    @ParameterizedTest
    @EnumSource(JoinKind.class)
    void understandsEmptySides(JoinKind kind) {
        check(kind, LESS, IS_LESS, 0, 20, 7, 2, 1);
        check(kind, LESS, IS_LESS, 20, 0, 7, 2, 1);
        check(kind, LESS, IS_LESS, 0, 0, 7, 1, 1);
    }

    @Test
    void aCrossProductWithOneRowMovesNoValues() {
        try (TestQuery query = new TestQuery(100)) {
            List<List<Object>> left = rows(LEFT, 80, new Random(1));
            List<List<Object>> right = rows(RIGHT, 1, new Random(2));
            PhysicalPlan.NestedLoopJoin node = node(JoinKind.INNER, null);
            NestedLoopBuild build = new NestedLoopBuild(node, "NestedLoopJoin 1", query.context());
            fill(query, build, right, 1, null);
            Batch input = TestRows.batch(LEFT, left, query.input(), null);
            Operator join = build.probe(_ -> TestRows.source(List.of(input))).open(query.worker(0, 1));
            Batch output = (Batch) join.next();
            assertThat(output.column(0)).isSameAs(input.column(0));
            assertThat(output.column(3).isConstant()).isTrue();
            output.close();
            assertThat(join.next()).isSameAs(Step.END);
            join.close();
            build.close();
        }
    }

    @Test
    void givesItsMemoryBackWhenItsReaderStopsEarly() {
        try (TestQuery query = new TestQuery(10)) {
            NestedLoopBuild build = new NestedLoopBuild(node(JoinKind.FULL, null), "NestedLoopJoin 1", query.context());
            fill(query, build, rows(RIGHT, 30, new Random(2)), 1, null);
            List<Batch> batches = TestRows.batches(
                    LEFT, rows(LEFT, 80, new Random(1)), query.context(), query.input(), new Random(3));
            Operator join = build.probe(_ -> TestRows.source(batches)).open(query.worker(0, 2));
            ((Batch) join.next()).close();
            join.close();
            build.close();
        }
    }

    @ParameterizedTest
    @EnumSource(JoinKind.class)
    void comparesMoreRightRowsThanMemoryHolds(JoinKind kind) {
        Random random = new Random(4);
        List<List<Object>> left = rows(LEFT, 6, random);
        List<List<Object>> right = new ArrayList<>();
        for (long i = 0; i < 40_000; i++) {
            right.add(Arrays.asList(i % 1000, "a string too long for its view " + i, null, i % 7 == 0));
        }
        Expression same = new Call(
                "=",
                List.of(new InputColumn(0, ScalarType.INTEGER), new InputColumn(3, ScalarType.INTEGER)),
                ScalarType.BOOLEAN,
                null);
        for (int i = 0; i < left.size() - 1; i++) {
            left.get(i).set(0, 7L * i);
        }
        Condition isSame =
                (l, r) -> l.get(0) == null || r.get(0) == null ? null : l.get(0).equals(r.get(0));
        check(kind, same, isSame, left, right, limited(), 2, 1);
        try (TestQuery query = limited()) {
            NestedLoopBuild build = new NestedLoopBuild(node(kind, same), "NestedLoopJoin 1", query.context());
            fill(query, build, right, 2, null);
            assertThat(query.spilledBytes()).isPositive();
            build.close();
        }
    }

    private static TestQuery limited() {
        return TestQuery.thatSpills(1024, 5L << 20, false, Long.MAX_VALUE);
    }

    @Test
    void keepsARowOnDiskUntilItIsClosed() {
        try (TestQuery query = TestQuery.thatSpills(10, 1L << 30, true, Long.MAX_VALUE)) {
            NestedLoopBuild build = new NestedLoopBuild(node(JoinKind.FULL, null), "NestedLoopJoin 1", query.context());
            fill(query, build, rows(RIGHT, 30, new Random(2)), 2, null);
            assertThat(query.spilledBytes()).isPositive();
            build.close();
            assertThat(query.spilledBytes()).isZero();
        }
    }

    @Test
    void movesNoRowsToDiskOnceItIsCancelled() {
        try (TestQuery query = limited()) {
            NestedLoopBuild build = new NestedLoopBuild(node(JoinKind.FULL, LESS), "NestedLoopJoin 1", query.context());
            fill(query, build, rows(RIGHT, 10_000, new Random(2)), 1, null);
            long before = query.writtenBytes();
            Buffer others = query.input().allocate(2 << 20);
            query.context().cancel("enough");
            assertThatThrownBy(() -> build.closePart(0)).isInstanceOf(QueryCancelledException.class);
            assertThat(query.writtenBytes()).isEqualTo(before);
            others.release();
            build.close();
        }
    }

    /// No right row is given, so all are looked at in one call but for the worker's slices.
    @Test
    void givesWayAndStopsWhileItLooksForUnmatchedRows() {
        try (TestQuery query = new TestQuery(10)) {
            NestedLoopBuild build =
                    new NestedLoopBuild(node(JoinKind.RIGHT_SEMI, LESS), "NestedLoopJoin 1", query.context());
            fill(query, build, rows(RIGHT, 200, new Random(2)), 1, null);
            Operator join = build.probe(_ -> TestRows.source(List.of())).open(query.worker(0, 1));
            assertThat(join.next()).isInstanceOf(Step.Paused.class);
            query.context().cancel("enough");
            assertThatThrownBy(join::next).isInstanceOf(QueryCancelledException.class);
            join.close();
            build.close();
        }
    }

    /// The worker's slice is over at every third look.
    @ParameterizedTest
    @EnumSource(JoinKind.class)
    void givesWayWithinOneLeftBatch(JoinKind kind) {
        try (TestQuery query = new TestQuery(100)) {
            NestedLoopBuild build = new NestedLoopBuild(node(kind, LESS), "NestedLoopJoin 1", query.context());
            fill(query, build, rows(RIGHT, 200, new Random(2)), 1, null);
            Batch input = TestRows.batch(LEFT, rows(LEFT, 80, new Random(1)), query.input(), null);
            Operator join = build.probe(_ -> TestRows.source(List.of(input))).open(query.worker(0, 1));
            int pauses = 0;
            for (Step step = join.next(); !(step instanceof Step.End); step = join.next()) {
                if (step instanceof Batch batch) {
                    batch.close();
                } else {
                    pauses++;
                }
            }
            assertThat(pauses).isGreaterThan(20);
            join.close();
            build.close();
        }
    }

    private static void check(
            JoinKind kind,
            Expression expression,
            Condition condition,
            int leftRows,
            int rightRows,
            int batchSize,
            int workers,
            long seed) {
        Random random = new Random(seed);
        List<List<Object>> left = rows(LEFT, leftRows, random);
        List<List<Object>> right = rows(RIGHT, rightRows, random);
        check(kind, expression, condition, left, right, new TestQuery(batchSize), workers, seed);
        TestQuery spills = TestQuery.thatSpills(batchSize, 1L << 30, true, Long.MAX_VALUE);
        check(kind, expression, condition, left, right, spills, workers, seed);
    }

    private static void check(
            JoinKind kind,
            Expression expression,
            Condition condition,
            List<List<Object>> left,
            List<List<Object>> right,
            TestQuery memory,
            int workers,
            long seed) {
        Random random = new Random(seed);
        try (TestQuery query = memory) {
            NestedLoopBuild build = new NestedLoopBuild(node(kind, expression), "NestedLoopJoin 1", query.context());
            fill(query, build, right, workers, random);
            List<Batch> batches = TestRows.batches(LEFT, left, query.context(), query.input(), random);
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
                    .as("seed %d", seed)
                    .isEqualTo(TestRows.count(
                            JoinReference.join(kind, left, right, LEFT.size(), RIGHT.size(), condition)));
        }
    }

    private static void fill(
            TestQuery query, NestedLoopBuild build, List<List<Object>> rows, int workers, Random random) {
        List<Sink> sinks = new ArrayList<>();
        for (int w = 0; w < workers; w++) {
            sinks.add(build.sink(query.worker(w, workers)));
        }
        int batchSize = query.context().batchSize();
        int next = 0;
        for (int from = 0; from < rows.size(); from += batchSize) {
            List<List<Object>> some = rows.subList(from, Math.min(rows.size(), from + batchSize));
            for (Batch batch : TestRows.batches(RIGHT, some, query.context(), query.input(), random)) {
                sinks.get(next++ % workers).accept(batch);
            }
        }
        sinks.forEach(Sink::finish);
        for (int part = 0; part < build.closingParts(); part++) {
            build.closePart(part);
        }
    }

    private static PhysicalPlan.NestedLoopJoin node(JoinKind kind, Expression condition) {
        return new PhysicalPlan.NestedLoopJoin(
                new PhysicalPlan.Values(LEFT, List.of()), new PhysicalPlan.Values(RIGHT, List.of()), kind, condition);
    }

    private static List<List<Object>> rows(Schema schema, int count, Random random) {
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<Object> row = new ArrayList<>();
            schema.fields().forEach(field -> row.add(TestRows.randomValue((ScalarType) field.type(), 12, random)));
            rows.add(row);
        }
        return rows;
    }
}
