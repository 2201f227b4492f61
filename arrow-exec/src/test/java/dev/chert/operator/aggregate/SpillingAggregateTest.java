package dev.chert.operator.aggregate;

import static dev.chert.operator.aggregate.AggregationRun.call;
import static dev.chert.operator.aggregate.AggregationRun.input;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.error.ResourceException;
import dev.chert.expression.AggregateCall;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.query.Settings;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Aggregations that do not fit, against the same ones with all the memory they want.
class SpillingAggregateTest {
    private static final List<DataType> TYPES =
            List.of(ScalarType.VARCHAR, ScalarType.BIGINT, ScalarType.VARCHAR, ScalarType.BOOLEAN);
    private static final InputColumn KEY = input(0, ScalarType.VARCHAR);
    private static final InputColumn NUMBER = input(1, ScalarType.BIGINT);
    private static final InputColumn TEXT = input(2, ScalarType.VARCHAR);
    private static final InputColumn CONDITION = input(3, ScalarType.BOOLEAN);

    private static final List<AggregateCall> ALL_KINDS = List.of(
            call("count", false, null),
            call("sum", false, CONDITION, NUMBER),
            call("min", false, null, TEXT),
            call("max", false, CONDITION, TEXT),
            call("count", true, null, NUMBER),
            call("count", true, CONDITION, TEXT),
            call("count", true, null, TEXT),
            call("sum", true, null, NUMBER));

