package dev.chert.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Batch;
import dev.chert.batch.DataType;
import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.error.CorruptFileException;
import dev.chert.error.ResourceException;
import dev.chert.error.ValidationException;
import dev.chert.expression.AggregateCall;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.Call;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.expression.SortKey;
import dev.chert.pipeline.Engine;
import dev.chert.pipeline.QueryExecution;
import dev.chert.plan.JoinKind;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.Settings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// However a query ends, its memory comes back: an input that fails below every operator, an expression that
/// fails in every operator, a memory limit, a reader that stops early.
class EveryPoolReadsZeroTest {
    private static final Expression A = new InputColumn(0, ScalarType.BIGINT);
    private static final Expression B = new InputColumn(1, ScalarType.BIGINT);

    private final Engine engine = new Engine(Settings.defaults()
            .with("execution.threads", "2")
            .with("test.check-memory", "on")
            .with("memory.limit", "128MiB"));

    @AfterEach
    void theEngineClosesEmpty() {
        engine.memory().assertEmpty();
        engine.close();
    }

    /// Every kind of node over one input, which may fail.
    private static Map<String, PhysicalPlan> over(PhysicalPlan input, PhysicalPlan good) {
        Map<String, PhysicalPlan> plans = new LinkedHashMap<>();
        Expression bigger = new Call("<", List.of(A, literal(900)), ScalarType.BOOLEAN, null);
        List<SortKey> byA = List.of(new SortKey(A, true, false));
        plans.put("scan", input);
        plans.put("filter", new PhysicalPlan.Filter(input, bigger));
        plans.put("project", new PhysicalPlan.Project(input, List.of(sum(A, B)), schema("x")));
        plans.put("limit", new PhysicalPlan.Limit(input, 10, Long.MAX_VALUE));
        plans.put("union all", new PhysicalPlan.UnionAll(List.of(good, input), good.schema()));
        plans.put("exchange", new PhysicalPlan.Exchange(input, new PhysicalPlan.Distribution.Any()));
        plans.put("sort", new PhysicalPlan.Sort(input, byA));
        plans.put("top-n", new PhysicalPlan.TopN(input, byA, 0, 100));
        plans.put("aggregate", aggregate(input, List.of(B), A));
        plans.put("global aggregate", aggregate(input, List.of(), A));
        plans.put("nested loop, left", new PhysicalPlan.NestedLoopJoin(input, limited(good), JoinKind.LEFT, less()));
        plans.put("nested loop, right", new PhysicalPlan.NestedLoopJoin(limited(good), input, JoinKind.INNER, less()));
        for (JoinKind kind : JoinKind.values()) {
            plans.put("hash join " + kind + ", probe", join(input, good, kind));
            plans.put("hash join " + kind + ", build", join(good, input, kind));
        }
        return plans;
    }

    static Stream<Arguments> failingInputs() {
        return over(scan(true), scan(false)).entrySet().stream().map(e -> Arguments.of(e.getKey(), e.getValue()));
    }

    static Stream<Arguments> goodInputs() {
        return over(scan(false), scan(false)).entrySet().stream().map(e -> Arguments.of(e.getKey(), e.getValue()));
    }

