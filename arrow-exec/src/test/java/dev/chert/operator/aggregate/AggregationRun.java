package dev.chert.operator.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.Field;
import dev.chert.batch.Schema;
import dev.chert.batch.Step;
import dev.chert.batch.TestColumns;
import dev.chert.expression.AggregateCall;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.function.aggregate.AggregateFunctions;
import dev.chert.memory.Account;
import dev.chert.memory.Allocator;
import dev.chert.memory.Budget;
import dev.chert.memory.MemoryManager;
import dev.chert.memory.SpillOptions;
import dev.chert.operator.Operator;
import dev.chert.operator.Sink;
import dev.chert.operator.WorkerContext;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Runs an aggregation over plain values: cuts them into batches, hands these to the workers' sinks, merges,
/// reads.
final class AggregationRun implements AutoCloseable {
    private static final String OPERATOR = "HashAggregate 1";

    private final MemoryManager manager;
    private final Account account;
    private final Allocator allocator;
    private final QueryContext query;
    private final int workers;
    private final long memoryLimit;
    private long pressureBytes;
    private long mostSteps = Long.MAX_VALUE;
    private int spillsBeforeReading;
    private final Random random;

    AggregationRun(Settings settings, int workers, long seed) {
        this(settings, workers, seed, Long.MAX_VALUE);
    }

    /// @param memoryLimit of the query; where settings have `test.spill` on, it spills whatever it can

    AggregationRun(Settings settings, int workers, long seed, long memoryLimit) {
        SpillOptions spill = new SpillOptions(
                SpillOptions.DEFAULT.directory(), Long.MAX_VALUE, false, settings.get(Settings.SPILL_ALWAYS));
        this.manager = new MemoryManager(2L << 30, true, workers, spill);
        this.account = manager.openAccount("query", memoryLimit);
        this.allocator = account.allocator("input");
        this.query = new QueryContext("query", settings, Instant.EPOCH, 1, account);
        this.workers = workers;
        this.memoryLimit = memoryLimit;
        this.random = new Random(seed);
    }

    /// Asks for so many bytes, which the query must make room for, between any two batches and whenever a source gives
    /// way.
    AggregationRun underPressure(long bytes) {
        pressureBytes = bytes;
        return this;
    }

    /// Closes each source after so many steps.
    AggregationRun closingAfter(long steps) {
        mostSteps = steps;
        return this;
    }

    /// Asks for somewhat more than there is, so many times, after all rows were added and before any is read. The query
    /// must have a limit.
    AggregationRun spillingBeforeReading(int times) {
        spillsBeforeReading = times;
        return this;
    }

    private void spillBeforeReading() {
        Budget budget = allocator.budget();
        for (int i = 0; i < spillsBeforeReading; i++) {
            long bytes = memoryLimit - account.budget().reserved() + 1;
            budget.reserve(bytes);
            budget.release(bytes);
        }
    }

    private synchronized void press() {
        if (pressureBytes > 0) {
            allocator.allocate(pressureBytes).release();
        }
    }

    static InputColumn input(int index, DataType type) {
        return new InputColumn(index, type);
    }

    static AggregateCall call(String function, boolean distinct, Expression filter, Expression... arguments) {
        DataType type = AggregateFunctions.resultType(
                function, List.of(arguments).stream().map(Expression::type).toList());
        return new AggregateCall(function, List.of(arguments), distinct, filter, type, null);
    }

