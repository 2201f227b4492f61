package dev.chert.operator.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.expression.AggregateCall;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.operator.RowSource;
import dev.chert.operator.UnderPressure;
import dev.chert.plan.PhysicalPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class AggregateUnderPressureTest {
    private static final Schema INPUT = Schema.of(
            Field.of("s", ScalarType.VARCHAR), Field.of("n", ScalarType.BIGINT), Field.of("t", ScalarType.VARCHAR));

    private static final Schema OUTPUT = Schema.of(
            Field.of("s", ScalarType.VARCHAR),
            Field.of("count", ScalarType.BIGINT),
            Field.of("sum", ScalarType.BIGINT),
            Field.of("max", ScalarType.VARCHAR),
            Field.of("distinct", ScalarType.BIGINT));

    @Test
    void anAggregationOfManyGroupsKeepsItsPromises() {
        UnderPressure few = aggregation(2000, 700);
        few.inEveryShape();
        few.cancelledMidway();
        assertThat(aggregation(30_000, 15_000)
                        .underLimits(256 << 10, 512 << 10, 1 << 20, 2 << 20, 4 << 20, 8 << 20, 16 << 20, 48 << 20))
                .isLessThanOrEqualTo(48 << 20);
    }

    @Test
    void anAggregationOfFewGroupsWithManyDistinctValuesKeepsItsPromises() {
        UnderPressure few = aggregation(2000, 3);
        few.inEveryShape();
        few.cancelledMidway();
        assertThat(aggregation(30_000, 2)
                        .underLimits(256 << 10, 512 << 10, 1 << 20, 2 << 20, 4 << 20, 8 << 20, 16 << 20, 48 << 20))
                .isLessThanOrEqualTo(48 << 20);
    }

    private static UnderPressure aggregation(int count, int groups) {
        Random random = new Random(count);
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<Object> row = new ArrayList<>();
            row.add(
                    random.nextInt(20) == 0
                            ? null
                            : "a string that is stored outside its view " + random.nextInt(groups));
            row.add(random.nextInt(10) == 0 ? null : (long) random.nextInt(1000));
            row.add(random.nextInt(10) == 0 ? null : "another string that is stored outside " + random.nextInt(5000));
            rows.add(row);
        }
        Expression s = new InputColumn(0, ScalarType.VARCHAR);
        Expression n = new InputColumn(1, ScalarType.BIGINT);
        Expression t = new InputColumn(2, ScalarType.VARCHAR);
        PhysicalPlan plan = new PhysicalPlan.HashAggregate(
                new PhysicalPlan.Exchange(new RowSource(INPUT, rows).scan(), new PhysicalPlan.Distribution.Any()),
                List.of(s),
                List.of(
                        new AggregateCall("count", List.of(), false, null, ScalarType.BIGINT, null),
                        new AggregateCall("sum", List.of(n), false, null, ScalarType.BIGINT, null),
                        new AggregateCall("max", List.of(t), false, null, ScalarType.VARCHAR, null),
                        new AggregateCall("count", List.of(t), true, null, ScalarType.BIGINT, null)),
                OUTPUT);
        return UnderPressure.inAnyOrder(plan, expected(rows)).thatSpills();
    }

    private static List<List<Object>> expected(List<List<Object>> rows) {
        Map<Object, List<List<Object>>> groups = new HashMap<>();
        rows.forEach(row ->
                groups.computeIfAbsent(row.getFirst(), _ -> new ArrayList<>()).add(row));
        List<List<Object>> expected = new ArrayList<>();
        groups.forEach((key, group) -> {
            List<Long> numbers = group.stream()
                    .map(row -> (Long) row.get(1))
                    .filter(Objects::nonNull)
                    .toList();
            List<String> texts = group.stream()
                    .map(row -> (String) row.get(2))
                    .filter(Objects::nonNull)
                    .toList();
            expected.add(Arrays.asList(
                    key,
                    (long) group.size(),
                    numbers.isEmpty()
                            ? null
                            : numbers.stream().mapToLong(Long::longValue).sum(),
                    texts.stream().max(String::compareTo).orElse(null),
                    (long) new HashSet<>(texts).size()));
        });
        return expected;
    }
}
