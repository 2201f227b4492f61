package dev.chert.operator.sort;

import static dev.chert.operator.sort.SortTest.assertOrdered;
import static dev.chert.operator.sort.SortTest.assertSameOrder;
import static dev.chert.operator.sort.SortTest.comparator;
import static dev.chert.operator.sort.SortTest.input;
import static dev.chert.operator.sort.SortTest.key;
import static dev.chert.operator.sort.SortTest.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Batch;
import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.batch.Step;
import dev.chert.error.QueryCancelledException;
import dev.chert.error.ResourceException;
import dev.chert.expression.Expression.Coalesce;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.expression.Expression.Literal;
import dev.chert.expression.SortKey;
import dev.chert.memory.Buffer;
import dev.chert.memory.MemoryManager;
import dev.chert.operator.Breaker;
import dev.chert.operator.Operator;
import dev.chert.operator.Sink;
import dev.chert.operator.TestQuery;
import dev.chert.operator.TestRows;
import dev.chert.plan.PhysicalPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sorts whose rows go to disk, against the plain order.
class SortSpillTest {
    private static final Schema LONG_STRINGS =
            Schema.of(new Field("s", ScalarType.VARCHAR, true), new Field("n", ScalarType.BIGINT, false));

    private static final List<SortKey> BY_STRING =
            List.of(key(0, ScalarType.VARCHAR, false, true), key(1, ScalarType.BIGINT, true, true));

    static List<ScalarType> types() {
        return SortTest.types();
    }

