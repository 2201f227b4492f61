package dev.chert.operator.join;

import static dev.chert.operator.join.JoinCase.check;
import static dev.chert.operator.join.JoinCase.fill;
import static dev.chert.operator.join.JoinCase.node;
import static dev.chert.operator.join.JoinCase.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Batch;
import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.batch.Step;
import dev.chert.error.QueryCancelledException;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.operator.Operator;
import dev.chert.operator.OperatorFactory;
import dev.chert.operator.Sink;
import dev.chert.operator.TestQuery;
import dev.chert.operator.TestRows;
import dev.chert.plan.JoinKind;
import dev.chert.plan.PhysicalPlan;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class HashJoinTest {
    private static final List<ScalarType> KEY_TYPES = List.of(
            ScalarType.BOOLEAN,
            ScalarType.SMALLINT,
            ScalarType.INTEGER,
            ScalarType.BIGINT,
            ScalarType.DOUBLE,
            ScalarType.decimal(12, 2),
            ScalarType.decimal(38, 4),
            ScalarType.VARCHAR,
            ScalarType.timestamp(6),
            ScalarType.UUID);

    static Stream<Arguments> kindsWithAndWithoutResidual() {
        return Stream.of(JoinKind.values())
                .flatMap(kind -> Stream.of(Arguments.of(kind, false), Arguments.of(kind, true)));
    }

    @ParameterizedTest
    @MethodSource("kindsWithAndWithoutResidual")
    void givesWhatComparingEveryPairGives(JoinKind kind, boolean residual) {
        int[] batchSizes = {1, 7, 64, 4096};
        for (long seed = 0; seed < 12; seed++) {
            Random random = new Random(seed);
            List<ScalarType> keys = new ArrayList<>();
            int keyCount = seed < 6 ? 1 : 1 + random.nextInt(3);
            for (int k = 0; k < keyCount; k++) {
                keys.add(KEY_TYPES.get(random.nextInt(KEY_TYPES.size())));
            }
            int distinct = keyCount == 1 ? 5 + random.nextInt(100) : 4;
            check(
                    new JoinCase(kind, keys, residual, distinct),
                    20 + random.nextInt(150),
                    10 + random.nextInt(80),
                    batchSizes[(int) (seed % 4)],
                    1 + (int) (seed / 4 % 2),
                    seed);
        }
    }

    @ParameterizedTest
    @MethodSource("kindsWithAndWithoutResidual")
    void understandsEmptySides(JoinKind kind, boolean residual) {
        for (int keyCount = 1; keyCount <= 2; keyCount++) {
            JoinCase join = new JoinCase(kind, KEY_TYPES.subList(2, 2 + keyCount), residual, 5);
            check(join, 0, 30, 7, 2, 1);
            check(join, 30, 0, 7, 2, 1);
            check(join, 0, 0, 7, 1, 1);
            check(join, 30, 1, 7, 1, 9);
        }
    }

    @ParameterizedTest
    @EnumSource(JoinKind.class)
    void findsRowsWhenAllHashesAreEqual(JoinKind kind) {
        JoinCase join = new JoinCase(kind, List.of(ScalarType.VARCHAR, ScalarType.INTEGER), false, 6);
        try (TestQuery query = TestQuery.withConstantHash(64)) {
            check(query, join, 100, 80, 2, 3);
        }
    }

    @Test
    void aRowWithManyMatchesFillsBatchAfterBatch() {
        Schema left = schema(List.of(ScalarType.BIGINT), "l");
        Schema right = schema(List.of(ScalarType.BIGINT), "r");
        List<List<Object>> rightRows = new ArrayList<>();
        for (long i = 0; i < 50_000; i++) {
            rightRows.add(List.of(7L, i));
        }
        try (TestQuery query = new TestQuery(1000)) {
            PhysicalPlan.HashJoin node =
                    node(left, right, new JoinCase(JoinKind.INNER, List.of(ScalarType.BIGINT), false, 1));
            HashJoinBuild build = new HashJoinBuild(node, "HashJoin 1", query.context(), 1);
            fill(query, build, right, rightRows, 1, null);
            Batch input = TestRows.batch(left, List.of(List.of(7L, 1L), List.of(8L, 2L)), query.input(), null);
            Operator join = build.probe(_ -> TestRows.source(List.of(input))).open(query.worker(0, 1));
            int batches = 0;
            for (Step step = join.next(); step instanceof Batch batch; step = join.next()) {
                assertThat(batch.selectedRows()).isEqualTo(1000);
                batches++;
                batch.close();
            }
            assertThat(batches).isEqualTo(50);
            join.close();
            build.close();
        }
    }

    @Test
    void movesNoProbeValuesWhereEachRowHasOneMatch() {
        Schema left = schema(List.of(ScalarType.BIGINT), "l");
        Schema right = schema(List.of(ScalarType.BIGINT), "r");
        List<List<Object>> leftRows = new ArrayList<>();
        List<List<Object>> rightRows = new ArrayList<>();
        for (long i = 0; i < 100; i++) {
            leftRows.add(List.of(i % 10 == 9 ? -1 : i, i));
            rightRows.add(List.of(i, -i));
        }
        try (TestQuery query = new TestQuery(1000)) {
            PhysicalPlan.HashJoin node =
                    node(left, right, new JoinCase(JoinKind.INNER, List.of(ScalarType.BIGINT), false, 1));
            HashJoinBuild build = new HashJoinBuild(node, "HashJoin 1", query.context(), 1);
            fill(query, build, right, rightRows, 1, null);
            Batch input = TestRows.batch(left, leftRows, query.input(), null);
            Operator join = build.probe(_ -> TestRows.source(List.of(input))).open(query.worker(0, 1));
            Batch output = (Batch) join.next();
            assertThat(output.column(0)).isSameAs(input.column(0));
            assertThat(output.selectedRows()).isEqualTo(90);
            assertThat(TestRows.read(output))
                    .allSatisfy(row -> assertThat(row.get(3)).isEqualTo(-(Long) row.get(1)));
            output.close();
            join.close();
            build.close();
        }
    }

    @Test
    void notInIsEmptyOnceTheBuildSideHasANull() {
        Schema left = schema(List.of(ScalarType.BIGINT), "l");
        Schema right = schema(List.of(ScalarType.BIGINT), "r");
        try (TestQuery query = new TestQuery(10)) {
            PhysicalPlan.HashJoin node =
                    node(left, right, new JoinCase(JoinKind.NULL_AWARE_ANTI, List.of(ScalarType.BIGINT), false, 1));
            HashJoinBuild build = new HashJoinBuild(node, "HashJoin 1", query.context(), 1);
            List<Object> withNull = new ArrayList<>();
            withNull.add(null);
            withNull.add(1L);
            fill(query, build, right, List.of(withNull), 1, null);
            Operator join = build.probe(_ -> new Operator() {
                        @Override
                        public Step next() {
                            throw new AssertionError("no probe row needs to be read");
                        }

                        @Override
                        public void close() {}
                    })
                    .open(query.worker(0, 1));
            assertThat(join.next()).isSameAs(Step.END);
            join.close();
            build.close();
        }
    }

    @Test
    void aWorkerThatIsClosedEarlyLetsTheOthersFinish() {
        Schema left = schema(List.of(ScalarType.BIGINT), "l");
        Schema right = schema(List.of(ScalarType.BIGINT), "r");
        try (TestQuery query = new TestQuery(10)) {
            PhysicalPlan.HashJoin node =
                    node(left, right, new JoinCase(JoinKind.RIGHT, List.of(ScalarType.BIGINT), false, 1));
            HashJoinBuild build = new HashJoinBuild(node, "HashJoin 1", query.context(), 1);
            fill(query, build, right, List.of(List.of(1L, 1L), List.of(2L, 2L)), 1, null);
            OperatorFactory probe = build.probe(_ -> TestRows.source(List.of()));
            Operator first = probe.open(query.worker(0, 2));
            Operator second = probe.open(query.worker(1, 2));
            Step.Paused paused = (Step.Paused) first.next();
            assertThat(paused.wake()).isNotDone();
            second.close();
            assertThat(paused.wake()).isDone();
            assertThat(TestRows.drain(first, 10)).hasSize(2);
            build.close();
        }
    }

    @Test
    void threadsBuildAndProbeTogether() throws Exception {
        Schema left = schema(List.of(ScalarType.INTEGER), "l");
        Schema right = schema(List.of(ScalarType.INTEGER), "r");
        JoinCase join = new JoinCase(JoinKind.FULL, List.of(ScalarType.INTEGER), false, 1);
        List<List<Object>> leftRows = new ArrayList<>();
        List<List<Object>> rightRows = new ArrayList<>();
        for (long i = 0; i < 20_000; i++) {
            leftRows.add(List.of(i / 2, i));
            rightRows.add(List.of(10_000 - i / 3, i));
        }
        int threads = 4;
        try (TestQuery query = new TestQuery(512);
                ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            HashJoinBuild build = new HashJoinBuild(node(left, right, join), "HashJoin 1", query.context(), threads);
            List<Batch> builds = TestRows.batches(right, rightRows, query.context(), query.input(), null);
            List<Batch> probes = TestRows.batches(left, leftRows, query.context(), query.input(), null);
            inParallel(executor, threads, w -> {
                Sink sink = build.sink(query.worker(w, threads));
                for (int b = w; b < builds.size(); b += threads) {
                    sink.accept(builds.get(b));
                }
                sink.finish();
                return null;
            });
            inParallel(executor, build.closingParts(), part -> {
                build.closePart(part);
                return null;
            });
            OperatorFactory probe = build.probe(worker -> {
                List<Batch> own = new ArrayList<>();
                for (int b = worker.worker(); b < probes.size(); b += threads) {
                    own.add(probes.get(b));
                }
                return TestRows.source(own);
            });
            List<List<Object>> given = new ArrayList<>();
            inParallel(executor, threads, w -> TestRows.drain(probe.open(query.worker(w, threads)), 512))
                    .forEach(given::addAll);
            build.close();
            Map<Object, List<List<Object>>> byKey = rightRows.stream().collect(Collectors.groupingBy(List::getFirst));
            long matches = leftRows.stream()
                    .mapToLong(
                            row -> byKey.getOrDefault(row.getFirst(), List.of()).size())
                    .sum();
            assertThat(given.stream().filter(row -> !row.contains(null))).hasSize((int) matches);
            assertThat(given.stream().filter(row -> row.get(0) == null).map(row -> row.get(3)))
                    .containsExactlyInAnyOrderElementsOf(rightRows.stream()
                            .filter(row -> (Long) row.getFirst() >= 10_000)
                            .map(row -> row.get(1))
                            .toList());
        }
    }

    private static <T> List<T> inParallel(ExecutorService executor, int tasks, IntFunction<T> task) throws Exception {
        List<Future<T>> futures = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            int number = i;
            futures.add(executor.submit(() -> task.apply(number)));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> future : futures) {
            results.add(future.get());
        }
        return results;
    }

    @Test
    void refusesKeysThatAreStoredDifferently() {
        Schema left = schema(List.of(ScalarType.decimal(12, 2)), "l");
        Schema right = schema(List.of(ScalarType.decimal(12, 3)), "r");
        PhysicalPlan.HashJoin node = new PhysicalPlan.HashJoin(
                new PhysicalPlan.Values(left, List.of()),
                new PhysicalPlan.Values(right, List.of()),
                JoinKind.INNER,
                List.of(new InputColumn(0, left.type(0))),
                List.of(new InputColumn(0, right.type(0))),
                null);
        try (TestQuery query = new TestQuery(10)) {
            assertThatThrownBy(() -> new HashJoinBuild(node, "HashJoin 1", query.context(), 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("join keys of types DECIMAL(12, 2) and DECIMAL(12, 3): cast one to the other's type");
        }
    }

    @Test
    void joinsKeysOfDifferentWidths() {
        Schema left =
                Schema.of(new Field("a", ScalarType.decimal(38, 2), true), new Field("b", ScalarType.BIGINT, true));
        Schema right =
                Schema.of(new Field("x", ScalarType.decimal(12, 2), true), new Field("y", ScalarType.INTEGER, true));
        PhysicalPlan.HashJoin node = new PhysicalPlan.HashJoin(
                new PhysicalPlan.Values(left, List.of()),
                new PhysicalPlan.Values(right, List.of()),
                JoinKind.INNER,
                List.of(new InputColumn(0, left.type(0)), new InputColumn(1, left.type(1))),
                List.of(new InputColumn(0, right.type(0)), new InputColumn(1, right.type(1))),
                null);
        BigDecimal two = new BigDecimal("2.00");
        BigDecimal wrapped = new BigDecimal(BigInteger.ONE.shiftLeft(64).add(BigInteger.valueOf(200)), 2);
        try (TestQuery query = new TestQuery(10)) {
            HashJoinBuild build = new HashJoinBuild(node, "HashJoin 1", query.context(), 1);
            fill(query, build, right, List.of(List.of(two, 3L), List.of(two, -1L)), 1, null);
            Batch input = TestRows.batch(
                    left,
                    List.of(List.of(two, 3L), List.of(wrapped, 3L), List.of(two, (1L << 32) - 1)),
                    query.input(),
                    null);
            Operator join = build.probe(_ -> TestRows.source(List.of(input))).open(query.worker(0, 1));
            assertThat(TestRows.drain(join, 10)).containsExactly(List.of(two, 3L, two, 3L));
            build.close();
        }
    }

    /// One key for all rows, and a residual that lets no pair through: a probe batch gives nothing for long.
    @ParameterizedTest
    @EnumSource(JoinKind.class)
    void stopsBetweenThePairsOfOneProbeBatch(JoinKind kind) {
        Schema schema = schema(List.of(ScalarType.BIGINT), "c");
        List<List<Object>> left = Collections.nCopies(16, List.of(1L, 5L));
        List<List<Object>> right = Collections.nCopies(160, List.of(1L, 3L));
        TestQuery query = new TestQuery(16);
        PhysicalPlan.HashJoin node = node(schema, schema, new JoinCase(kind, List.of(ScalarType.BIGINT), true, 1));
        HashJoinBuild build = new HashJoinBuild(node, "HashJoin 1, build side", query.context(), 1);
        fill(query, build, schema, right, 1, new Random(1));
        Batch probe = TestRows.batch(schema, left, query.input(), null);
        Operator join = build.probe(_ -> TestRows.source(List.of(probe))).open(query.worker(0, 1));
        query.context().cancel("the test said so");
        assertThatThrownBy(join::next).isInstanceOf(QueryCancelledException.class);
        join.close();
        build.close();
        query.abandon();
    }

    /// Rows with a NULL in their key are compared with all build rows: far more than a time slice has room for.
    @Test
    void givesWayWhileItComparesRowsThatANullLeavesOpen() {
        List<ScalarType> keys = List.of(ScalarType.BIGINT, ScalarType.BIGINT);
        Schema schema = schema(keys, "c");
        List<List<Object>> left = Collections.nCopies(1000, Arrays.asList(null, 7L, 5L));
        List<List<Object>> right = new ArrayList<>();
        for (long i = 0; i < 3000; i++) {
            right.add(List.of(i, i == 2999 ? 7L : 8L, 0L));
        }
        try (TestQuery query = new TestQuery(1000)) {
            PhysicalPlan.HashJoin node = node(schema, schema, new JoinCase(JoinKind.MARK, keys, false, 1));
            HashJoinBuild build = new HashJoinBuild(node, "HashJoin 1", query.context(), 1);
            fill(query, build, schema, right, 1, null);
            Batch probe = TestRows.batch(schema, left, query.input(), null);
            Operator join = build.probe(_ -> TestRows.source(List.of(probe))).open(query.worker(0, 1));
            int pauses = 0;
            Step step = join.next();
            while (step instanceof Step.Paused) {
                pauses++;
                step = join.next();
            }
            assertThat(pauses).isGreaterThan(2);
            Batch output = (Batch) step;
            assertThat(TestRows.count(TestRows.read(output)))
                    .isEqualTo(Map.of(Arrays.asList(null, 7L, 5L, null), 1000L));
            output.close();
            join.close();
            build.close();
        }
    }
}
