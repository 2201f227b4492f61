package dev.chert.table;

import dev.chert.batch.Batch;
import dev.chert.batch.Schema;
import dev.chert.error.QueryCancelledException;
import dev.chert.error.ValidationException;
import dev.chert.memory.Allocator;
import dev.chert.pipeline.Engine;
import dev.chert.pipeline.QueryExecution;
import dev.chert.pipeline.QueryMetrics;
import dev.chert.pipeline.QueryOrigin;
import dev.chert.pipeline.QueryProgress;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.Settings;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// A query of an environment while it runs, with what it holds.
final class RunningQuery implements AutoCloseable {
    private final Engine engine;
    private final QueryExecution execution;
    private final TablePins pins;
    private final Group group;
    private final ReentrantLock reading = new ReentrantLock();
    private Runnable whenClosed = () -> {}; // guarded by reading, as what follows
    private boolean closed;

    /// The queries of one environment that are not closed.
    static final class Group implements AutoCloseable {
        private final Set<RunningQuery> open = ConcurrentHashMap.newKeySet();
        private volatile boolean closed;

        /// Starts a query.
        ///
        /// @param again makes the plan anew where tables changed before it could start
        /// @return      the caller's
        /// @throws ValidationException after [#close()]
        RunningQuery start(
                Engine engine, PhysicalPlan plan, Supplier<PhysicalPlan> again, QueryOrigin origin, Settings settings) {
            PhysicalPlan current = plan;
            TablePins pins = TablePins.of(current);
            while (pins == null) {
                current = again.get();
                pins = TablePins.of(current);
            }
            try {
                RunningQuery query = new RunningQuery(engine, engine.execute(current, origin, settings), pins, this);
                open.add(query);
                if (closed) {
                    query.close();
                    throw new ValidationException(EngineLease.CLOSED);
                }
                return query;
            } catch (Throwable e) {
                pins.close();
                throw e;
            }
        }

        /// How far those are that are open, the longest running first.
        List<QueryProgress> progress() {
            return open.stream()
                    .map(query -> query.metrics().progress())
                    .sorted(Comparator.comparing(QueryProgress::elapsed).reversed())
                    .toList();
        }

        /// Closes all that are open, and those to come.
        @Override
        public void close() {
            closed = true;
            open.forEach(RunningQuery::close);
        }
    }

    private RunningQuery(Engine engine, QueryExecution execution, TablePins pins, Group group) {
        this.engine = engine;
        this.execution = execution;
        this.pins = pins;
        this.group = group;
    }

    Schema schema() {
        return execution.schema();
    }

    /// The next batch, waiting for it, or null at the end.
    ///
    /// @return the caller's, until this query is closed
    /// @throws QueryCancelledException where another thread closed it before its end
    Batch take() {
        Batch batch = execution.take();
        if (batch == null && !group.open.contains(this)) {
            throw new QueryCancelledException("the query was stopped: its result or its environment was closed");
        }
        return batch;
    }

    /// Runs what takes batches and reads their values: a thread that closes the result or the environment meanwhile
    /// stops the query, but leaves the batches alone until that is done.
    <T> T read(Supplier<T> reader) {
        reading.lock();
        try {
            return reader.get();
        } finally {
            reading.unlock();
        }
    }

    /// Has what a reader keeps given back when this closes, or at once where it is closed.
    void whenClosed(Runnable giveBack) {
        reading.lock();
        try {
            whenClosed = giveBack;
            if (closed) {
                giveBack.run();
            }
        } finally {
            reading.unlock();
        }
    }

    void cancel(String reason) {
        execution.cancel(reason);
    }

    QueryMetrics metrics() {
        return execution.metrics();
    }

    /// An allocator for what outlives the query.
    Allocator exports() {
        return engine.memory().exports().allocator("exported batches");
    }

    /// Stops it and gives back all that it holds. A second call does nothing but wait until the first has done that, so
    /// that whoever closes the environment finds nothing half given back.
    @Override
    public void close() {
        if (!group.open.contains(this)) {
            return;
        }
        execution.cancel("its result or its environment was closed");
        reading.lock();
        try {
            if (!closed) {
                closed = true;
                giveBack();
            }
        } finally {
            reading.unlock();
        }
    }

    private void giveBack() {
        try {
            whenClosed.run();
            execution.close();
        } finally {
            pins.close();
            group.open.remove(this);
        }
    }
}