    @ParameterizedTest
    @MethodSource("types")
    void ordersEveryTypeFromDisk(ScalarType type) {
        for (boolean ascending : new boolean[] {true, false}) {
            for (boolean nullsFirst : new boolean[] {true, false}) {
                Random random = new Random(type.hashCode());
                List<ScalarType> types = List.of(type, ScalarType.VARCHAR);
                List<List<Object>> rows = SortTest.rows(types, 700, 60, random);
                List<SortKey> keys = List.of(key(0, type, ascending, nullsFirst));
                try (TestQuery query = TestQuery.thatSpills(50, 1L << 30, true, Long.MAX_VALUE)) {
                    assertOrdered(sort(query, schema(types), keys, rows, 2, random), rows, keys);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 10", "1, 1, 10", "1, 2, 4096", "500, 1, 1", "3000, 2, 7", "20000, 3, 4096"})
    void spillsAtEverySafePoint(int rowCount, int workers, int batchSize) {
        Random random = new Random(rowCount);
        List<List<Object>> rows = longStrings(rowCount, 40, random);
        try (TestQuery query = TestQuery.thatSpills(batchSize, 1L << 30, true, Long.MAX_VALUE)) {
            assertOrdered(sort(query, LONG_STRINGS, BY_STRING, rows, workers, random), rows, BY_STRING);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {3L << 20, 4L << 20, 16L << 20})
    void ordersMoreRowsThanMemoryHolds(long limitBytes) {
        Random random = new Random(limitBytes);
        List<List<Object>> rows = longStrings(150_000, 100_000, random);
        try (TestQuery query = TestQuery.thatSpills(1024, limitBytes, false, Long.MAX_VALUE)) {
            SortBreaker sort =
                    new SortBreaker(new PhysicalPlan.Sort(input(LONG_STRINGS), BY_STRING), "Sort 1", query.context());
            fill(query, sort, LONG_STRINGS, rows, 2, random);
            assertThat(query.spilledBytes()).isPositive();
            List<List<Object>> given = TestRows.drain(sort.source().open(query.worker(0, 1)), 1024);
            sort.close();
            assertOrdered(given, rows, BY_STRING);
        }
    }

    @Test
    void mergesManyRunsInSeveralPasses() {
        Random random = new Random(8);
        List<List<Object>> rows = longStrings(30_000, 1000, random);
        try (TestQuery query = TestQuery.thatSpills(64, 2L << 20, true, Long.MAX_VALUE)) {
            // a run for each of 470 batches, of which no more than a few blocks fit side by side
            assertOrdered(sort(query, LONG_STRINGS, BY_STRING, rows, 2, random), rows, BY_STRING);
        }
    }

    @Test
    void ordersByExpressionsThatGiveLongStrings() {
        String middle = "the same beginning 4+";
        SortKey key = new SortKey(
                new Coalesce(
                        List.of(new InputColumn(0, ScalarType.VARCHAR), new Literal(middle, ScalarType.VARCHAR)),
                        ScalarType.VARCHAR),
                false,
                false);
        Random random = new Random(6);
        List<List<Object>> rows = longStrings(2000, 10, random);
        Comparator<List<Object>> descending = Comparator.comparing(
                row -> row.getFirst() == null ? middle : (String) row.getFirst(), Comparator.reverseOrder());
        try (TestQuery query = TestQuery.thatSpills(64, 1L << 30, true, Long.MAX_VALUE)) {
            List<List<Object>> given = sort(query, LONG_STRINGS, List.of(key), rows, 2, random);
            assertThat(TestRows.count(given)).isEqualTo(TestRows.count(rows));
            assertThat(given).isSortedAccordingTo(descending);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 5, true",
        "3, 400, true",
        "2990, 100, true",
        "0, 0, true",
        "10, 100000, true",
        "100, 30000, false",
        "20000, 9000000000, false",
        "0, 40000, false"
    })
    void topNGivesTheFirstRowsFromDisk(long offset, long fetch, boolean always) {
        Random random = new Random(offset + fetch);
        List<List<Object>> rows = longStrings(always ? 3000 : 60_000, 100_000, random);
        try (TestQuery query = TestQuery.thatSpills(256, always ? 64 << 20 : 3 << 20, always, Long.MAX_VALUE)) {
            TopNBreaker topN = new TopNBreaker(
                    new PhysicalPlan.TopN(input(LONG_STRINGS), BY_STRING, offset, fetch), "TopN 1", query.context());
            fill(query, topN, LONG_STRINGS, rows, 2, random);
            List<List<Object>> given = TestRows.drain(topN.source().open(query.worker(0, 1)), 256);
            topN.close();
            List<List<Object>> expected = rows.stream()
                    .sorted(comparator(BY_STRING))
                    .skip(offset)
                    .limit(fetch)
                    .toList();
            assertSameOrder(given, expected, BY_STRING);
        }
    }

    @Test
    void aSmallTopNCutsItsRowsRatherThanWritingThem() {
        Random random = new Random(12);
        List<List<Object>> rows = longStrings(30_000, 100_000, random);
        try (TestQuery query = TestQuery.thatSpills(1024, 1L << 30, true, Long.MAX_VALUE)) {
            TopNBreaker topN = new TopNBreaker(
                    new PhysicalPlan.TopN(input(LONG_STRINGS), BY_STRING, 0, 10), "TopN 1", query.context());
            fill(query, topN, LONG_STRINGS, rows, 1, random);
            assertThat(query.writtenBytes()).isLessThan(100_000);
            List<List<Object>> given = TestRows.drain(topN.source().open(query.worker(0, 1)), 1024);
            topN.close();
            List<List<Object>> expected =
                    rows.stream().sorted(comparator(BY_STRING)).limit(10).toList();
            assertSameOrder(given, expected, BY_STRING);
        }
    }

    @Test
    void aTopNWritesRowsThatThereIsNoMemoryToCut() {
        Random random = new Random(14);
        List<List<Object>> rows = longStrings(8000, 100_000, random);
        try (TestQuery query = TestQuery.thatSpills(256, 16L << 20, false, Long.MAX_VALUE)) {
            TopNBreaker topN = new TopNBreaker(
                    new PhysicalPlan.TopN(input(LONG_STRINGS), BY_STRING, 0, 300), "TopN 1", query.context());
            Sink sink = topN.sink(query.worker(0, 1));
            MemoryManager memory = query.context().memory().manager();
            for (int from = 0; from < rows.size(); from += 256) {
                List<List<Object>> some = rows.subList(from, Math.min(rows.size(), from + 256));
                Batch batch = TestRows.batch(LONG_STRINGS, some, query.input(), null);
                assertThat(sink.ready()).isNull();
                long rest = from == 0 ? 0 : memory.limitBytes() - memory.reservedBytes();
                query.input().budget().reserve(rest);
                sink.accept(batch);
                query.input().budget().release(rest);
            }
            assertThat(query.writtenBytes()).isPositive();
            while (sink.readyToFinish() != null) {
                // goes on
            }
            sink.finish();
            List<List<Object>> given = TestRows.drain(topN.source().open(query.worker(0, 1)), 256);
            topN.close();
            List<List<Object>> expected =
                    rows.stream().sorted(comparator(BY_STRING)).limit(300).toList();
            assertSameOrder(given, expected, BY_STRING);
        }
    }

    @Test
    void sortingGivesWayWithinARunAndAtTheEnd() {
        Random random = new Random(13);
        List<List<Object>> rows = longStrings(150_000, 1000, random);
        try (TestQuery query = new TestQuery(4096)) {
            SortBreaker sort = new SortBreaker(
                    new PhysicalPlan.Sort(input(LONG_STRINGS), BY_STRING), "Sort 1", query.context(), 100_000);
            Sink sink = sort.sink(query.worker(0, 1)); // whose slice is over at every third look
            int pauses = 0;
            for (int from = 0; from < rows.size(); from += 4096) {
                while (sink.ready() != null) {
                    pauses++;
                }
                List<List<Object>> some = rows.subList(from, Math.min(rows.size(), from + 4096));
                sink.accept(TestRows.batch(LONG_STRINGS, some, query.input(), null));
            }
            assertThat(pauses).isPositive();
            int before = pauses;
            while (sink.readyToFinish() != null) {
                pauses++;
            }
            assertThat(pauses).isGreaterThan(before);
            sink.finish();
            List<List<Object>> given = TestRows.drain(sort.source().open(query.worker(0, 1)), 4096);
            sort.close();
            assertOrdered(given, rows, BY_STRING);
        }
    }

    @Test
    void rowsLargerThanABlockAreOrdered() {
        List<List<Object>> rows = new ArrayList<>();
        Random random = new Random(1);
        for (int i = 0; i < 60; i++) {
            rows.add(List.of("x".repeat(random.nextInt(300_000)), (long) random.nextInt()));
        }
        try (TestQuery query = TestQuery.thatSpills(4, 24L << 20, true, Long.MAX_VALUE)) {
            assertOrdered(sort(query, LONG_STRINGS, BY_STRING, rows, 1, random), rows, BY_STRING);
        }
    }

    @Test
    void othersMakeFinishedRunsSpill() {
        Random random = new Random(2);
        List<List<Object>> rows = longStrings(40_000, 40_000, random);
        try (TestQuery query = TestQuery.thatSpills(1024, 16L << 20, false, Long.MAX_VALUE)) {
            SortBreaker sort =
                    new SortBreaker(new PhysicalPlan.Sort(input(LONG_STRINGS), BY_STRING), "Sort 1", query.context());
            fill(query, sort, LONG_STRINGS, rows, 2, random);
            assertThat(query.spilledBytes()).isZero();
            askForMemory(query);
            assertThat(query.spilledBytes()).isPositive();
            List<List<Object>> given = TestRows.drain(sort.source().open(query.worker(0, 1)), 1024);
            sort.close();
            assertOrdered(given, rows, BY_STRING);
        }
    }

    @Test
    void othersMakeARunSpillThatIsBeingRead() {
        Random random = new Random(3);
        List<List<Object>> rows = longStrings(40_000, 40_000, random);
        try (TestQuery query = TestQuery.thatSpills(1024, 16L << 20, false, Long.MAX_VALUE)) {
            SortBreaker sort =
                    new SortBreaker(new PhysicalPlan.Sort(input(LONG_STRINGS), BY_STRING), "Sort 1", query.context());
            fill(query, sort, LONG_STRINGS, rows, 3, random);
            Operator source = sort.source().open(query.worker(0, 1));
            List<List<Object>> given = new ArrayList<>();
            for (int batches = 0; batches < 5; ) {
                if (source.next() instanceof Batch batch) {
                    batches++;
                    given.addAll(TestRows.read(batch));
                    batch.close();
                }
            }
            assertThat(query.spilledBytes()).isZero();
            askForMemory(query);
            assertThat(query.spilledBytes()).isPositive();
            given.addAll(TestRows.drain(source, 1024));
            sort.close();
            assertOrdered(given, rows, BY_STRING);
        }
    }

    @Test
    void aReaderThatStopsEarlyFreesTheDisk() {
        Random random = new Random(4);
        List<List<Object>> rows = longStrings(5000, 100, random);
        try (TestQuery query = TestQuery.thatSpills(100, 1L << 30, true, Long.MAX_VALUE)) {
            SortBreaker sort =
                    new SortBreaker(new PhysicalPlan.Sort(input(LONG_STRINGS), BY_STRING), "Sort 1", query.context());
            fill(query, sort, LONG_STRINGS, rows, 2, random);
            assertThat(query.spilledBytes()).isPositive();
            Operator source = sort.source().open(query.worker(0, 1));
            Step step = source.next();
            while (!(step instanceof Batch)) {
                step = source.next();
            }
            source.close();
            assertThat(query.spilledBytes()).isZero();
            ((Batch) step).close();
            assertThat(source.next()).isSameAs(Step.END);
            sort.close();
        }
    }

    @Test
    void aFullDiskIsAnErrorAndLeavesNothingBehind() {
        Random random = new Random(5);
        List<List<Object>> rows = longStrings(50_000, 50_000, random);
        TestQuery query = TestQuery.thatSpills(1024, 4L << 20, false, 20_000);
        SortBreaker sort =
                new SortBreaker(new PhysicalPlan.Sort(input(LONG_STRINGS), BY_STRING), "Sort 1", query.context());
        assertThatThrownBy(() -> fill(query, sort, LONG_STRINGS, rows, 2, random))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("Sort 1")
                .hasMessageContaining("raise spill.limit");
        sort.close();
        query.abandon();
    }

    @Test
    void aCancelledQueryStopsInThePassesOfItsMerge() {
        Random random = new Random(9);
        List<List<Object>> rows = longStrings(10_000, 1000, random);
        TestQuery query = TestQuery.thatSpills(64, 2L << 20, true, Long.MAX_VALUE);
        SortBreaker sort =
                new SortBreaker(new PhysicalPlan.Sort(input(LONG_STRINGS), BY_STRING), "Sort 1", query.context());
        fill(query, sort, LONG_STRINGS, rows, 2, random);
        Operator source = sort.source().open(query.worker(0, 1));
        assertThat(source.next()).isInstanceOf(Step.Paused.class); // gives way before a row is ready
        query.context().cancel("enough");
        assertThatThrownBy(source::next).isInstanceOf(QueryCancelledException.class);
        source.close();
        sort.close();
        query.abandon();
    }

    /// Takes most of 16 MiB for another operator, and gives it back.
    private static void askForMemory(TestQuery query) {
        List<Buffer> others = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            others.add(query.worker(0, 1).allocator("HashJoin 2").allocate(2L << 20));
        }
        others.forEach(Buffer::release);
    }

    /// Strings that agree in their first 19 bytes, some of them NULL, beside numbers.
    private static List<List<Object>> longStrings(int count, int distinct, Random random) {
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<Object> row = new ArrayList<>();
            row.add(random.nextInt(9) == 0 ? null : "the same beginning " + random.nextInt(distinct));
            row.add((long) random.nextInt(100));
            rows.add(Collections.unmodifiableList(row));
        }
        return rows;
    }

    private static List<List<Object>> sort(
            TestQuery query, Schema schema, List<SortKey> keys, List<List<Object>> rows, int workers, Random random) {
        SortBreaker sort = new SortBreaker(new PhysicalPlan.Sort(input(schema), keys), "Sort 1", query.context());
        fill(query, sort, schema, rows, workers, random);
        List<List<Object>> sorted = new ArrayList<>();
        for (int w = 0; w < workers; w++) {
            sorted.addAll(TestRows.drain(
                    sort.source().open(query.worker(w, workers)),
                    query.context().batchSize()));
        }
        sort.close();
        return sorted;
    }

    /// Makes batches one at a time, as a scan does, so that rows are in memory only where the sort keeps them.
    private static void fill(
            TestQuery query, Breaker breaker, Schema schema, List<List<Object>> rows, int workers, Random random) {
        List<Sink> sinks = new ArrayList<>();
        for (int w = 0; w < workers; w++) {
            sinks.add(breaker.sink(query.worker(w, workers)));
        }
        int batchSize = query.context().batchSize();
        int next = 0;
        for (int from = 0; from < rows.size(); from += batchSize) {
            List<List<Object>> some = rows.subList(from, Math.min(rows.size(), from + batchSize));
            for (Batch batch : TestRows.batches(schema, some, query.context(), query.input(), random)) {
                sinks.get(next++ % workers).accept(batch);
            }
        }
        sinks.forEach(Sink::finish);
    }
}
