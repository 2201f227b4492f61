package dev.chert.operator.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.function.FunctionRegistry;
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
        UnderPressure few = join(kind, 600, 400, 150, false);
        few.inEveryShape();
        few.cancelledMidway();
        assertThat(join(kind, 1500, 3000, 1200, false).underLimits(128 << 10, 512 << 10, 1 << 20, 2 << 20, 8 << 20))
                .isLessThanOrEqualTo(8 << 20);
    }

    /// Most rows have the same key, which no partitioning takes apart.
    @ParameterizedTest
    @EnumSource(JoinKind.class)
    void aJoinOnOneKeyKeepsItsPromises(JoinKind kind) {
        join(kind, 60, 50, 1, false).inEveryShape();
        assertThat(join(kind, 20, 2000, 1, false).underLimits(256 << 10, 2 << 20, 8 << 20))
                .isLessThanOrEqualTo(8 << 20);
    }

    @ParameterizedTest
    @EnumSource(JoinKind.class)
    void aJoinWithAFurtherConditionKeepsItsPromises(JoinKind kind) {
        join(kind, 150, 100, 20, true).inEveryShape();
        assertThat(join(kind, 300, 2000, 300, true).underLimits(256 << 10, 2 << 20, 8 << 20))
                .isLessThanOrEqualTo(8 << 20);
    }

    /// @param compares whether the left number must be less than the right one, too
    private static UnderPressure join(JoinKind kind, int leftCount, int rightCount, int keys, boolean compares) {
        Random random = new Random(leftCount);
        List<List<Object>> left = rows(leftCount, keys, random);
        List<List<Object>> right = rows(rightCount, keys, random);
        List<Expression> key = List.of(new InputColumn(0, ScalarType.VARCHAR));
        Expression residual = compares
                ? FunctionRegistry.bind(
                        "<",
                        List.of(new InputColumn(1, ScalarType.BIGINT), new InputColumn(3, ScalarType.BIGINT)),
                        null)
                : null;
        PhysicalPlan plan = new PhysicalPlan.HashJoin(
                new RowSource(SCHEMA, left).scan(), new RowSource(SCHEMA, right).scan(), kind, key, key, residual);
        List<List<Object>> expected = JoinReference.join(kind, left, right, 2, 2, (l, r) -> {
            if (compares && (Long) l.get(1) >= (Long) r.get(1)) {
                return false;
            }
            Object a = l.getFirst();
            Object b = r.getFirst();
            return a == null || b == null ? null : (Boolean) a.equals(b);
        });
        return UnderPressure.inAnyOrder(plan, expected).thatSpills();
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
