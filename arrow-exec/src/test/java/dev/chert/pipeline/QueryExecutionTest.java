package dev.chert.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.Field;
import dev.chert.batch.Layouts;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.batch.Step;
import dev.chert.error.QueryCancelledException;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.operator.Breaker;
import dev.chert.operator.Operator;
import dev.chert.operator.OperatorFactory;
import dev.chert.operator.Sink;
import dev.chert.operator.WorkerContext;
import dev.chert.operator.exchange.BatchQueue;
import dev.chert.operator.limit.LimitOperator;
import dev.chert.operator.limit.RowWindow;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class QueryExecutionTest {
    private static final int THREADS = 2;
    private static final Schema SCHEMA = Schema.of(Field.of("n", ScalarType.BIGINT));

    private final Engine engine = new Engine(Settings.defaults()
            .with("memory.limit", "64MiB")
            .with("execution.threads", Integer.toString(THREADS))
            .with("test.check-memory", "on"));

    @AfterEach
    void everyBufferCameBack() {
        assertThat(engine.memory().liveBuffers()).isZero();
        assertThat(engine.memory().reservedBytes()).isZero();
        engine.close();
    }

    @Test
    void aPipelinePausedOnOneThreadResumesOnAnother() throws Exception {
        CompletableFuture<Void> wake = new CompletableFuture<>();
        CompletableFuture<Thread> before = new CompletableFuture<>();
        CompletableFuture<Thread> after = new CompletableFuture<>();
        OperatorFactory source = chain(allocator -> {
            if (before.complete(Thread.currentThread())) {
                return new Step.Paused(wake);
            }
            return after.complete(Thread.currentThread()) ? batch(allocator, 7) : Step.END;
        });
        try (QueryExecution execution = start(query -> List.of(new Pipeline(source, results(1), List.of(), 1)))) {
            Thread first = before.get();
            CountDownLatch release = new CountDownLatch(1);
            CountDownLatch occupied = new CountDownLatch(1);
            occupy(first, occupied, release);
            occupied.await();
            wake.complete(null);
            assertThat(after.get()).isNotSameAs(first);
            release.countDown();
            assertThat(sum(execution)).isEqualTo(7);
        }
    }

    /// Blocks one worker thread: the task goes back to the queue until it runs on that one.
    private void occupy(Thread wanted, CountDownLatch occupied, CountDownLatch release) {
        engine.scheduler().submit(engine.scheduler().newShare(), _ -> {
            if (Thread.currentThread() != wanted) {
                occupy(wanted, occupied, release);
                return;
            }
            occupied.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void everyWorkerSharesTheSource() {
        AtomicLong next = new AtomicLong();
        OperatorFactory source = numbers(next, 1000);
        try (QueryExecution execution =
                start(query -> List.of(new Pipeline(source, results(THREADS), List.of(), THREADS)))) {
            assertThat(sum(execution)).isEqualTo(999 * 1000 / 2);
        }
    }

    @Test
    void aSlowCallerStopsTheScan() throws Exception {
        AtomicLong next = new AtomicLong();
        try (QueryExecution execution =
                start(query -> List.of(new Pipeline(numbers(next, 1000), results(THREADS), List.of(), THREADS)))) {
            Thread.sleep(200);
            assertThat(next.get()).isLessThanOrEqualTo(4 + THREADS);
            assertThat(sum(execution)).isEqualTo(999 * 1000 / 2);
        }
    }

    @Test
    void closingEarlyStopsTheQueryAndGivesAllBack() {
        AtomicLong next = new AtomicLong();
        QueryExecution execution = start(
                query -> List.of(new Pipeline(numbers(next, Long.MAX_VALUE), results(THREADS), List.of(), THREADS)));
        Batch held = execution.take();
        assertThat(held.rowCount()).isEqualTo(1);
        execution.close();
        long seen = next.get();
        assertThat(next.get()).isEqualTo(seen);
        execution.close();
    }

    @Test
    void aFailureInAnOperatorReachesTheCallerAndGivesAllBack() {
        AtomicInteger calls = new AtomicInteger();
        OperatorFactory source = chain(allocator -> {
            if (calls.incrementAndGet() == 5) {
                allocator.allocate(1000);
                throw new IllegalArgumentException("the fifth call fails");
            }
            return batch(allocator, 1);
        });
        try (QueryExecution execution =
                start(query -> List.of(new Pipeline(source, results(THREADS), List.of(), THREADS)))) {
            assertThatThrownBy(() -> sum(execution))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the fifth call fails");
        }
    }

    @Test
    void cancellingWakesWhatPauses() throws Exception {
        CountDownLatch paused = new CountDownLatch(1);
        OperatorFactory source = chain(_ -> {
            paused.countDown();
            return new Step.Paused(new CompletableFuture<>());
        });
        try (QueryExecution execution = start(query -> List.of(new Pipeline(source, results(1), List.of(), 1)))) {
            paused.await();
            execution.cancel("the test said so");
            assertThatThrownBy(execution::take)
                    .isInstanceOf(QueryCancelledException.class)
                    .hasMessageContaining("was stopped: the test said so");
        }
    }

    @Test
    void interruptingTheCallerStopsTheQuery() {
        OperatorFactory source = chain(_ -> new Step.Paused(new CompletableFuture<>()));
        try (QueryExecution execution = start(query -> List.of(new Pipeline(source, results(1), List.of(), 1)))) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(execution::take).isInstanceOf(QueryCancelledException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void interruptingASlowCallerStopsTheQueryAlsoWhileResultsWaitForIt() {
        AtomicLong next = new AtomicLong();
        try (QueryExecution execution =
                start(query -> List.of(new Pipeline(numbers(next, 1000), results(THREADS), List.of(), THREADS)))) {
            execution.take().close();
            while (next.get() < 2 + THREADS) { // each worker has at most one in hand, so one is in the queue
                Thread.onSpinWait();
            }
            Thread.currentThread().interrupt();
            assertThatThrownBy(execution::take)
                    .isInstanceOf(QueryCancelledException.class)
                    .hasMessageContaining("the thread that read its results was interrupted");
            assertThat(Thread.interrupted()).isTrue();
            assertThatThrownBy(() -> sum(execution)).isInstanceOf(QueryCancelledException.class);
        }
    }

    @Test
    void aBreakerIsClosedInPartsBeforeTheNextPipelineStarts() {
        AtomicLong total = new AtomicLong();
        AtomicInteger partsDone = new AtomicInteger();
        Breaker summing = new Breaker() {
            @Override
            public Sink sink(WorkerContext worker) {
                return new SumSink(total);
            }

            @Override
            public int closingParts() {
                return 10;
            }

            @Override
            public void closePart(int part) {
                partsDone.incrementAndGet();
            }

            @Override
            public void close() {
                // holds nothing
            }
        };
        AtomicInteger given = new AtomicInteger();
        OperatorFactory second = chain(allocator -> {
            assertThat(partsDone.get()).isEqualTo(10);
            return given.getAndIncrement() == 0 ? batch(allocator, total.get()) : Step.END;
        });
        try (QueryExecution execution = start(query -> {
            Pipeline first = new Pipeline(numbers(new AtomicLong(), 100), summing, List.of(), THREADS);
            return List.of(first, new Pipeline(second, results(1), List.of(first), 1));
        })) {
            assertThat(sum(execution)).isEqualTo(99 * 100 / 2);
        }
    }

    @Test
    void aQueueBetweenPipelinesStopsItsProducersWhenItsReadersHaveEnough() {
        AtomicLong next = new AtomicLong();
        try (QueryExecution execution = start(query -> {
            BatchQueue between =
                    new BatchQueue(2, THREADS, THREADS, query.memory().budget());
            RowWindow window = new RowWindow(0, 10);
            OperatorFactory limited =
                    worker -> new LimitOperator(between.source().open(worker), window, query.selections());
            return List.of(
                    new Pipeline(numbers(next, Long.MAX_VALUE), between, List.of(), THREADS),
                    new Pipeline(limited, results(THREADS), List.of(), THREADS));
        })) {
            long rows = 0;
            for (Batch batch = execution.take(); batch != null; batch = execution.take()) {
                rows += batch.selectedRows();
                batch.close();
            }
            assertThat(rows).isEqualTo(10);
        }
    }

    @Test
    void aPipelineStartsWhenAThreadComesFreeForIt() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        OperatorFactory held = chain(_ -> {
            begun.incrementAndGet();
            await(release);
            return Step.END;
        });
        AtomicInteger opened = new AtomicInteger();
        OperatorFactory other = worker -> {
            opened.incrementAndGet();
            return numbers(new AtomicLong(), 1).open(worker);
        };
        try (QueryExecution execution = start(_ -> {
            Pipeline first = new Pipeline(held, summing(new AtomicLong()), List.of(), THREADS);
            Pipeline second = new Pipeline(other, summing(new AtomicLong()), List.of(), THREADS);
            OperatorFactory last = numbers(new AtomicLong(), 3);
            return List.of(first, second, new Pipeline(last, results(1), List.of(first, second), 1));
        })) {
            while (begun.get() < THREADS) {
                Thread.onSpinWait();
            }
            assertThat(opened.get()).isZero();
            release.countDown();
            assertThat(sum(execution)).isEqualTo(3);
            assertThat(opened.get()).isEqualTo(THREADS);
        }
    }

    @Test
    void aPipelineStartsWhenThoseThatRunWaitForWhatItGives() {
        AtomicLong next = new AtomicLong();
        try (QueryExecution execution = start(query -> {
            BatchQueue between =
                    new BatchQueue(2, 1, 2 * THREADS, query.memory().budget());
            return List.of( // the readers come first and need more threads than there are
                    new Pipeline(between.source(), results(2 * THREADS), List.of(), 2 * THREADS),
                    new Pipeline(numbers(next, 100), between, List.of(), 1));
        })) {
            assertThat(sum(execution)).isEqualTo(99 * 100 / 2);
        }
    }

    /// 16 queries grow to 8 MiB each, in small steps, under a limit of 64 MiB.
    @Test
    void queriesThatWouldNotFitTogetherAllEndSinceOneAtATimeGrowsWhileMemoryIsTight() {
        int queries = 16;
        int steps = 32;
        List<QueryExecution> executions = new ArrayList<>();
        for (int i = 0; i < queries; i++) {
            AtomicInteger step = new AtomicInteger();
            List<Buffer> held = new ArrayList<>(); // given back by the query itself, however slow its caller is
            executions.add(start(_ -> List.of(new Pipeline(
                    chain(allocator -> {
                        if (step.get() < steps) {
                            spin(2_000_000); // past its first 50 ms it is before it grows
                        } else {
                            held.add(allocator.allocate((8 << 20) / steps));
                        }
                        if (step.incrementAndGet() < 2 * steps) {
                            return Step.Paused.YIELD;
                        }
                        held.forEach(Buffer::release);
                        return Step.END;
                    }),
                    results(1),
                    List.of(),
                    1))));
        }
        for (QueryExecution execution : executions) {
            assertThat(sum(execution)).isZero();
            execution.close();
        }
    }

    private static void spin(long nanos) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            Thread.onSpinWait();
        }
    }

    @Test
    void anErrorInAWorkerReachesTheCallerAndKeepsTheThread() {
        for (Error error : List.of(new StackOverflowError("deep"), new OutOfMemoryError("test"))) {
            OperatorFactory source = chain(_ -> {
                throw error;
            });
            for (int i = 0; i < THREADS; i++) {
                try (QueryExecution execution =
                        start(_ -> List.of(new Pipeline(source, results(THREADS), List.of(), THREADS)))) {
                    assertThatThrownBy(execution::take).isSameAs(error);
                }
            }
        }
        assertThatTheEngineStillWorks();
    }

    @Test
    void anErrorWhileAChainIsClosedEndsTheQuery() {
        Step[] lastSteps = {Step.END, null};
        for (Step last : lastSteps) {
            OperatorFactory source = _ -> new Operator() {
                @Override
                public Step next() {
                    if (last == null) {
                        throw new IllegalArgumentException("next fails");
                    }
                    return last;
                }

                @Override
                public void close() {
                    throw new IllegalStateException("close fails");
                }
            };
            try (QueryExecution execution =
                    start(_ -> List.of(new Pipeline(source, results(2 * THREADS), List.of(), 2 * THREADS)))) {
                // 'ended' comes before the chains are closed, so the reader may see a good end
                if (last == null) {
                    assertThatThrownBy(execution::take)
                            .hasMessage("next fails")
                            .satisfies(e -> assertThat(e.getSuppressed())
                                    .extracting(Throwable::getMessage)
                                    .contains("close fails"));
                }
            }
        }
        assertThatTheEngineStillWorks();
    }

    @Test
    void aTaskThatThrowsDoesNotEndItsThread() {
        List<Throwable> told = new CopyOnWriteArrayList<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((_, e) -> told.add(e));
        try {
            for (int i = 0; i < THREADS; i++) {
                engine.scheduler().submit(engine.scheduler().newShare(), _ -> {
                    throw new IllegalStateException("a task fails");
                });
            }
            assertThatTheEngineStillWorks();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
        assertThat(told).hasSize(THREADS);
    }

    @Test
    void anErrorInABreakersClosingWorkOrCloseStopsTheQueryAndGivesAllBack() {
        Breaker failing = new Breaker() {
            @Override
            public Sink sink(WorkerContext worker) {
                worker.allocator("Test 1").allocate(1000);
                return new SumSink(new AtomicLong());
            }

            @Override
            public int closingParts() {
                return 100;
            }

            @Override
            public void closePart(int part) {
                if (part == 7) {
                    throw new IllegalArgumentException("part 7 fails");
                }
            }

            @Override
            public void close() {
                throw new IllegalStateException("close fails");
            }
        };
        QueryExecution execution = start(_ -> {
            Pipeline first = new Pipeline(numbers(new AtomicLong(), 100), failing, List.of(), THREADS);
            return List.of(first, new Pipeline(numbers(new AtomicLong(), 1), results(1), List.of(first), 1));
        });
        assertThatThrownBy(execution::take).hasMessage("part 7 fails");
        assertThatThrownBy(execution::close).hasMessage("close fails");
        execution.close();
    }

    @Test
    void whoeverClosesAQueryWaitsUntilItHasEnded() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        OperatorFactory source = chain(_ -> {
            reading.countDown();
            await(release);
            return Step.END;
        });
        QueryExecution execution = start(_ -> List.of(new Pipeline(source, results(1), List.of(), 1)));
        reading.await();
        Thread first = Thread.ofPlatform().start(execution::close);
        Thread second = Thread.ofPlatform().start(execution::close);
        assertThat(first.join(Duration.ofMillis(50))).isFalse();
        assertThat(second.join(Duration.ofMillis(50))).isFalse();
        release.countDown();
        assertThat(second.join(Duration.ofSeconds(20))).isTrue();
        assertThat(engine.memory().reservedBytes()).isZero();
        first.join();
    }

    @Test
    void aClosedEngineStartsNoQuery() {
        Settings settings = Settings.defaults().with("execution.threads", "1");
        Engine other = new Engine(settings);
        other.close();
        PhysicalPlan plan = new PhysicalPlan.Values(SCHEMA, List.of());
        assertThatThrownBy(() -> other.execute(plan, settings))
                .isInstanceOf(QueryCancelledException.class)
                .hasMessageContaining("its engine is closed");
    }

    private void assertThatTheEngineStillWorks() {
        try (QueryExecution execution = start(
                _ -> List.of(new Pipeline(numbers(new AtomicLong(), 100), results(THREADS), List.of(), THREADS)))) {
            assertThat(sum(execution)).isEqualTo(99 * 100 / 2);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Breaker summing(AtomicLong total) {
        return new Breaker() {
            @Override
            public Sink sink(WorkerContext worker) {
                return new SumSink(total);
            }

            @Override
            public void close() {
                // holds nothing
            }
        };
    }

    private BatchQueue queue;

    private BatchQueue results(int workers) {
        queue = new BatchQueue(4, workers, 0, engine.memory().exports().budget());
        return queue;
    }

    private QueryExecution start(Function<QueryContext, List<Pipeline>> plan) {
        QueryContext query = new QueryContext(
                "test", Settings.defaults(), Instant.EPOCH, 1, engine.memory().openAccount("query test", 64 << 20));
        List<Pipeline> pipelines = plan.apply(query);
        PhysicalPlan node = new PhysicalPlan.Values(SCHEMA, List.of());
        OperatorMetrics top =
                new OperatorMetrics(node, "Values 0", query.memory().allocator("Values 0"));
        QueryMetrics metrics = new QueryMetrics(query, QueryOrigin.NONE, top, System.nanoTime());
        QueryExecution execution = new QueryExecution(engine, query, SCHEMA, queue, pipelines, metrics);
        execution.start();
        return execution;
    }

    private static long sum(QueryExecution execution) {
        long sum = 0;
        for (Batch batch = execution.take(); batch != null; batch = execution.take()) {
            sum += batch.column(0).values().get(Layouts.LONG, 0);
            batch.close();
        }
        return sum;
    }

    private static OperatorFactory numbers(AtomicLong next, long end) {
        return chain(allocator -> {
            long number = next.getAndIncrement();
            return number < end ? batch(allocator, number) : Step.END;
        });
    }

    private static OperatorFactory chain(Function<Allocator, Step> next) {
        return worker -> {
            Allocator allocator = worker.allocator("Test 0");
            Supplier<Step> step = () -> next.apply(allocator);
            return new Operator() {
                @Override
                public Step next() {
                    return worker.sliceOver() ? Step.Paused.YIELD : step.get();
                }

                @Override
                public void close() {
                    // holds nothing
                }
            };
        };
    }

    private static Batch batch(Allocator allocator, long value) {
        ColumnWriter writer = new ColumnWriter(ScalarType.BIGINT, 1, allocator);
        writer.values().set(Layouts.LONG, 0, value);
        return new Batch(new Column[] {writer.seal(1)}, 1);
    }

    private record SumSink(AtomicLong total) implements Sink {
        @Override
        public void accept(Batch batch) {
            total.addAndGet(batch.column(0).values().get(Layouts.LONG, 0));
            batch.close();
        }

        @Override
        public void finish() {
            // the total is shared
        }
    }
}