    /// Plans in which an operator's own expression divides by zero in the second half of a batch.
    static Stream<Arguments> failingExpressions() {
        PhysicalPlan in = scan(false);
        Map<String, PhysicalPlan> plans = new LinkedHashMap<>();
        plans.put(
                "filter", new PhysicalPlan.Filter(in, new Call("<", List.of(failing(), A), ScalarType.BOOLEAN, null)));
        plans.put("project", new PhysicalPlan.Project(in, List.of(A, failing()), schema("a", "x")));
        plans.put("group key", aggregate(in, List.of(failing()), A));
        plans.put("aggregated", aggregate(in, List.of(B), failing()));
        plans.put("sort key", new PhysicalPlan.Sort(in, List.of(new SortKey(failing(), true, false))));
        plans.put("top-n key", new PhysicalPlan.TopN(in, List.of(new SortKey(failing(), true, false)), 0, 10));
        plans.put(
                "nested loop",
                new PhysicalPlan.NestedLoopJoin(
                        in,
                        limited(in),
                        JoinKind.INNER,
                        new Call("<", List.of(failing(), A), ScalarType.BOOLEAN, null)));
        for (JoinKind kind : JoinKind.values()) {
            plans.put(
                    "probe key, " + kind,
                    new PhysicalPlan.HashJoin(in, in, kind, List.of(failing()), List.of(A), null));
            plans.put(
                    "build key, " + kind,
                    new PhysicalPlan.HashJoin(in, in, kind, List.of(A), List.of(failing()), null));
            plans.put(
                    "residual, " + kind,
                    new PhysicalPlan.HashJoin(
                            in,
                            in,
                            kind,
                            List.of(A),
                            List.of(A),
                            new Call("<", List.of(failing(), B), ScalarType.BOOLEAN, null)));
        }
        return plans.entrySet().stream().map(e -> Arguments.of(e.getKey(), e.getValue()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failingInputs")
    void afterAnInputFailed(String name, PhysicalPlan plan) {
        try (QueryExecution query = engine.execute(plan, Settings.defaults())) {
            assertThatThrownBy(() -> drain(query))
                    .isInstanceOf(CorruptFileException.class)
                    .hasMessageContaining(FailingSource.MESSAGE);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failingExpressions")
    void afterAnExpressionFailed(String name, PhysicalPlan plan) {
        try (QueryExecution query = engine.execute(plan, Settings.defaults())) {
            assertThatThrownBy(() -> drain(query)).isInstanceOf(ValidationException.class);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goodInputs")
    void afterTheReaderStoppedEarly(String name, PhysicalPlan plan) {
        try (QueryExecution query = engine.execute(plan, Settings.defaults())) {
            query.take(); // left open
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goodInputs")
    void atTheEnd(String name, PhysicalPlan plan) throws Exception {
        try (QueryExecution query = engine.execute(copy(plan), Settings.defaults())) {
            drain(query);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 13})
    void afterMemoryRanOut(int mebibytes) {
        Engine small = new Engine(Settings.defaults()
                .with("execution.threads", "2")
                .with("test.check-memory", "on")
                .with("memory.limit", mebibytes + "MiB"));
        List<String> pressed = new ArrayList<>();
        over(scan(false), scan(false)).forEach((name, plan) -> {
            try (QueryExecution query = small.execute(plan, Settings.defaults())) {
                drain(query);
                if (query.metrics().spilledBytes() > 0) {
                    pressed.add(name);
                }
            } catch (ResourceException e) {
                pressed.add(name);
            }
            small.memory().assertEmpty();
        });
        small.close();
        if (mebibytes == 1) {
            assertThat(pressed).contains("sort");
        }
    }

    /// A copy through Java serialisation.
    private static PhysicalPlan copy(PhysicalPlan plan) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(plan);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (PhysicalPlan) in.readObject();
        }
    }

    private static void drain(QueryExecution query) {
        for (Batch batch = query.take(); batch != null; batch = query.take()) {
            batch.close();
        }
    }

    private static PhysicalPlan scan(boolean fails) {
        return new PhysicalPlan.Scan(new FailingSource(5, 20, fails), List.of(0, 1), List.of(), Double.NaN);
    }

    private static PhysicalPlan limited(PhysicalPlan input) {
        return new PhysicalPlan.Limit(input, 0, 20);
    }

    private static PhysicalPlan join(PhysicalPlan probe, PhysicalPlan build, JoinKind kind) {
        PhysicalPlan few =
                new PhysicalPlan.Filter(build, new Call("<", List.of(A, literal(2)), ScalarType.BOOLEAN, null));
        return new PhysicalPlan.HashJoin(probe, few, kind, List.of(A), List.of(A), null);
    }

    private static PhysicalPlan aggregate(PhysicalPlan input, List<Expression> keys, Expression argument) {
        List<Field> fields = new ArrayList<>();
        keys.forEach(key -> fields.add(Field.of("key", key.type())));
        fields.add(Field.of("total", ScalarType.BIGINT));
        fields.add(Field.of("number", ScalarType.BIGINT));
        return new PhysicalPlan.HashAggregate(
                input,
                keys,
                List.of(
                        new AggregateCall("sum", List.of(argument), false, null, ScalarType.BIGINT, null),
                        new AggregateCall("count", List.of(argument), true, null, ScalarType.BIGINT, null)),
                new Schema(fields));
    }

    private static Expression sum(Expression left, Expression right) {
        return new Call("+", List.of(left, right), ScalarType.BIGINT, null);
    }

    private static Expression less() {
        return new Call("<", List.of(A, new InputColumn(2, ScalarType.BIGINT)), ScalarType.BOOLEAN, null);
    }

    private static Expression literal(long value) {
        return new Expression.Literal(value, ScalarType.BIGINT);
    }

    /// 1 / (a - 700).
    private static Expression failing() {
        Expression divisor = new Call("-", List.of(A, literal(700)), ScalarType.BIGINT, null);
        return new Call("/", List.of(literal(1), divisor), ScalarType.BIGINT, null);
    }

    private static Schema schema(String... names) {
        DataType type = ScalarType.BIGINT;
        return new Schema(Stream.of(names).map(name -> Field.of(name, type)).toList());
    }
}
