package dev.chert.operator.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.operator.RowSource;
import dev.chert.operator.UnderPressure;
import dev.chert.plan.JoinKind;
import dev.chert.plan.PhysicalPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(300)
class JoinUnderPressureTest {
    private static final Schema SCHEMA = Schema.of(Field.of("s", ScalarType.VARCHAR), Field.of("n", ScalarType.BIGINT));

    @ParameterizedTest
    @EnumSource(JoinKind.class)
    void aJoinKeepsItsPromises(JoinKind kind) {
        UnderPressure few = join(kind, 600, 400, 150);
        few.inEveryShape();
        few.cancelledMidway();
        assertThat(join(kind, 1500, 3000, 1200)
                        .underLimits(64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20, 2 << 20, 4 << 20, 48 << 20))
                .isLessThanOrEqualTo(48 << 20);
    }

    private static UnderPressure join(JoinKind kind, int leftCount, int rightCount, int keys) {
        Random random = new Random(leftCount);
        List<List<Object>> left = rows(leftCount, keys, random);
        List<List<Object>> right = rows(rightCount, keys, random);
        List<Expression> key = List.of(new InputColumn(0, ScalarType.VARCHAR));
        PhysicalPlan plan = new PhysicalPlan.HashJoin(
                new RowSource(SCHEMA, left).scan(), new RowSource(SCHEMA, right).scan(), kind, key, key, null);
        List<List<Object>> expected = JoinReference.join(kind, left, right, 2, 2, (l, r) -> {
            Object a = l.getFirst();
            Object b = r.getFirst();
            return a == null || b == null ? null : (Boolean) a.equals(b);
        });
        return UnderPressure.inAnyOrder(plan, expected);
    }

    private static List<List<Object>> rows(int count, int keys, Random random) {
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<Object> row = new ArrayList<>();
            row.add(
                    random.nextInt(50) == 0
                            ? null
                            : "a string that is stored outside its view " + random.nextInt(keys));
            row.add((long) i);
            rows.add(row);
        }
        return rows;
    }
}
