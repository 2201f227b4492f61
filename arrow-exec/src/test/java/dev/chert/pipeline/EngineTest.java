package dev.chert.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.Field;
import dev.chert.batch.Layouts;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.expression.AggregateCall;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.expression.Expression.Literal;
import dev.chert.expression.SortKey;
import dev.chert.function.FunctionRegistry;
import dev.chert.plan.JoinKind;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.Settings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Plans built by hand, without SQL.
class EngineTest {
    private static final Schema NUMBERS =
            Schema.of(Field.of("n", ScalarType.BIGINT), Field.of("half", ScalarType.BIGINT));

    @ParameterizedTest
    @CsvSource({"1, 4096", "2, 4096", "2, 7", "3, 1"})
    void aPlanOfEveryKindOfNodeGivesItsRows(int threads, int batchSize) throws Exception {
        assertThat(run(example(), threads, batchSize)).isEqualTo(expected());
    }

    @Test
    void aPlanSurvivesSerialisation() throws Exception {
        PhysicalPlan plan = example();
        PhysicalPlan back = copy(plan);
        assertThat(back).isEqualTo(plan);
        assertThat(run(back, 2, 4096)).isEqualTo(expected());
    }

    @Test
    void aQueryWhoseStartFailsIsClosed() throws Exception {
        Settings settings = Settings.defaults()
                .with("memory.limit", "64MiB")
                .with("query.timeout", "1h")
                .with("test.check-memory", "on");
        QueryOrigin tooLong = new QueryOrigin("", Duration.ofSeconds(Long.MAX_VALUE)); // no sum with it fits
        try (Engine engine = new Engine(settings)) {
            assertThatThrownBy(() -> engine.execute(numbers(100), tooLong, settings))
                    .isInstanceOf(ArithmeticException.class);
            Thread.sleep(200); // what still ran would fill the queue of its results
            assertThat(engine.memory().liveBuffers()).isZero();
        }
    }

    private static PhysicalPlan copy(PhysicalPlan plan) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(plan);
        return (PhysicalPlan) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    }

    /// Groups the numbers 10 to 99, twice, by their half, joins the groups with the numbers 0 to 99 by number,
    /// adds up and gives the second to the fourth of the greatest sums.
    private static PhysicalPlan example() {
        PhysicalPlan numbers = new PhysicalPlan.UnionAll(List.of(numbers(100), numbers(100)), NUMBERS);
        Expression atLeastTen =
                FunctionRegistry.bind(">=", List.of(column(0), new Literal(10L, ScalarType.BIGINT)), null);
        PhysicalPlan groups = new PhysicalPlan.HashAggregate(
                new PhysicalPlan.Exchange(
                        new PhysicalPlan.Filter(numbers, atLeastTen), new PhysicalPlan.Distribution.Any()),
                List.of(column(1)),
                List.of(new AggregateCall("sum", List.of(column(0)), false, null, ScalarType.BIGINT, null)),
                NUMBERS);
        PhysicalPlan joined = new PhysicalPlan.HashJoin(
                groups, numbers(100), JoinKind.INNER, List.of(column(0)), List.of(column(0)), null);
        PhysicalPlan crossed = new PhysicalPlan.NestedLoopJoin(joined, numbers(1), JoinKind.INNER, null);
        Expression total = FunctionRegistry.bind("+", List.of(column(1), column(3)), null);
        PhysicalPlan projected = new PhysicalPlan.Project(crossed, List.of(column(0), total), NUMBERS);
        PhysicalPlan sorted = new PhysicalPlan.Sort(projected, List.of(new SortKey(column(1), false, false)));
        PhysicalPlan top = new PhysicalPlan.TopN(sorted, List.of(new SortKey(column(1), false, false)), 0, 10);
        return new PhysicalPlan.Limit(top, 1, 3);
    }

    /// The sum of a half `h` from 5 to 49 is `2 * (2h + 2h + 1)`, and `h / 2` is added.
    private static List<List<Long>> expected() {
        List<List<Long>> rows = new ArrayList<>();
        for (long half = 48; half > 45; half--) {
            rows.add(List.of(half, 2 * (4 * half + 1) + half / 2));
        }
        return rows;
    }

    private static InputColumn column(int index) {
        return new InputColumn(index, ScalarType.BIGINT);
    }

    private static PhysicalPlan numbers(int count) {
        List<List<Literal>> rows = new ArrayList<>();
        for (long n = 0; n < count; n++) {
            rows.add(List.of(new Literal(n, ScalarType.BIGINT), new Literal(n / 2, ScalarType.BIGINT)));
        }
        return new PhysicalPlan.Values(NUMBERS, rows);
    }

    private static List<List<Long>> run(PhysicalPlan plan, int threads, int batchSize) {
        Settings settings = Settings.defaults()
                .with("memory.limit", "64MiB")
                .with("execution.threads", Integer.toString(threads))
                .with("test.check-memory", "on")
                .with("execution.batch-size", Integer.toString(batchSize));
        List<List<Long>> rows = new ArrayList<>();
        try (Engine engine = new Engine(settings)) {
            try (QueryExecution execution = engine.execute(plan, settings)) {
                for (Batch batch = execution.take(); batch != null; batch = execution.take()) {
                    for (int i = 0; i < batch.selectedRows(); i++) {
                        int row = batch.selection() == null ? i : batch.selection()[i];
                        rows.add(
                                batch.columns().stream().map(c -> value(c, row)).toList());
                    }
                    batch.close();
                }
            }
            assertThat(engine.memory().reservedBytes()).isZero();
        }
        return rows;
    }

    private static long value(Column column, int row) {
        return column.valueColumn().values().getAtIndex(Layouts.LONG, column.valueRow(row));
    }
}
