package dev.chert.operator.aggregate;

import static dev.chert.operator.aggregate.AggregationRun.call;
import static dev.chert.operator.aggregate.AggregationRun.input;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.TestColumns;
import dev.chert.batch.TypeKind;
import dev.chert.error.QueryCancelledException;
import dev.chert.error.ResourceException;
import dev.chert.error.ValidationException;
import dev.chert.expression.AggregateCall;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.function.aggregate.AggregateFunctions;
import dev.chert.query.Settings;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashAggregateTest {
    private static final Set<String> PICKING = Set.of("any_value", "first");

    @ParameterizedTest
    @CsvSource({
        "4096, 1, off, off, 40",
        "4096, 2, off, off, 40",
        "7, 2, off, off, 30",
        "1, 2, off, off, 8",
        "100, 2, on, off, 12",
        "64, 3, off, off, 30",
        "4096, 1, off, on, 40",
        "64, 2, off, on, 40",
        "7, 3, off, on, 16",
        "100, 2, on, on, 12"
    })
    void agreesWithPlainLists(int batchSize, int workers, String constantHash, String spill, int runs) {
        for (int seed = 0; seed < runs; seed++) {
            Random random = new Random(seed * 31L + workers);
            Settings settings = Settings.defaults()
                    .with("execution.batch-size", Integer.toString(batchSize))
                    .with("test.constant-hash", constantHash)
                    .with("test.spill", spill);
            int rowCount = List.of(0, 1, 50, 63, 64, 65, 500, 1500).get(seed % 8);
            check(settings, workers, random, rowCount, 1 + random.nextInt(60), seed);
        }
    }

    private static void check(
            Settings settings, int workers, Random random, int rowCount, int distinctValues, int seed) {
        List<DataType> types = new ArrayList<>(List.of(ScalarType.BOOLEAN)); // column 0 is the filter
        for (int i = 0; i < 5; i++) {
            types.add(TestColumns.SCALAR_TYPES.get(random.nextInt(TestColumns.SCALAR_TYPES.size())));
        }
        List<List<Object>> columns = new ArrayList<>();
        for (DataType type : types) {
            columns.add(TestColumns.randomValues(type, random, rowCount, distinctValues, random.nextBoolean() ? 0 : 4));
        }
        List<Expression> keys = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            int column = random.nextInt(types.size());
            keys.add(input(column, types.get(column)));
        }
        List<AggregateCall> calls = new ArrayList<>();
        for (int i = random.nextInt(8); i >= 0; i--) {
            calls.add(randomCall(types, random));
        }
        String label = "seed " + seed + ": " + keys + " " + calls + " of " + types;
        try (AggregationRun run = new AggregationRun(settings, workers, seed)) {
            List<List<Object>> rows = run.rows(types, columns, rowCount, keys, calls);
            compare(label, rows, columns, rowCount, keys, calls);
        }
    }

    private static AggregateCall randomCall(List<DataType> types, Random random) {
        Expression filter = random.nextInt(4) == 0 ? input(0, ScalarType.BOOLEAN) : null;
        int column = random.nextInt(types.size());
        DataType type = types.get(column);
        List<String> names = new ArrayList<>(List.of("count", "min", "max", "any_value", "first"));
        if (type.kind() == TypeKind.BOOLEAN) {
            names.addAll(List.of("bool_and", "bool_or"));
        }
        if (type.kind().isNumeric() && type.kind() != TypeKind.BIGINT) {
            names.addAll(List.of("sum", "avg", "sum", "avg", "var_pop", "var_samp", "stddev_pop", "stddev_samp"));
        }
        if (type.kind().isInteger()) {
            names.addAll(List.of("bit_and", "bit_or", "bit_xor"));
        }
        if (random.nextInt(8) == 0) {
            return call("count", false, filter);
        }
        String name = names.get(random.nextInt(names.size()));
        return call(name, random.nextInt(3) == 0, filter, input(column, type));
    }

    private static void compare(
            String label,
            List<List<Object>> rows,
            List<List<Object>> columns,
            int rowCount,
            List<Expression> keys,
            List<AggregateCall> calls) {
        Map<List<Object>, List<Integer>> groups = PlainAggregates.groups(columns, rowCount, keys);
        Set<List<Object>> seen = new HashSet<>();
        for (List<Object> row : rows) {
            List<Object> key = new ArrayList<>();
            row.subList(0, keys.size()).forEach(value -> key.add(TestColumns.canonical(value)));
            assertThat(seen.add(key)).as("%s: %s comes once", label, key).isTrue();
            assertThat(groups).as(label).containsKey(key);
            for (int i = 0; i < calls.size(); i++) {
                AggregateCall call = calls.get(i);
                List<Object> shown = PlainAggregates.shown(columns, groups.get(key), call);
                Object actual = row.get(keys.size() + i);
                compare(label + ", group " + key + ", " + call, actual, shown, call);
            }
        }
        assertThat(seen).as(label).hasSize(groups.size());
    }

    private static void compare(String label, Object actual, List<Object> shown, AggregateCall call) {
        if (PICKING.contains(call.function())) {
            List<Object> canonical =
                    new ArrayList<>(shown.stream().map(TestColumns::canonical).toList());
            if (shown.isEmpty()) {
                canonical.add(null);
            }
            assertThat(canonical).as(label).contains(TestColumns.canonical(actual));
            return;
        }
        Object expected = PlainAggregates.result(call, shown);
        if (expected instanceof Double number && actual != null && call.type().kind() == TypeKind.DOUBLE) {
            if (Double.isNaN(number) || Double.isInfinite(number)) {
                assertThat(Double.isFinite((Double) actual)).as(label).isFalse();
            } else {
                assertThat((Double) actual).as(label).isCloseTo(number, within(1e-9 * (1 + Math.abs(number))));
            }
            return;
        }
        assertThat(TestColumns.canonical(actual)).as(label).isEqualTo(TestColumns.canonical(expected));
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "2, true"})
    void mergesManyGroups(int workers, boolean distinct) {
        int rowCount = distinct ? 45_000 : 300_000;
        int groupCount = distinct ? 20_000 : 250_000;
        List<Object> keys = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < rowCount; i++) {
            keys.add((long) i * 7919 % groupCount);
            values.add((long) i % 3);
        }
        InputColumn key = input(0, ScalarType.BIGINT);
        InputColumn value = input(1, ScalarType.INTEGER);
        List<AggregateCall> calls = List.of(
                call("count", false, null), call("sum", distinct, null, value), call("max", false, null, value));
        try (AggregationRun run = new AggregationRun(Settings.defaults(), workers, 1)) {
            List<List<Object>> rows = run.rows(
                    List.of(ScalarType.BIGINT, ScalarType.INTEGER),
                    List.of(keys, values),
                    rowCount,
                    List.of(key),
                    calls);
            assertThat(rows).hasSize(groupCount);
            assertThat(rows.stream().map(List::getFirst).distinct().count()).isEqualTo(groupCount);
            assertThat(rows.stream().mapToLong(row -> (Long) row.get(1)).sum()).isEqualTo(rowCount);
            if (!distinct) {
                assertThat(rows.stream().mapToLong(row -> (Long) row.get(2)).sum())
                        .isEqualTo(values.stream().mapToLong(v -> (Long) v).sum());
            } else {
                compare("many", rows, List.of(keys, values), rowCount, List.of(key), calls);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void countsManyDistinctValuesOfOneGroup(int workers) {
        int rowCount = 150_000;
        List<Object> values = new ArrayList<>(
                LongStream.range(0, rowCount).map(i -> i % 70_000).boxed().toList());
        InputColumn value = input(0, ScalarType.BIGINT);
        try (AggregationRun run = new AggregationRun(Settings.defaults(), workers, 1)) {
            List<List<Object>> rows = run.rows(
                    List.of(ScalarType.BIGINT),
                    List.of(values),
                    rowCount,
                    List.of(),
                    List.of(
                            call("count", true, null, value),
                            call("sum", true, null, value),
                            call("count", false, null)));
            assertThat(rows).containsExactly(List.of(70_000L, 70_000L * 69_999 / 2, 150_000L));
        }
    }

    @Test
    void findsGroupsOfDictionariesWhileTheTableIsSplit() {
        int rowCount = 60_000;
        Random random = new Random(4);
        List<Object> keys = new ArrayList<>();
        for (int i = 0; i < rowCount; i++) {
            keys.add(random.nextInt(50) == 0 ? null : "a key of some length " + random.nextInt(i / 1000 * 500 + 1));
        }
        InputColumn key = input(0, ScalarType.VARCHAR);
        List<AggregateCall> calls = List.of(call("count", false, null), call("min", false, null, key));
        for (int workers = 1; workers <= 2; workers++) {
            try (AggregationRun run = new AggregationRun(Settings.defaults(), workers, 9)) {
                List<List<Object>> rows =
                        run.rows(List.of(ScalarType.VARCHAR), List.of(keys), rowCount, List.of(key), calls);
                assertThat(rows).hasSize((int) keys.stream().distinct().count());
                Map<List<Object>, List<Integer>> groups = PlainAggregates.groups(List.of(keys), rowCount, List.of(key));
                Set<List<Object>> expected = new HashSet<>();
                groups.forEach(
                        (k, members) -> expected.add(Arrays.asList(k.getFirst(), (long) members.size(), k.getFirst())));
                assertThat(new HashSet<>(rows)).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"100000", "300000", "500000", "700000"})
    void givesAllMemoryBackWhenItIsRefused(long memoryLimit) {
        int rowCount = 60_000;
        List<Object> keys = new ArrayList<>();
        for (int i = 0; i < rowCount; i++) {
            keys.add("a key of some length " + i);
        }
        InputColumn key = input(0, ScalarType.VARCHAR);
        AggregationRun run = new AggregationRun(Settings.defaults(), 2, 9, memoryLimit);
        assertThatThrownBy(() -> run.rows(
                        List.of(ScalarType.VARCHAR),
                        List.of(keys),
                        rowCount,
                        List.of(key),
                        List.of(call("max", false, null, key), call("count", true, null, key))))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("raise memory.limit");
        run.query().memory().close();
        run.close();
    }

    @Test
    void countsDistinctTuplesWithoutNulls() {
        try (AggregationRun run = new AggregationRun(Settings.defaults(), 1, 1)) {
            InputColumn a = input(0, ScalarType.BIGINT);
            InputColumn b = input(1, ScalarType.VARCHAR);
            List<List<Object>> columns =
                    List.of(Arrays.asList(1L, 1L, 1L, null, 2L, 1L), Arrays.asList("x", "x", "y", "x", "x", null));
            List<List<Object>> rows = run.rows(
                    List.of(ScalarType.BIGINT, ScalarType.VARCHAR),
                    columns,
                    6,
                    List.of(),
                    List.of(call("count", true, null, a, b), call("count", false, null, a, b)));
            assertThat(rows).containsExactly(List.of(3L, 4L));
        }
    }

    @Test
    void oneGroupOfNoRowsWithoutKeysAndNoneWithKeys() {
        InputColumn value = input(0, ScalarType.VARCHAR);
        List<AggregateCall> calls = List.of(
                call("count", false, null),
                call("count", true, null, value),
                call("min", false, null, value),
                call("single_value", false, null, value),
                call("sum0", false, null, input(1, ScalarType.BIGINT)),
                call("sum", false, null, input(1, ScalarType.BIGINT)));
        for (int workers = 1; workers <= 2; workers++) {
            try (AggregationRun run = new AggregationRun(Settings.defaults(), workers, 1)) {
                List<DataType> types = List.of(ScalarType.VARCHAR, ScalarType.BIGINT);
                List<List<Object>> nothing = List.of(List.of(), List.of());
                assertThat(run.rows(types, nothing, 0, List.of(), calls))
                        .containsExactly(Arrays.asList(0L, 0L, null, null, 0L, null));
                assertThat(run.rows(types, nothing, 0, List.of(value), calls)).isEmpty();
            }
        }
    }

    @Test
    void nothingButNullsGivesNull() {
        InputColumn value = input(0, ScalarType.NULL);
        List<AggregateCall> calls = List.of(
                new AggregateCall("sum", List.of(value), false, null, ScalarType.NULL, null),
                call("sum", false, null, value),
                call("max", true, null, value),
                call("count", false, null, value));
        try (AggregationRun run = new AggregationRun(Settings.defaults(), 1, 1)) {
            assertThat(run.rows(List.of(ScalarType.NULL), List.of(Arrays.asList(null, null)), 2, List.of(value), calls))
                    .containsExactly(Arrays.asList(null, null, null, null, 0L));
        }
    }

    @Test
    void groupsComeInTheirOrderWhereOneWorkerMetThem() {
        List<Object> keys = List.of("b", "a", "b", "c", "a");
        InputColumn key = input(0, ScalarType.VARCHAR);
        try (AggregationRun run = new AggregationRun(Settings.defaults(), 1, 1)) {
            assertThat(run.rows(List.of(ScalarType.VARCHAR), List.of(keys), 5, List.of(key), List.of()))
                    .containsExactly(List.of("b"), List.of("a"), List.of("c"));
        }
    }

    @Test
    void aSumOfBigintsMayPassTheLimitOnItsWayButNotInTheEnd() {
        InputColumn value = input(0, ScalarType.BIGINT);
        List<AggregateCall> calls = List.of(call("sum", false, null, value), call("avg", false, null, value));
        List<DataType> types = List.of(ScalarType.BIGINT);
        try (AggregationRun run = new AggregationRun(Settings.defaults(), 2, 1)) {
            List<Object> back = List.of(Long.MAX_VALUE, Long.MAX_VALUE, -Long.MAX_VALUE);
            assertThat(run.rows(types, List.of(back), 3, List.of(), calls))
                    .containsExactly(List.of(Long.MAX_VALUE, Long.MAX_VALUE / 3.0));
        }
        AggregationRun failing = new AggregationRun(Settings.defaults(), 1, 1);
        List<Object> over = List.of(Long.MIN_VALUE, -1L);
        assertThatThrownBy(() -> failing.rows(types, List.of(over), 2, List.of(), calls))
                .isInstanceOf(ValidationException.class)
                .hasMessage("SUM overflowed BIGINT; cast the argument to DECIMAL(38, 0)");
        failing.query().memory().close();
        failing.close();
        Settings lenient = Settings.defaults().with("sql.overflow", "null");
        try (AggregationRun run = new AggregationRun(lenient, 1, 1)) {
            assertThat(run.rows(types, List.of(over), 2, List.of(), calls)
                            .getFirst()
                            .getFirst())
                    .isNull();
        }
    }

    @Test
    void averagesOfLargeDecimalsAreRoundedHalfUp() {
        ScalarType type = ScalarType.decimal(38, 0);
        InputColumn value = input(0, type);
        BigInteger large = BigInteger.TEN.pow(30);
        List<Object> values = List.of(large, large.add(BigInteger.ONE), large, large, large, large, large);
        try (AggregationRun run = new AggregationRun(Settings.defaults(), 1, 1)) {
            List<List<Object>> rows =
                    run.rows(List.of(type), List.of(values), 7, List.of(), List.of(call("avg", false, null, value)));
            assertThat(rows.getFirst().getFirst())
                    .isEqualTo(large.multiply(BigInteger.valueOf(1_000_000)).add(BigInteger.valueOf(142_857)));
        }
    }

    @Test
    void aSumBeyond38DigitsIsAnError() {
        ScalarType type = ScalarType.decimal(38, 2);
        List<Object> values = List.of(
                BigInteger.TEN.pow(38).subtract(BigInteger.ONE), BigInteger.TEN.pow(37), BigInteger.TEN.pow(37));
        AggregationRun run = new AggregationRun(Settings.defaults(), 1, 1);
        assertThatThrownBy(() -> run.rows(
                        List.of(type),
                        List.of(values),
                        3,
                        List.of(),
                        List.of(call("sum", false, null, input(0, type)))))
                .isInstanceOf(ValidationException.class)
                .hasMessage("SUM overflowed DECIMAL(38, 2); cast the argument to DOUBLE");
        run.query().memory().close();
        run.close();
    }

    @Test
    void aSumBeyond128BitsIsNullWhereOverflowsAre() {
        ScalarType type = ScalarType.decimal(38, 2);
        BigInteger most = BigInteger.TEN.pow(38).subtract(BigInteger.ONE);
        List<Object> values = List.of(most, most, most, most, most.negate(), most.negate(), most.negate());
        InputColumn value = input(0, type);
        List<AggregateCall> calls = List.of(call("sum", false, null, value), call("avg", false, null, value));
        for (int workers = 1; workers <= 2; workers++) {
            Settings settings = Settings.defaults().with("sql.overflow", "null").with("execution.batch-size", "1");
            try (AggregationRun run = new AggregationRun(settings, workers, 5)) {
                List<Object> row = run.rows(List.of(type), List.of(values.subList(0, 4)), 4, List.of(), calls)
                        .getFirst();
                assertThat(row.getFirst()).isNull();
            }
            try (AggregationRun run = new AggregationRun(settings, 1, 5)) {
                assertThat(run.rows(List.of(type), List.of(values), 7, List.of(), calls))
                        .containsExactly(Arrays.asList(null, null));
            }
        }
    }

    @Test
    void aScalarSubqueryHasOneRowAtMost() {
        List<AggregateCall> calls = List.of(call("single_value", false, null, input(0, ScalarType.VARCHAR)));
        List<DataType> types = List.of(ScalarType.VARCHAR);
        try (AggregationRun run = new AggregationRun(Settings.defaults(), 2, 1)) {
            List<Object> one = List.of("the only value, and a long one");
            assertThat(run.rows(types, List.of(one), 1, List.of(), calls)).containsExactly(one);
        }
        for (int seed = 0; seed < 8; seed++) {
            AggregationRun run = new AggregationRun(Settings.defaults().with("execution.batch-size", "1"), 2, seed);
            assertThatThrownBy(() -> run.rows(types, List.of(Arrays.asList(null, "x")), 2, List.of(), calls))
                    .isInstanceOf(ValidationException.class)
                    .hasMessageContaining("a scalar subquery returned more than one row");
            run.query().memory().close();
            run.close();
        }
    }

    @Test
    void aLargeMergeStopsWhenTheQueryIsCancelled() {
        int rowCount = 300_000;
        List<Object> keys =
                new ArrayList<>(LongStream.range(0, rowCount).boxed().toList());
        AggregationRun run = new AggregationRun(Settings.defaults().with("test.constant-hash", "off"), 2, 1);
        run.query().cancel("the caller closed it");
        assertThatThrownBy(() -> run.rows(
                        List.of(ScalarType.BIGINT),
                        List.of(keys),
                        rowCount,
                        List.of(),
                        List.of(call("count", true, null, input(0, ScalarType.BIGINT)))))
                .isInstanceOf(QueryCancelledException.class);
        run.query().memory().close();
        run.close();
    }

    @Test
    void saysWhichArgumentsAFunctionTakes() {
        assertThatThrownBy(() -> AggregateFunctions.resultType("sum", List.of(ScalarType.VARCHAR)))
                .isInstanceOf(ValidationException.class)
                .hasMessage("sum(VARCHAR) is not defined; sum takes a number");
        assertThatThrownBy(() -> AggregateFunctions.resultType("summ", List.of(ScalarType.BIGINT)))
                .isInstanceOf(ValidationException.class)
                .hasMessage("unknown aggregate function 'summ'; did you mean 'sum'?");
        assertThat(AggregateFunctions.resultType("AVG", List.of(ScalarType.decimal(12, 2))))
                .isEqualTo(ScalarType.decimal(38, 6));
        assertThat(AggregateFunctions.resultType("every", List.of(ScalarType.BOOLEAN)))
                .isEqualTo(ScalarType.BOOLEAN);
    }
}
