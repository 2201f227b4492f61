package dev.chert.operator.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Batch;
import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.error.ChertException;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.Call;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.expression.Expression.Literal;
import dev.chert.expression.SortKey;
import dev.chert.function.FunctionRegistry;
import dev.chert.operator.TestRows;
import dev.chert.operator.join.JoinReference.Condition;
import dev.chert.pipeline.Engine;
import dev.chert.pipeline.QueryExecution;
import dev.chert.plan.JoinKind;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.Settings;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Joins as the engine runs them: cut into pipelines, over several workers.
class JoinsInParallelTest {
    private static final Schema LEFT = Schema.of(
            new Field("a", ScalarType.BIGINT, true),
            new Field("b", ScalarType.BIGINT, true),
            new Field("s", ScalarType.VARCHAR, true));
    private static final Schema RIGHT =
            Schema.of(new Field("x", ScalarType.BIGINT, true), new Field("y", ScalarType.BIGINT, true));

    @ParameterizedTest
    @EnumSource(JoinKind.class)
    void giveTheSameRowsWithAnyNumberOfThreads(JoinKind kind) {
        for (int threads = 1; threads <= 3; threads++) {
            Random random = new Random(threads);
            List<List<Object>> left = rows(LEFT, 700, random);
            List<List<Object>> right = rows(RIGHT, 400, random);
            for (boolean residual : new boolean[] {false, true}) {
                List<List<Object>> expected = JoinReference.join(kind, left, right, 3, 2, condition(residual));
                PhysicalPlan hash = hashJoin(kind, left, right, residual ? less(1, 4) : null);
                Expression all = residual ? new Expression.And(List.of(equal(0, 3), less(1, 4))) : equal(0, 3);
                PhysicalPlan nested =
                        new PhysicalPlan.NestedLoopJoin(values(LEFT, left), values(RIGHT, right), kind, all);
                for (String spill : List.of("off", "on")) {
                    Settings settings = settings(threads).with(Settings.SPILL_ALWAYS.key(), spill);
                    try (Engine engine = new Engine(settings)) {
                        assertThat(TestRows.count(run(engine, hash))).isEqualTo(TestRows.count(expected));
                        assertThat(TestRows.count(run(engine, nested))).isEqualTo(TestRows.count(expected));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(JoinKind.class)
    void endBelowALimitThatIsReached(JoinKind kind) {
        Random random = new Random(7);
        List<List<Object>> left = rows(LEFT, 700, random);
        PhysicalPlan join = hashJoin(kind, left, rows(RIGHT, 400, random), null);
        PhysicalPlan again = new PhysicalPlan.HashJoin(
                join,
                values(LEFT, left),
                JoinKind.RIGHT,
                List.of(new InputColumn(0, ScalarType.BIGINT)),
                List.of(new InputColumn(0, ScalarType.BIGINT)),
                null);
        for (String spill : List.of("off", "on")) {
            try (Engine engine = new Engine(settings(2).with(Settings.SPILL_ALWAYS.key(), spill))) {
                assertThat(run(engine, new PhysicalPlan.Limit(again, 0, 3))).hasSize(3);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(JoinKind.class)
    void leaveNothingBehindWhenTheirConditionFails(JoinKind kind) {
        Random random = new Random(7);
        List<List<Object>> left = rows(LEFT, 700, random);
        List<List<Object>> right = rows(RIGHT, 400, random);
        Expression failing = FunctionRegistry.bind(
                "=",
                List.of(
                        FunctionRegistry.bind(
                                "/",
                                List.of(
                                        new InputColumn(1, ScalarType.BIGINT),
                                        FunctionRegistry.bind(
                                                "-",
                                                List.of(
                                                        new InputColumn(4, ScalarType.BIGINT),
                                                        new Literal(3L, ScalarType.BIGINT)),
                                                null)),
                                null),
                        new Literal(1L, ScalarType.BIGINT)),
                null);
        for (String spill : List.of("off", "on")) {
            try (Engine engine = new Engine(settings(2).with(Settings.SPILL_ALWAYS.key(), spill))) {
                for (PhysicalPlan join : List.of(
                        hashJoin(kind, left, right, failing),
                        new PhysicalPlan.NestedLoopJoin(values(LEFT, left), values(RIGHT, right), kind, failing))) {
                    failsAndLeavesNothing(engine, join);
                }
            }
        }
    }

    private static void failsAndLeavesNothing(Engine engine, PhysicalPlan join) {
        PhysicalPlan sorted =
                new PhysicalPlan.Sort(join, List.of(new SortKey(new InputColumn(0, ScalarType.BIGINT), true, true)));
        assertThatThrownBy(() -> run(engine, sorted))
                .isInstanceOf(ChertException.class)
                .hasMessageContaining("division by zero");
        assertThat(engine.memory().reservedBytes()).isZero();
        assertThat(engine.memory().spilledBytes()).isZero();
    }

    private static List<List<Object>> run(Engine engine, PhysicalPlan plan) {
        List<List<Object>> rows = new ArrayList<>();
        try (QueryExecution execution = engine.execute(plan, settings(1))) {
            for (Batch batch = execution.take(); batch != null; batch = execution.take()) {
                rows.addAll(TestRows.read(batch));
                batch.close();
            }
        }
        assertThat(engine.memory().reservedBytes()).isZero();
        return rows;
    }

    private static Settings settings(int threads) {
        return Settings.defaults()
                .with(Settings.EXECUTION_THREADS.key(), Integer.toString(threads))
                .with(Settings.MEMORY_LIMIT.key(), "256MiB")
                .with(Settings.CHECK_MEMORY.key(), "on")
                .with(Settings.BATCH_SIZE.key(), "16");
    }

    private static PhysicalPlan hashJoin(
            JoinKind kind, List<List<Object>> left, List<List<Object>> right, Expression residual) {
        List<Expression> key = List.of(new InputColumn(0, ScalarType.BIGINT));
        return new PhysicalPlan.HashJoin(values(LEFT, left), values(RIGHT, right), kind, key, key, residual);
    }

    private static Condition condition(boolean residual) {
        return (l, r) -> {
            Boolean equal = l.get(0) == null || r.get(0) == null
                    ? null
                    : (Boolean) l.get(0).equals(r.get(0));
            Boolean less = l.get(1) == null || r.get(1) == null ? null : (Boolean) ((Long) l.get(1) < (Long) r.get(1));
            return residual ? JoinReference.and(equal, less) : equal;
        };
    }

    private static Expression equal(int left, int right) {
        return call("=", left, right);
    }

    private static Expression less(int left, int right) {
        return call("<", left, right);
    }

    private static Expression call(String function, int left, int right) {
        return new Call(
                function,
                List.of(new InputColumn(left, ScalarType.BIGINT), new InputColumn(right, ScalarType.BIGINT)),
                ScalarType.BOOLEAN,
                null);
    }

    private static PhysicalPlan values(Schema schema, List<List<Object>> rows) {
        return new PhysicalPlan.Values(
                schema,
                rows.stream()
                        .map(row -> {
                            List<Literal> literals = new ArrayList<>();
                            for (int c = 0; c < schema.size(); c++) {
                                literals.add(new Literal((Serializable) row.get(c), schema.type(c)));
                            }
                            return literals;
                        })
                        .toList());
    }

    private static List<List<Object>> rows(Schema schema, int count, Random random) {
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<Object> row = new ArrayList<>();
            for (Field field : schema.fields()) {
                boolean isNull = random.nextInt(40) == 0;
                row.add(
                        isNull
                                ? null
                                : field.type().equals(ScalarType.VARCHAR)
                                        ? "a string that is long " + random.nextInt(50)
                                        : (Object) (long)
                                                random.nextInt(field.name().matches("[ax]") ? 200 : 8));
            }
            rows.add(row);
        }
        return rows;
    }
}