    /// Rows whose keys are long strings and NULL, each in several rows that lie far apart.
    private static List<List<Object>> columns(int rowCount, int keyCount, int textCount) {
        Random random = new Random(17);
        List<List<Object>> columns =
                List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < rowCount; i++) {
            int key = random.nextInt(keyCount);
            columns.get(0).add(key == 0 ? null : "a key that does not fit into its view: " + key);
            columns.get(1).add(random.nextInt(10) == 0 ? null : (long) random.nextInt(100));
            columns.get(2).add("text " + "x".repeat(random.nextInt(30)) + random.nextInt(textCount));
            columns.get(3).add(random.nextInt(3) == 0 ? null : random.nextBoolean());
        }
        return columns;
    }

    private record Limits(long memory, String spill, String constantHash, int workers) {}

    private static Settings settings(String spill, String constantHash) {
        return Settings.defaults()
                .with("test.spill", spill)
                .with("test.constant-hash", constantHash)
                .with("execution.batch-size", "1024");
    }

    private static Map<List<Object>, Integer> rows(
            Limits limits,
            List<List<Object>> columns,
            List<Expression> keys,
            List<AggregateCall> calls,
            boolean expectSpill) {
        Settings settings = settings(limits.spill, limits.constantHash);
        Map<List<Object>, Integer> rows = new HashMap<>();
        try (AggregationRun run = new AggregationRun(settings, limits.workers, 3, limits.memory)) {
            run.rows(TYPES, columns, columns.getFirst().size(), keys, calls)
                    .forEach(row -> rows.merge(row, 1, Integer::sum));
            assertThat(run.spilledBytes() > 0).isEqualTo(expectSpill);
        }
        return rows;
    }

    private static void check(
            Limits limits, List<List<Object>> columns, List<Expression> keys, List<AggregateCall> calls) {
        Map<List<Object>, Integer> expected =
                rows(new Limits(Long.MAX_VALUE, "off", "off", 1), columns, keys, calls, false);
        assertThat(rows(limits, columns, keys, calls, true)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"10000000, off, 1", "10000000, off, 2", "1000000000000, on, 2"})
    void manyKeysWithAllKindsOfStates(long memory, String spill, int workers) {
        check(new Limits(memory, spill, "off", workers), columns(60_000, 40_000, 1000), List.of(KEY), ALL_KINDS);
    }

    @ParameterizedTest
    @CsvSource({"8000000, off, 2", "1000000000000, on, 2"})
    void oneHugeKeyBesideSmallOnes(long memory, String spill, int workers) {
        List<List<Object>> columns = columns(90_000, 200, 200_000);
        for (int i = 0; i < 90_000; i++) {
            if (i % 50 != 0) {
                columns.getFirst().set(i, "the key that nearly all rows have");
            }
        }
        check(new Limits(memory, spill, "off", workers), columns, List.of(KEY), ALL_KINDS);
    }

    @ParameterizedTest
    @CsvSource({"8000000, off, 1", "8000000, off, 2", "1000000000000, on, 2"})
    void distinctTuplesWithoutKeys(long memory, String spill, int workers) {
        check(new Limits(memory, spill, "off", workers), columns(90_000, 100, 200_000), List.of(), ALL_KINDS);
    }

    @Test
    void everythingSpillsAlsoWhereNoLevelHelps() {
        List<List<Object>> columns = columns(4_000, 300, 500);
        check(new Limits(1L << 40, "on", "on", 2), columns, List.of(KEY), ALL_KINDS);
        check(new Limits(1L << 40, "on", "on", 2), columns, List.of(), ALL_KINDS);
    }

    @Test
    void saysWhatHelpsWhereNoLevelHelpsAndTheGroupsDoNotFit() {
        List<List<Object>> columns = columns(8_000, 8_000, 10);
        Settings settings = Settings.defaults().with("test.constant-hash", "on").with("execution.batch-size", "256");
        AggregationRun run = new AggregationRun(settings, 1, 3, 1_000_000);
        assertThatThrownBy(() -> run.rows(TYPES, columns, 8_000, List.of(KEY), ALL_KINDS.subList(0, 4)))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("raise memory.limit");
        run.query().memory().close();
        run.close();
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void makesRoomForOthersBetweenBatchesAndInTheMiddleOfAMerge(int workers) {
        List<List<Object>> columns = columns(20_000, 9_000, 5_000);
        Map<List<Object>, Integer> expected =
                rows(new Limits(Long.MAX_VALUE, "off", "off", 1), columns, List.of(KEY), ALL_KINDS, false);
        Map<List<Object>, Integer> rows = new HashMap<>();
        long limit = 64_000_000;
        try (AggregationRun run = new AggregationRun(settings("off", "off"), workers, 3, limit)) {
            run.underPressure(limit - (6 << 20))
                    .rows(TYPES, columns, 20_000, List.of(KEY), ALL_KINDS)
                    .forEach(row -> rows.merge(row, 1, Integer::sum));
            assertThat(run.spilledBytes()).isPositive();
        }
        assertThat(rows).isEqualTo(expected);
    }

    /// Small tables are not split; the groups of one that is on disk are.
    @ParameterizedTest
    @CsvSource({"1, 1, 4", "2, 1, 4", "2, 2, 4", "1, 1, 8", "2, 3, 8", "2, 8, 8"})
    void losesNothingThatIsSpilledBetweenTheLastRowAndTheFirstRead(int workers, int spills, int calls) {
        List<List<Object>> columns = columns(6_000, 2_000, 1_000);
        List<AggregateCall> some = ALL_KINDS.subList(0, calls);
        Map<List<Object>, Integer> expected =
                rows(new Limits(Long.MAX_VALUE, "off", "off", 1), columns, List.of(KEY), some, false);
        Map<List<Object>, Integer> rows = new HashMap<>();
        try (AggregationRun run = new AggregationRun(settings("off", "off"), workers, 3, 64_000_000)) {
            run.spillingBeforeReading(spills)
                    .rows(TYPES, columns, 6_000, List.of(KEY), some)
                    .forEach(row -> rows.merge(row, 1, Integer::sum));
            assertThat(run.spilledBytes()).isPositive();
        }
        assertThat(rows).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3", "5", "10", "50", "200"})
    void givesEverythingBackWhereItsReadersStopEarly(int steps) {
        List<List<Object>> columns = columns(8_000, 4_000, 2_000);
        for (List<Expression> keys : List.of(List.<Expression>of(KEY), List.<Expression>of())) {
            try (AggregationRun run = new AggregationRun(settings("on", "off"), 2, 3)) {
                run.closingAfter(steps).rows(TYPES, columns, 8_000, keys, ALL_KINDS);
                assertThat(run.storedBytes()).isZero();
            } // which looks for buffers that were kept
        }
    }

    @Test
    void aVarianceOfLargeValuesOutlivesTheDisk() {
        List<Object> values = List.of(1e200, 1e200, 1e200);
        InputColumn value = input(0, ScalarType.DOUBLE);
        try (AggregationRun run = new AggregationRun(settings("on", "off").with("execution.batch-size", "1"), 1, 3)) {
            List<List<Object>> rows = run.rows(
                    List.of(ScalarType.DOUBLE),
                    List.of(values),
                    3,
                    List.of(value),
                    List.of(call("var_pop", false, null, value)));
            assertThat(rows).containsExactly(List.of(1e200, 0.0));
        }
    }

    @Test
    void aSumBeyond128BitsStaysNullHoweverOftenItIsMerged() {
        ScalarType type = ScalarType.decimal(38, 0);
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            values.add(BigInteger.TEN.pow(38).subtract(BigInteger.ONE));
        }
        InputColumn key = input(1, ScalarType.BIGINT);
        List<Object> keys = new ArrayList<>(Collections.nCopies(64, 1L));
        Settings settings = settings("on", "off").with("sql.overflow", "null").with("execution.batch-size", "6");
        for (int seed = 0; seed < 20; seed++) {
            try (AggregationRun run = new AggregationRun(settings, 1, seed)) {
                List<List<Object>> rows = run.rows(
                        List.of(type, ScalarType.BIGINT),
                        List.of(values, keys),
                        64,
                        List.of(key),
                        List.of(call("sum", false, null, input(0, type))));
                assertThat(rows).containsExactly(Arrays.asList(1L, null));
            }
        }
    }

    @Test
    void theFirstValueStaysTheFirstWhereOneWorkerSpills() {
        List<List<Object>> columns = columns(30_000, 3_000, 1000);
        check(
                new Limits(1L << 40, "on", "off", 1),
                columns,
                List.of(KEY),
                List.of(call("first", false, null, TEXT), call("first", false, CONDITION, NUMBER)));
    }
}
