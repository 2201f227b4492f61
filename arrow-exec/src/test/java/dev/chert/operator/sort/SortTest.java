package dev.chert.operator.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.ArrayType;
import dev.chert.batch.Batch;
import dev.chert.batch.DataType;
import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.batch.Step;
import dev.chert.error.TableException;
import dev.chert.expression.Expression.Coalesce;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.expression.Expression.Literal;
import dev.chert.expression.SortKey;
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
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SortTest {
    static List<ScalarType> types() {
        return List.of(
                ScalarType.BOOLEAN,
                ScalarType.TINYINT,
                ScalarType.SMALLINT,
                ScalarType.INTEGER,
                ScalarType.BIGINT,
                ScalarType.REAL,
                ScalarType.DOUBLE,
                ScalarType.decimal(18, 2),
                ScalarType.decimal(38, 4),
                ScalarType.DATE,
                ScalarType.time(3),
                ScalarType.timestamp(6),
                ScalarType.timestampLtz(9),
                ScalarType.INTERVAL_YEAR_MONTH,
                ScalarType.intervalDayTime(3),
                ScalarType.character(8),
                ScalarType.VARCHAR,
                ScalarType.VARBINARY,
                ScalarType.UUID,
                ScalarType.NULL);
    }

    @ParameterizedTest
    @MethodSource("types")
    void ordersEveryTypeInBothDirectionsWithNullsAtEitherEnd(ScalarType type) {
        for (boolean ascending : new boolean[] {true, false}) {
            for (boolean nullsFirst : new boolean[] {true, false}) {
                long seed = type.hashCode() + (ascending ? 1 : 0) + (nullsFirst ? 2 : 0);
                checkSort(List.of(type), List.of(key(0, type, ascending, nullsFirst)), 700, 60, 100, 2, seed);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "7, 1", "7, 3", "100, 2", "4096, 1", "4096, 2"})
    void ordersByManyKeysWhateverTheBatchesAndWorkers(int batchSize, int workers) {
        for (long seed = 0; seed < 6; seed++) {
            Random random = new Random(seed);
            List<ScalarType> types = new ArrayList<>();
            List<SortKey> keys = new ArrayList<>();
            int count = 1 + random.nextInt(5);
            for (int c = 0; c < count; c++) {
                ScalarType type = types().get(random.nextInt(types().size()));
                types.add(random.nextInt(3) == 0 ? ScalarType.VARCHAR : type);
                keys.add(key(c, types.get(c), random.nextBoolean(), random.nextBoolean()));
            }
            checkSort(types, keys, batchSize == 1 ? 100 : 500, 4, batchSize, workers, seed);
        }
    }

    @Test
    void ordersLongStringsBeforeLaterKeysAreLookedAt() {
        Schema schema = Schema.of(new Field("s", ScalarType.VARCHAR, true), new Field("n", ScalarType.BIGINT, false));
        List<List<Object>> rows = new ArrayList<>();
        Random random = new Random(5);
        for (int i = 0; i < 3000; i++) {
            rows.add(List.of("the same beginning " + random.nextInt(40), (long) random.nextInt(5)));
        }
        List<SortKey> keys = List.of(key(0, ScalarType.VARCHAR, false, true), key(1, ScalarType.BIGINT, true, true));
        try (TestQuery query = new TestQuery(256)) {
            assertOrdered(sort(query, schema, keys, rows, 2, random), rows, keys);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 5000, 100_000})
    void ordersManyRowsInRuns(int runRows) {
        Schema schema = Schema.of(new Field("n", ScalarType.BIGINT, false));
        List<List<Object>> rows = new ArrayList<>();
        new Random(1).longs(20_000).forEach(n -> rows.add(List.of(n)));
        List<SortKey> keys = List.of(key(0, ScalarType.BIGINT, true, true));
        try (TestQuery query = new TestQuery(1024)) {
            SortBreaker sort =
                    new SortBreaker(new PhysicalPlan.Sort(input(schema), keys), "Sort 1", query.context(), runRows);
            fill(query, sort, schema, rows, 1, null);
            assertOrdered(TestRows.drain(sort.source().open(query.worker(0, 1)), 1024), rows, keys);
            sort.close();
        }
    }

    @Test
    void ordersByExpressionsThatGiveLongStrings() {
        Schema schema = Schema.of(new Field("s", ScalarType.VARCHAR, true));
        List<List<Object>> rows = new ArrayList<>();
        Random random = new Random(6);
        for (int i = 0; i < 1000; i++) {
            rows.add(Collections.singletonList(
                    random.nextInt(4) == 0 ? null : "the same beginning " + random.nextInt(10)));
        }
        String middle = "the same beginning 4+";
        SortKey key = new SortKey(
                new Coalesce(
                        List.of(new InputColumn(0, ScalarType.VARCHAR), new Literal(middle, ScalarType.VARCHAR)),
                        ScalarType.VARCHAR),
                false,
                false);
        Comparator<List<Object>> descending = Comparator.comparing(
                row -> row.getFirst() == null ? middle : (String) row.getFirst(), Comparator.reverseOrder());
        List<List<Object>> expected = rows.stream().sorted(descending).toList();
        try (TestQuery query = new TestQuery(64)) {
            assertThat(sort(query, schema, List.of(key), rows, 2, random)).isEqualTo(expected);
        }
        try (TestQuery query = new TestQuery(64)) {
            TopNBreaker topN = new TopNBreaker(
                    new PhysicalPlan.TopN(input(schema), List.of(key), 5, 20), "TopN 1", query.context());
            for (int i = 0; i < 6; i++) {
                rows.addAll(List.copyOf(rows.subList(0, 1000)));
            }
            fill(query, topN, schema, rows, 1, random);
            assertThat(TestRows.drain(topN.source().open(query.worker(0, 1)), 64))
                    .isEqualTo(
                            rows.stream().sorted(descending).skip(5).limit(20).toList());
            topN.close();
        }
    }

    @Test
    void keepsOneDictionaryAsSuch() {
        Schema schema = Schema.of(new Field("s", ScalarType.VARCHAR, true));
        List<SortKey> keys = List.of(key(0, ScalarType.VARCHAR, true, false));
        try (TestQuery query = new TestQuery(100)) {
            List<List<Object>> rows = new ArrayList<>();
            LongStream.range(0, 90).forEach(i -> rows.add(List.of("value " + i % 7)));
            Batch batch = null;
            for (int seed = 0; batch == null || !batch.column(0).isDictionary(); seed++) {
                if (batch != null) {
                    batch.close();
                }
                batch = TestRows.batch(schema, rows, query.input(), new Random(seed));
            }
            SortBreaker sort = new SortBreaker(new PhysicalPlan.Sort(input(schema), keys), "Sort 1", query.context());
            Sink sink = sort.sink(query.worker(0, 1));
            sink.accept(batch);
            sink.finish();
            Operator source = sort.source().open(query.worker(0, 1));
            Batch sorted = (Batch) source.next();
            assertThat(sorted.column(0).isDictionary()).isTrue();
            assertThat(TestRows.value(sorted.column(0), 0)).isEqualTo("value 0");
            sorted.close();
            source.close();
            sort.close();
        }
    }

    @Test
    void givesNothingForNoRows() {
        Schema schema = Schema.of(new Field("n", ScalarType.BIGINT, false));
        try (TestQuery query = new TestQuery(10)) {
            List<SortKey> keys = List.of(key(0, ScalarType.BIGINT, true, true));
            assertThat(sort(query, schema, keys, List.of(), 2, null)).isEmpty();
        }
    }

    @Test
    void givesItsMemoryBackWhenItsReaderStopsEarly() {
        Schema schema = Schema.of(new Field("n", ScalarType.BIGINT, false));
        List<List<Object>> rows = new ArrayList<>();
        LongStream.range(0, 1000).forEach(n -> rows.add(List.of(n)));
        try (TestQuery query = new TestQuery(10)) {
            SortBreaker sort = new SortBreaker(
                    new PhysicalPlan.Sort(input(schema), List.of(key(0, ScalarType.BIGINT, false, true))),
                    "Sort 1",
                    query.context());
            fill(query, sort, schema, rows, 2, null);
            Operator source = sort.source().open(query.worker(0, 2));
            Batch first = (Batch) source.next();
            source.close();
            sort.close();
            assertThat(TestRows.read(first).getFirst()).isEqualTo(List.of(999L)); // outlives the sort
            first.close();
            assertThat(source.next()).isSameAs(Step.END);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "7, 2", "4096, 2"})
    void topNGivesTheRowsThatASortWouldGiveFirst(int batchSize, int workers) {
        List<ScalarType> types = List.of(ScalarType.VARCHAR, ScalarType.DOUBLE, ScalarType.BIGINT);
        Schema schema = schema(types);
        for (long seed = 0; seed < 8; seed++) {
            Random random = new Random(seed);
            List<List<Object>> rows = rows(types, batchSize < 10 ? 60 * batchSize : 9000, 1000, random);
            List<SortKey> keys = new ArrayList<>();
            for (int c = 0; c < types.size(); c++) {
                keys.add(key(c, types.get(c), random.nextBoolean(), random.nextBoolean()));
            }
            long offset = random.nextInt(4) == 0 ? rows.size() - 5 : random.nextInt(20);
            long fetch = random.nextInt(5) == 0 ? random.nextInt(9000) : random.nextInt(30);
            try (TestQuery query = new TestQuery(batchSize)) {
                TopNBreaker topN = new TopNBreaker(
                        new PhysicalPlan.TopN(input(schema), keys, offset, fetch), "TopN 1", query.context());
                fill(query, topN, schema, rows, workers, random);
                List<List<Object>> given = new ArrayList<>();
                for (int w = 0; w < workers; w++) {
                    given.addAll(TestRows.drain(topN.source().open(query.worker(w, workers)), batchSize));
                }
                topN.close();
                List<List<Object>> expected = rows.stream()
                        .sorted(comparator(keys))
                        .skip(offset)
                        .limit(fetch)
                        .toList();
                assertSameOrder(given, expected, keys);
                Map<List<Object>, Long> available = TestRows.count(rows);
                assertThat(TestRows.count(given))
                        .as("seed %d", seed)
                        .allSatisfy((row, times) ->
                                assertThat(available.getOrDefault(row, 0L)).isGreaterThanOrEqualTo(times));
            }
        }
    }

    @Test
    void topNKeepsNoMoreMemoryThanItsRowsNeed() {
        Schema schema = Schema.of(new Field("s", ScalarType.VARCHAR, false));
        SortKey key = key(0, ScalarType.VARCHAR, false, true); // every row comes before those seen so far
        try (TestQuery query = new TestQuery(1024)) {
            TopNBreaker topN = new TopNBreaker(
                    new PhysicalPlan.TopN(input(schema), List.of(key), 0, 10), "TopN 1", query.context());
            Sink sink = topN.sink(query.worker(0, 1));
            long most = 0;
            for (int b = 0; b < 40; b++) {
                List<List<Object>> rows = new ArrayList<>();
                for (int i = 0; i < 1024; i++) {
                    rows.add(List.of("a string of the row %07d".formatted(b * 1024 + i)));
                }
                sink.accept(TestRows.batch(schema, rows, query.input(), null));
                most = Math.max(most, query.input().budget().reserved());
            }
            assertThat(most).isLessThan(1 << 20);
            sink.finish();
            assertThat(TestRows.drain(topN.source().open(query.worker(0, 1)), 1024))
                    .first()
                    .isEqualTo(List.of("a string of the row 0040959"));
            topN.close();
        }
    }

    @Test
    void topNOfNothingIsSatisfiedAtOnce() {
        Schema schema = Schema.of(new Field("n", ScalarType.BIGINT, false));
        try (TestQuery query = new TestQuery(10)) {
            TopNBreaker topN = new TopNBreaker(
                    new PhysicalPlan.TopN(input(schema), List.of(key(0, ScalarType.BIGINT, true, true)), 3, 0),
                    "TopN 1",
                    query.context());
            assertThat(topN.isSatisfied()).isTrue();
            fill(query, topN, schema, List.of(List.of(1L)), 1, null);
            assertThat(TestRows.drain(topN.source().open(query.worker(0, 1)), 10))
                    .isEmpty();
            topN.close();
        }
    }

    @Test
    void aWideFetchIsSortedInRuns() {
        Schema schema = Schema.of(new Field("n", ScalarType.BIGINT, false));
        List<List<Object>> rows = new ArrayList<>();
        new Random(3).longs(20_000).forEach(n -> rows.add(List.of(n)));
        List<SortKey> keys = List.of(key(0, ScalarType.BIGINT, true, true));
        try (TestQuery query = new TestQuery(4096)) {
            TopNBreaker topN = new TopNBreaker(
                    new PhysicalPlan.TopN(input(schema), keys, 10, Long.MAX_VALUE), "TopN 1", query.context());
            fill(query, topN, schema, rows, 2, null);
            List<List<Object>> given = TestRows.drain(topN.source().open(query.worker(0, 1)), 4096);
            topN.close();
            assertThat(given)
                    .isEqualTo(rows.stream().sorted(comparator(keys)).skip(10).toList());
        }
    }

    @Test
    void refusesKeysWithoutAnOrder() {
        DataType array = new ArrayType(new Field("element", ScalarType.BIGINT, true));
        Schema schema = Schema.of(new Field("a", array, true));
        try (TestQuery query = new TestQuery(10)) {
            PhysicalPlan.Sort node =
                    new PhysicalPlan.Sort(input(schema), List.of(new SortKey(new InputColumn(0, array), true, true)));
            assertThatThrownBy(() -> new SortBreaker(node, "Sort 1", query.context()))
                    .isInstanceOf(TableException.class)
                    .hasMessageContaining("BIGINT ARRAY");
        }
    }

    private static void checkSort(
            List<ScalarType> types,
            List<SortKey> keys,
            int rowCount,
            int distinct,
            int batchSize,
            int workers,
            long seed) {
        Random random = new Random(seed);
        List<List<Object>> rows = rows(types, rowCount, distinct, random);
        try (TestQuery query = new TestQuery(batchSize)) {
            assertOrdered(sort(query, schema(types), keys, rows, workers, random), rows, keys);
        }
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

    private static void fill(
            TestQuery query, Breaker breaker, Schema schema, List<List<Object>> rows, int workers, Random random) {
        List<Batch> batches = TestRows.batches(schema, rows, query.context(), query.input(), random);
        List<Sink> sinks = new ArrayList<>();
        for (int w = 0; w < workers; w++) {
            sinks.add(breaker.sink(query.worker(w, workers)));
        }
        for (int b = 0; b < batches.size(); b++) {
            sinks.get(b % workers).accept(batches.get(b));
        }
        sinks.forEach(Sink::finish);
    }

    static void assertOrdered(List<List<Object>> given, List<List<Object>> input, List<SortKey> keys) {
        assertThat(TestRows.count(given)).isEqualTo(TestRows.count(input));
        assertSameOrder(given, input.stream().sorted(comparator(keys)).toList(), keys);
    }

    static void assertSameOrder(List<List<Object>> given, List<List<Object>> expected, List<SortKey> keys) {
        assertThat(given).hasSameSizeAs(expected);
        Comparator<List<Object>> comparator = comparator(keys);
        for (int i = 0; i < given.size(); i++) {
            assertThat(comparator.compare(given.get(i), expected.get(i)))
                    .as("row %d is %s, expected %s, by %s", i, given.get(i), expected.get(i), keys)
                    .isZero();
        }
    }

    static Comparator<List<Object>> comparator(List<SortKey> keys) {
        return (a, b) -> {
            for (SortKey key : keys) {
                int column = ((InputColumn) key.expression()).index();
                Object x = a.get(column);
                Object y = b.get(column);
                int order;
                if (x == null || y == null) {
                    order = x == y ? 0 : (x == null) == key.nullsFirst() ? -1 : 1;
                } else {
                    order = TestRows.compare(x, y) * (key.ascending() ? 1 : -1);
                }
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        };
    }

    static List<List<Object>> rows(List<ScalarType> types, int count, int distinct, Random random) {
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<Object> row = new ArrayList<>();
            types.forEach(type -> row.add(TestRows.randomValue(type, distinct, random)));
            rows.add(row);
        }
        return rows;
    }

    static Schema schema(List<ScalarType> types) {
        List<Field> fields = new ArrayList<>();
        types.forEach(type -> fields.add(new Field("c" + fields.size(), type, true)));
        return new Schema(fields);
    }

    static SortKey key(int column, ScalarType type, boolean ascending, boolean nullsFirst) {
        return new SortKey(new InputColumn(column, type), ascending, nullsFirst);
    }

    static PhysicalPlan input(Schema schema) {
        return new PhysicalPlan.Values(schema, List.of());
    }
}