    /// @param columns the input, column by column
    /// @return        the rows that came out
    List<List<Object>> rows(
            List<DataType> types,
            List<List<Object>> columns,
            int rowCount,
            List<Expression> keys,
            List<AggregateCall> calls) {
        List<Field> fields = new ArrayList<>();
        keys.forEach(key -> fields.add(Field.of("k", key.type())));
        calls.forEach(call -> fields.add(Field.of("a", call.type())));
        Schema schema = new Schema(fields);
        PhysicalPlan input = new PhysicalPlan.Values(
                new Schema(types.stream().map(t -> Field.of("c", t)).toList()), List.of());
        HashAggregateBreaker breaker = new HashAggregateBreaker(
                new PhysicalPlan.HashAggregate(input, keys, calls, schema), OPERATOR, query, workers);
        fill(breaker, types, columns, rowCount);
        assertThat(breaker.closingParts()).isZero();
        spillBeforeReading();
        List<Batch> kept = new ArrayList<>();
        List<List<Object>> rows = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        List<Throwable> errors = new ArrayList<>();
        for (int w = 0; w < workers; w++) {
            Operator source = breaker.source().open(new Worker(w));
            threads.add(Thread.ofPlatform().start(() -> {
                try (source) {
                    read(source, kept, rows);
                } catch (Throwable e) {
                    synchronized (errors) {
                        errors.add(e);
                    }
                }
            }));
        }
        threads.forEach(AggregationRun::join);
        breaker.close();
        if (!errors.isEmpty()) {
            if (errors.getFirst() instanceof RuntimeException e) {
                throw e;
            }
            throw new AssertionError(errors.getFirst());
        }
        kept.forEach(batch -> read(batch, rows)); // long strings outlive the breaker
        return rows;
    }

    private static void read(Batch batch, List<List<Object>> rows) {
        for (int row = 0; row < batch.rowCount(); row++) {
            List<Object> values = new ArrayList<>();
            for (Column column : batch.columns()) {
                values.add(TestColumns.read(column, row));
            }
            rows.add(values);
        }
        batch.close();
    }

    private void read(Operator source, List<Batch> kept, List<List<Object>> rows) {
        for (long steps = 0; steps < mostSteps; steps++) {
            Step step = source.next();
            if (step instanceof Step.End) {
                return;
            }
            if (step instanceof Step.Paused) {
                press();
            }
            if (step instanceof Batch batch) {
                synchronized (rows) {
                    if (memoryLimit == Long.MAX_VALUE) {
                        kept.add(batch);
                    } else {
                        read(batch, rows);
                    }
                }
            }
        }
    }

    /// What was spilled, by the bytes that were written.
    long spilledBytes() {
        return account.allocator(OPERATOR).spillFile().writtenBytes();
    }

    /// What is still on disk.
    long storedBytes() {
        return account.allocator(OPERATOR).spillFile().storedBytes();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void fill(HashAggregateBreaker breaker, List<DataType> types, List<List<Object>> columns, int rowCount) {
        List<Sink> sinks = new ArrayList<>();
        for (int w = 0; w < workers; w++) {
            sinks.add(breaker.sink(new Worker(w)));
        }
        int batchSize = query.batchSize();
        for (int first = 0; first < rowCount; ) {
            int size = Math.min(rowCount - first, 1 + random.nextInt(batchSize));
            // rows that are not selected come between those that are
            boolean gaps = random.nextBoolean() && 2 * size <= batchSize;
            int[] selection = query.selections().take(size);
            Column[] batchColumns = new Column[types.size()];
            for (int c = 0; c < batchColumns.length; c++) {
                List<Object> values = new ArrayList<>();
                for (int i = 0; i < size; i++) {
                    Object value = columns.get(c).get(first + i);
                    values.add(value);
                    if (gaps) {
                        values.add(value);
                    }
                    selection[i] = gaps ? 2 * i : i;
                }
                batchColumns[c] = TestColumns.anyForm(types.get(c), values, random, allocator);
            }
            Batch batch = new Batch(batchColumns, gaps ? 2 * size : size);
            if (gaps) {
                batch.select(selection, size, query.selections());
            }
            sinks.get(random.nextInt(workers)).accept(batch);
            press();
            first += size;
        }
        sinks.forEach(Sink::finish);
    }

    QueryContext query() {
        return query;
    }

    /// Demands that every buffer came back.
    @Override
    public void close() {
        assertThat(account.liveBuffers()).as("buffers that were kept").isZero();
        account.close();
        manager.assertEmpty();
        manager.close();
    }

    private final class Worker implements WorkerContext {
        private final int number;
        private int looks;

        Worker(int number) {
            this.number = number;
        }

        @Override
        public QueryContext query() {
            return query;
        }

        @Override
        public int worker() {
            return number;
        }

        @Override
        public int workers() {
            return workers;
        }

        @Override
        public boolean sliceOver() {
            return ++looks % 50 == 0;
        }
    }
}
