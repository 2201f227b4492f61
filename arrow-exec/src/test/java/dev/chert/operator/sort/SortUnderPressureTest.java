package dev.chert.operator.sort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.expression.SortKey;
import dev.chert.operator.RowSource;
import dev.chert.operator.TestRows;
import dev.chert.operator.UnderPressure;
import dev.chert.plan.PhysicalPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class SortUnderPressureTest {
    private static final Schema SCHEMA = Schema.of(Field.of("k", ScalarType.BIGINT), Field.of("s", ScalarType.VARCHAR));

    private static final List<SortKey> KEYS =
            List.of(SortTest.key(0, ScalarType.BIGINT, true, false), SortTest.key(1, ScalarType.VARCHAR, false, true));

    @Test
    void aSortKeepsItsPromises() {
        UnderPressure few = sort(2000);
        few.inEveryShape();
        few.cancelledMidway();
        assertThat(sort(30_000).underLimits(256 << 10, 512 << 10, 1 << 20, 2 << 20, 4 << 20, 8 << 20))
                .isLessThanOrEqualTo(4 << 20);
    }

    @Test
    void aTopNKeepsItsPromises() {
        UnderPressure few = topN(2000, 500);
        few.inEveryShape();
        few.cancelledMidway();
        assertThat(topN(30_000, 20_000).underLimits(256 << 10, 512 << 10, 1 << 20, 2 << 20, 4 << 20, 8 << 20))
                .isLessThanOrEqualTo(4 << 20);
    }

    private static UnderPressure sort(int count) {
        List<List<Object>> rows = rows(count);
        List<List<Object>> expected =
                rows.stream().sorted(SortTest.comparator(KEYS)).toList();
        PhysicalPlan plan = new PhysicalPlan.Sort(new RowSource(SCHEMA, rows).scan(), KEYS);
        return new UnderPressure(plan, given -> {
                    assertThat(TestRows.count(given)).isEqualTo(TestRows.count(rows));
                    SortTest.assertSameOrder(given, expected, KEYS);
                })
                .thatSpills();
    }

    private static UnderPressure topN(int count, int fetch) {
        List<List<Object>> rows = rows(count);
        List<List<Object>> expected = rows.stream()
                .sorted(SortTest.comparator(KEYS))
                .skip(10)
                .limit(fetch)
                .toList();
        PhysicalPlan plan = new PhysicalPlan.TopN(new RowSource(SCHEMA, rows).scan(), KEYS, 10, fetch);
        return new UnderPressure(plan, given -> SortTest.assertSameOrder(given, expected, KEYS)).thatSpills();
    }

    private static List<List<Object>> rows(int count) {
        Random random = new Random(count);
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<Object> row = new ArrayList<>();
            row.add(random.nextInt(20) == 0 ? null : (long) random.nextInt(200));
            row.add(random.nextInt(20) == 0 ? null : "a string that is stored outside its view " + random.nextInt(500));
            rows.add(row);
        }
        return rows;
    }
}
