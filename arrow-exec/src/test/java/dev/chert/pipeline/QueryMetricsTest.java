package dev.chert.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.batch.Step;
import dev.chert.expression.AggregateCall;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.expression.Expression.Literal;
import dev.chert.expression.SortKey;
import dev.chert.function.FunctionRegistry;
import dev.chert.memory.Account;
import dev.chert.memory.Allocator;
import dev.chert.operator.Breaker;
import dev.chert.operator.Sink;
import dev.chert.operator.WorkerContext;
import dev.chert.operator.scan.ScanMetrics;
import dev.chert.plan.JoinKind;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import dev.chert.source.ReadMetrics;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class QueryMetricsTest {
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Schema NUMBERS =
            Schema.of(Field.of("n", ScalarType.BIGINT), Field.of("half", ScalarType.BIGINT));

    private final Settings settings = Settings.defaults()
            .with("memory.limit", "64MiB")
            .with("execution.threads", "2")
            .with("execution.batch-size", "10");
    private final Engine engine = new Engine(settings);

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void countsRowsAndBatchesOfEveryNode() {
        PhysicalPlan filter = new PhysicalPlan.Filter(
                numbers(100),
                FunctionRegistry.bind(">=", List.of(column(0), new Literal(50L, ScalarType.BIGINT)), null));
        QueryMetrics metrics =
                run(new PhysicalPlan.Sort(groupedByHalf(filter), List.of(new SortKey(column(0), true, true))));

        assertThat(metrics.operators())
                .extracting(OperatorMetrics::name)
                .containsExactly("Sort 0", "HashAggregate 1", "Filter 2", "Values 3");
        assertThat(metrics.operators()).extracting(OperatorMetrics::rows).containsExactly(25L, 25L, 50L, 100L);
        assertThat(metrics.operators().getLast().batches()).isEqualTo(10);
        assertThat(metrics.operators().get(2).batches()).isEqualTo(5);
        assertThat(metrics.top().inputs()).containsExactly(metrics.operators().get(1));
        assertThat(metrics.operators().get(2).detail()).isEqualTo(filter.describe());
        assertThat(metrics.rows()).isEqualTo(25);
    }

    @Test
    void keepsTheMemoryPeakOfEveryNodeAfterTheEnd() {
        QueryMetrics metrics = run(groupedByHalf(numbers(1000)));
        OperatorMetrics groups = metrics.top();
        long values = groups.inputs().getFirst().memoryPeakBytes();
        assertThat(groups.memoryPeakBytes()).isPositive();
        assertThat(values).isPositive();
        assertThat(metrics.memoryPeakBytes())
                .isGreaterThanOrEqualTo(Math.max(values, groups.memoryPeakBytes()))
                .isLessThanOrEqualTo(values + groups.memoryPeakBytes());
        assertThat(engine.memory().reservedBytes()).isZero();
    }

    @Test
    void countsWhatEveryNodeSpilled() {
        QueryMetrics metrics = spilled(engine);
        assertThat(metrics.operators())
                .extracting(OperatorMetrics::spilledBytes)
                .containsExactly(10_000L, 20_000L);
        assertThat(metrics.spilledBytes()).isEqualTo(30_000);
        assertThat(metrics.progress().spilledBytes()).isEqualTo(30_000);
        assertThat(run(numbers(1)).spilledBytes()).isZero();
    }

    /// The metrics of a plan of two nodes, of which the upper one has spilled 10,000 bytes and the other one 20,000.
    static QueryMetrics spilled(Engine engine) {
        try (Account account = engine.memory().openAccount("query spills", 1 << 20)) {
            QueryContext query = new QueryContext("spills", Settings.defaults(), Instant.EPOCH, 0, account);
            PhysicalPlan.Values values = numbers(0);
            List<OperatorMetrics> nodes = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                Allocator allocator = account.allocator("Values " + i);
                nodes.add(new OperatorMetrics(values, "Values " + i, allocator));
                allocator
                        .spillFile()
                        .write(allocator.allocateZeroed(10_000 * (i + 1)).segment());
            }
            nodes.getFirst().setInputs(List.of(nodes.getLast()), List.of());
            return new QueryMetrics(query, QueryOrigin.NONE, nodes.getFirst(), System.nanoTime());
        }
    }

    @Test
    void theTimeOfAnInputIsNotItsConsumers() {
        EmptyRows slow = new EmptyRows(List.of(split(30, () -> Thread.sleep(PAUSE), 10, 10, 10)), 0);
        PhysicalPlan limit = new PhysicalPlan.Limit(scan(slow), 0, 25);
        QueryMetrics metrics = run(limit);

        OperatorMetrics scan = metrics.top().inputs().getFirst();
        assertThat(scan.ownTime()).isGreaterThanOrEqualTo(PAUSE.multipliedBy(3));
        assertThat(metrics.top().ownTime()).isLessThan(PAUSE);
        assertThat(metrics.elapsed()).isGreaterThanOrEqualTo(scan.ownTime());
        assertThat(metrics.timeShare(scan)).isGreaterThan(0.7);
        assertThat(metrics.timeShare(scan) + metrics.timeShare(metrics.top())).isCloseTo(1, within(1e-9));
    }

    @Test
    void theTimeOfAnInputBehindAQueueIsNotTakenFromItsConsumer() {
        EmptyRows slow = new EmptyRows(List.of(split(30, () -> Thread.sleep(PAUSE), 10, 10, 10)), 0);
        QueryMetrics metrics = run(new PhysicalPlan.Exchange(scan(slow), new PhysicalPlan.Distribution.Any()));
        assertThat(metrics.top().ownTime()).isPositive().isLessThan(PAUSE);
        assertThat(metrics.top().inputs().getFirst().ownTime()).isGreaterThanOrEqualTo(PAUSE.multipliedBy(3));
    }

    @Test
    void theTimeInSinksAndClosingPartsIsTheBreakers() {
        OperatorMetrics metrics = new OperatorMetrics(numbers(0), "Values 0", null);
        Breaker slow = new MeteredBreaker(new SlowBreaker(), metrics);
        Sink sink = slow.sink(null);
        sink.accept(new Batch(new Column[0], 1));
        assertThat(metrics.ownTime()).isGreaterThanOrEqualTo(PAUSE);
        sink.finish();
        assertThat(metrics.ownTime()).isGreaterThanOrEqualTo(PAUSE.multipliedBy(2));
        assertThat(slow.closingParts()).isEqualTo(3);
        slow.closePart(2);
        assertThat(metrics.ownTime()).isGreaterThanOrEqualTo(PAUSE.multipliedBy(3));
        assertThat(slow.isSatisfied()).isTrue();
        assertThat(sink.ready()).isNotNull();
        slow.close();
    }

    @Test
    void aMeteredBreakerHandsOnEveryCall() {
        assertThat(names(MeteredBreaker.class.getDeclaredMethods())).containsAll(names(Breaker.class.getMethods()));
        Class<?> sink = MeteredBreaker.class.getDeclaredClasses()[0];
        assertThat(names(sink.getDeclaredMethods())).containsAll(names(Sink.class.getMethods()));
    }

    private static List<String> names(Method[] methods) {
        return Arrays.stream(methods).map(Method::getName).toList();
    }

    @Test
    void aBuildsTimeIsTheJoins() {
        PhysicalPlan join = new PhysicalPlan.HashJoin(
                numbers(10), numbers(20_000), JoinKind.INNER, List.of(column(0)), List.of(column(0)), null);
        QueryMetrics metrics = run(join);
        assertThat(metrics.top().rows()).isEqualTo(10);
        assertThat(metrics.timeShare(metrics.top())).isGreaterThan(0.1);
    }

    @Test
    void countsSplitsAndWhatWasReadOfThem() {
        EmptyRows source = new EmptyRows(
                List.of(
                        new EmptyRows.Rows(10, List.of(10), new ReadMetrics(3, 1000), () -> {}),
                        new EmptyRows.Rows(10, List.of(4, 2), new ReadMetrics(1, 24), () -> {})),
                5);
        OperatorMetrics metrics = run(scan(source)).top();
        ScanMetrics scan = metrics.scan().orElseThrow();
        assertThat(scan.totalSplits()).isEqualTo(7);
        assertThat(scan.prunedSplits()).isEqualTo(5);
        assertThat(scan.readSplits()).isEqualTo(2);
        assertThat(scan.rowsRead()).isEqualTo(16);
        assertThat(scan.pagesRead()).isEqualTo(4);
        assertThat(scan.bytesRead()).isEqualTo(1024);
        assertThat(run(numbers(1)).top().scan()).isEmpty();
    }

    @Test
    void aSplitThatIsNotReadToItsEndCountsWhatWasReadOfIt() {
        EmptyRows source = new EmptyRows(
                List.of(
                        new EmptyRows.Rows(100, List.of(10, 10), new ReadMetrics(1, 77), () -> {}),
                        new EmptyRows.Rows(100, List.of(10, 10), new ReadMetrics(1, 1000), () -> {})),
                0);
        QueryMetrics metrics = run(new PhysicalPlan.Limit(scan(source), 0, 5));
        ScanMetrics scan = metrics.top().inputs().getFirst().scan().orElseThrow();
        assertThat(scan.readSplits()).isEqualTo(1);
        assertThat(scan.bytesRead()).isEqualTo(77);
        assertThat(metrics.progress().fraction()).isEqualTo(1);
    }

    @Test
    void progressIsThePartOfAllSourcesThatWasReadOrSkipped() throws Exception {
        Semaphore steps = new Semaphore(0);
        Semaphore reached = new Semaphore(0);
        EmptyRows.Gate gate = () -> {
            reached.release();
            steps.acquire();
        };
        EmptyRows source = new EmptyRows(List.of(split(100, gate, 10), split(-1, gate, 50), split(99, gate, 99)), 3);
        try (QueryExecution execution = engine.execute(new PhysicalPlan.Limit(scan(source), 0, 1000), settings)) {
            List<Double> fractions = new ArrayList<>();
            for (int step = 0; step < 6; step++) { // a limited scan has one worker, which passes the gate once a step
                reached.acquire();
                fractions.add(execution.metrics().progress().fraction() * 200);
                steps.release();
            }
            assertThat(fractions)
                    .usingComparatorForType((a, b) -> Math.abs(a - b) < 1e-6 ? 0 : 1, Double.class)
                    .containsExactly(0.0, 10.0, 100.0, 101.0, 101.0, 198.0);
            drain(execution);
            assertThat(execution.metrics().progress().fraction()).isEqualTo(1);
            assertThat(execution.metrics().progress().rowsRead()).isEqualTo(159);
            assertThat(execution.metrics().progress().rowsGiven()).isEqualTo(159);
        }
    }

    @Test
    void saysHowAQueryEnded() {
        assertThat(run(numbers(3)).outcome()).isEqualTo(QueryMetrics.Outcome.FINISHED);

        EmptyRows endless = new EmptyRows(
                List.of(split(
                        1000,
                        () -> Thread.sleep(1),
                        Collections.nCopies(1000, 1).toArray(Integer[]::new))),
                0);
        QueryExecution closed = engine.execute(scan(endless), settings);
        assertThat(closed.metrics().outcome()).isEqualTo(QueryMetrics.Outcome.RUNNING);
        closed.close();
        assertThat(closed.metrics().outcome()).isEqualTo(QueryMetrics.Outcome.CANCELLED);
        assertThat(closed.metrics().progress().fraction()).isLessThan(1);
        Duration end = closed.metrics().elapsed();
        assertThat(closed.metrics().elapsed()).isEqualTo(end);

        EmptyRows failing = new EmptyRows(
                List.of(split(10, () -> {
                    throw new IllegalArgumentException("it fails");
                })),
                0);
        QueryExecution failed = engine.execute(scan(failing), settings);
        assertThatThrownBy(failed::take).hasMessage("it fails");
        failed.close();
        assertThat(failed.metrics().outcome()).isEqualTo(QueryMetrics.Outcome.FAILED);
    }

    @Test
    void keepsWhereThePlanComesFrom() {
        QueryOrigin origin = new QueryOrigin("SELECT 1", Duration.ofMillis(7));
        try (QueryExecution execution = engine.execute(numbers(1), origin, settings)) {
            assertThat(execution.metrics().text()).isEqualTo("SELECT 1");
            assertThat(execution.metrics().planningTime()).isEqualTo(Duration.ofMillis(7));
            assertThat(execution.metrics().name()).isEqualTo(execution.query().name());
        }
    }

    private static PhysicalPlan groupedByHalf(PhysicalPlan input) {
        return new PhysicalPlan.HashAggregate(
                input,
                List.of(column(1)),
                List.of(new AggregateCall("sum", List.of(column(0)), false, null, ScalarType.BIGINT, null)),
                NUMBERS);
    }

    private static EmptyRows.Rows split(long rowCount, EmptyRows.Gate gate, Integer... batches) {
        return new EmptyRows.Rows(rowCount, List.of(batches), ReadMetrics.NONE, gate);
    }

    private static PhysicalPlan.Scan scan(EmptyRows source) {
        return new PhysicalPlan.Scan(source, List.of(), List.of(), Double.NaN);
    }

    private static InputColumn column(int index) {
        return new InputColumn(index, ScalarType.BIGINT);
    }

    static PhysicalPlan.Values numbers(int count) {
        List<List<Literal>> rows = new ArrayList<>();
        for (long n = 0; n < count; n++) {
            rows.add(List.of(new Literal(n, ScalarType.BIGINT), new Literal(n / 2, ScalarType.BIGINT)));
        }
        return new PhysicalPlan.Values(NUMBERS, rows);
    }

    private QueryMetrics run(PhysicalPlan plan) {
        try (QueryExecution execution = engine.execute(plan, settings)) {
            drain(execution);
            return execution.metrics();
        }
    }

    private static void drain(QueryExecution execution) {
        for (Batch batch = execution.take(); batch != null; batch = execution.take()) {
            batch.close();
        }
    }

    /// Takes its time for everything.
    private static final class SlowBreaker implements Breaker {
        @Override
        public Sink sink(WorkerContext worker) {
            return new Sink() {
                @Override
                public Step.Paused ready() {
                    return Step.Paused.YIELD;
                }

                @Override
                public void accept(Batch batch) {
                    pause();
                }

                @Override
                public void finish() {
                    pause();
                }
            };
        }

        @Override
        public int closingParts() {
            return 3;
        }

        @Override
        public void closePart(int part) {
            assertThat(part).isEqualTo(2);
            pause();
        }

        @Override
        public boolean isSatisfied() {
            return true;
        }

        @Override
        public void close() {
            // holds nothing
        }

        private static void pause() {
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
