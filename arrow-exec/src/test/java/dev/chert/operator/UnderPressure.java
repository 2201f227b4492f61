package dev.chert.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Batch;
import dev.chert.error.QueryCancelledException;
import dev.chert.error.ResourceException;
import dev.chert.pipeline.Engine;
import dev.chert.pipeline.QueryExecution;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Runs a plan over [RowSource]s again and again, each time under another hardship, on engines that check their memory.
///
/// Whatever happens, the rows are right or the error is ours, and afterwards every buffer, every reservation and every
/// block on disk has come back.
public final class UnderPressure {
    private static final long AMPLE = 64L << 20;

    /// @param batchSize rows of a batch, at most
    /// @param workers   threads
    /// @param pauses    whether sources pause between batches
    /// @param spills    whether state is spilled at every safe point
    /// @param limit     bytes that may be reserved
    private record Shape(int batchSize, int workers, boolean pauses, boolean spills, long limit) {
        Settings settings() {
            return Settings.defaults()
                    .with("memory.limit", Long.toString(limit))
                    .with("execution.threads", Integer.toString(workers))
                    .with("execution.batch-size", Integer.toString(batchSize))
                    .with("test.spill", spills ? "on" : "off")
                    .with("test.check-memory", "on");
        }
    }

    private final PhysicalPlan plan;
    private final List<RowSource> sources = new ArrayList<>();
    private final Consumer<List<List<Object>>> check;
    private boolean spills;
    private long spilledBytes;

    /// @param check fails where rows are not what the plan should give
    public UnderPressure(PhysicalPlan plan, Consumer<List<List<Object>>> check) {
        this.plan = plan;
        this.check = check;
        findSources(plan);
    }

    /// A plan whose rows may come in any order.
    public static UnderPressure inAnyOrder(PhysicalPlan plan, List<List<Object>> expected) {
        return new UnderPressure(plan, rows -> assertThat(TestRows.count(rows)).isEqualTo(TestRows.count(expected)));
    }

    /// Demands that state goes to disk where `test.spill` is on; there must be some.
    public UnderPressure thatSpills() {
        spills = true;
        return this;
    }

    private void findSources(PhysicalPlan node) {
        if (node instanceof PhysicalPlan.Scan scan && scan.source() instanceof RowSource source) {
            sources.add(source);
        }
        node.inputs().forEach(this::findSources);
    }

    /// Runs it with every size of batches and number of workers, with and without pauses and spilling.
    public void inEveryShape() {
        for (int batchSize : new int[] {1, 7, 4096}) {
            for (int workers : new int[] {1, 2}) {
                for (boolean pauses : new boolean[] {false, true}) {
                    for (boolean always : new boolean[] {false, true}) {
                        Shape shape = new Shape(batchSize, workers, pauses, always, AMPLE);
                        spilledBytes = 0;
                        assertThat(run(shape, () -> {})).as("%s", shape).isNull();
                        assertThat(spilledBytes > 0).as("%s: spilled", shape).isEqualTo(always && spills);
                    }
                }
            }
        }
    }

    /// Runs it under a series of limits, of which the first are far too small: each run gives its rows or says that
    /// memory does not suffice.
    /// @return the lowest limit from which on it never failed
    public long underLimits(long... limits) {
        long enough = Long.MAX_VALUE;
        for (long limit : limits) {
            for (int workers : new int[] {1, 2}) {
                for (int batchSize : new int[] {64, 4096}) {
                    for (boolean always : new boolean[] {false, true}) {
                        Shape shape = new Shape(batchSize, workers, false, always, limit);
                        RuntimeException failure = run(shape, () -> {});
                        if (failure != null) {
                            assertThat(failure).as("%s", shape).isInstanceOf(ResourceException.class);
                            enough = Long.MAX_VALUE;
                        } else {
                            enough = Math.min(enough, limit);
                        }
                    }
                }
            }
        }
        return enough;
    }

    /// Cancels it when its sources are asked for a batch, early, in the middle and at the end. A run may ask less often
    /// than the one before, since workers that come late find nothing left; it then has to end well.
    public void cancelledMidway() {
        for (int workers : new int[] {1, 2}) {
            for (boolean always : new boolean[] {false, true}) {
                Shape shape = new Shape(64, workers, false, always, AMPLE);
                AtomicInteger asked = new AtomicInteger();
                run(shape, asked::incrementAndGet);
                for (int part = 0; part <= 10; part++) {
                    int last = Math.max(1, asked.get() * part / 10 - 1);
                    AtomicInteger left = new AtomicInteger(last);
                    RuntimeException failure = runAndCancel(shape, left);
                    if (left.get() <= 0) {
                        assertThat(failure).as("%s, batch %d", shape, last).isInstanceOf(QueryCancelledException.class);
                    } else {
                        assertThat(failure)
                                .as("%s, before batch %d", shape, last)
                                .isNull();
                        assertThat(left.get())
                                .as("%s, batch %d", shape, last)
                                .isLessThanOrEqualTo(workers * sources.size());
                    }
                }
            }
        }
    }

    private RuntimeException run(Shape shape, Runnable beforeBatch) {
        sources.forEach(source -> source.behave(shape.pauses, beforeBatch));
        return run(shape, new CompletableFuture<>());
    }

    /// @param left how often sources are asked until it is cancelled; counted down
    private RuntimeException runAndCancel(Shape shape, AtomicInteger left) {
        CompletableFuture<QueryExecution> started = new CompletableFuture<>();
        sources.forEach(source -> source.behave(shape.pauses, () -> {
            if (left.decrementAndGet() == 0) {
                started.join().cancel("a test had enough");
            }
        }));
        return run(shape, started);
    }

    /// @return what it failed with, or null
    private RuntimeException run(Shape shape, CompletableFuture<QueryExecution> started) {
        Settings settings = shape.settings();
        RuntimeException failure = null;
        try (Engine engine = new Engine(settings)) {
            try (QueryExecution execution = engine.execute(plan, settings)) {
                started.complete(execution);
                check.accept(drain(execution, shape));
                spilledBytes = execution.metrics().spilledBytes();
            } catch (ResourceException | QueryCancelledException e) {
                failure = e;
            }
            assertThat(engine.memory().reservedBytes())
                    .as("%s: reserved", shape)
                    .isZero();
            assertThat(engine.memory().spilledBytes()).as("%s: on disk", shape).isZero();
            assertThat(engine.memory().peakBytes()).as("%s: peak", shape).isLessThanOrEqualTo(shape.limit);
            engine.memory().assertEmpty();
        }
        return failure;
    }

    private static List<List<Object>> drain(QueryExecution execution, Shape shape) {
        List<List<Object>> rows = new ArrayList<>();
        for (Batch batch = execution.take(); batch != null; batch = execution.take()) {
            assertThat(batch.selectedRows()).as("%s", shape).isBetween(1, shape.batchSize);
            rows.addAll(TestRows.read(batch));
            batch.close();
        }
        return rows;
    }
}
