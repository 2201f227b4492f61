package dev.chert.pipeline;

import dev.chert.batch.Batch;
import dev.chert.batch.Schema;
import dev.chert.batch.Step;
import dev.chert.error.QueryCancelledException;
import dev.chert.operator.exchange.BatchQueue;
import dev.chert.query.QueryContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/// A query that runs, and the results that come out of it.
///
/// The caller pulls batches with [#next()] or [#take()] and closes the execution, also early, which stops it.
/// Batches belong to the query's memory: they end with [#close()], unless they are exported first.
public final class QueryExecution implements AutoCloseable {
    private final Engine engine;
    private final QueryContext query;
    private final Schema schema;
    private final BatchQueue results;
    private final List<Pipeline> pipelines;
    private final QueryMetrics metrics;
    private final List<WorkerTask> tasks = new ArrayList<>();
    private final QueryShare share;
    private final Map<Pipeline, Integer> missing = new HashMap<>();
    private final Map<Pipeline, AtomicInteger> openWorkers = new HashMap<>();
    private final PriorityQueue<Pipeline> ready;
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private int open; // tasks that have not ended
    private int waiting; // of these, those that wait for something other than a thread
    private Throwable failure;
    private boolean closed;

    QueryExecution(
            Engine engine,
            QueryContext query,
            Schema schema,
            BatchQueue results,
            List<Pipeline> pipelines,
            QueryMetrics metrics) {
        this.engine = engine;
        this.query = query;
        this.schema = schema;
        this.results = results;
        this.pipelines = pipelines;
        this.metrics = metrics;
        this.share = engine.scheduler().newShare();
        this.ready = new PriorityQueue<>(Comparator.comparingInt(pipelines::indexOf));
    }

    QueryContext query() {
        return query;
    }

    /// The columns of the results.
    public Schema schema() {
        return schema;
    }

    /// What the query did so far; stays after closing.
    public QueryMetrics metrics() {
        return metrics;
    }

    void start() {
        List<WorkerTask> started;
        synchronized (this) {
            for (Pipeline pipeline : pipelines) {
                missing.put(pipeline, pipeline.needs().size());
                openWorkers.put(pipeline, new AtomicInteger(pipeline.workers()));
                if (pipeline.needs().isEmpty()) {
                    ready.add(pipeline);
                }
            }
            started = takeReady();
        }
        started.forEach(this::submitCounted);
    }

    /// The workers of the next pipelines whose needs have finished, as long as threads are left for them: what runs at
    /// a time holds its memory at a time. Needs the lock.
    ///
    /// Tasks that wait for something other than a thread do not count, since they may wait for what has not started.
    /// All workers of a pipeline start together, since they may wait for each other.
    private List<WorkerTask> takeReady() {
        List<WorkerTask> started = new ArrayList<>();
        while (open - waiting < engine.threads() && !ready.isEmpty()) {
            Pipeline pipeline = ready.remove();
            for (int worker = 0; worker < pipeline.workers(); worker++) {
                started.add(new WorkerTask(this, pipeline, worker));
            }
            open += pipeline.workers();
        }
        tasks.addAll(started);
        return started;
    }

    /// A task gives up its thread until something other than a thread is there.
    void taskWaits() {
        List<WorkerTask> started;
        synchronized (this) {
            waiting++;
            started = takeReady();
        }
        started.forEach(this::submitCounted);
    }

    synchronized void taskResumes() {
        waiting--;
    }

    /// Queues what `open` counts already, so that the query comes to its end where it cannot be queued.
    private void submitCounted(Task task) {
        try {
            submit(task);
        } catch (Throwable e) {
            taskFailed(e);
        }
    }

    void submit(Task task) {
        engine.scheduler().submit(share, task);
    }

    /// A worker's input has ended: the last one of a pipeline does, or spreads, its closing work.
    void taskFinished(WorkerTask task) {
        Pipeline pipeline = task.pipeline();
        if (openWorkers.get(pipeline).decrementAndGet() == 0) {
            try {
                startClosing(pipeline);
            } catch (Throwable e) {
                taskFailed(e);
                return;
            }
        }
        taskEnded();
    }

    private void startClosing(Pipeline pipeline) {
        int parts = pipeline.sink().closingParts();
        if (parts == 0) {
            pipelineFinished(pipeline);
            return;
        }
        AtomicInteger nextPart = new AtomicInteger();
        AtomicInteger openParts = new AtomicInteger(parts);
        int helpers = Math.min(parts, engine.scheduler().threadCount());
        synchronized (this) {
            open += helpers;
        }
        for (int i = 0; i < helpers; i++) {
            submitCounted(new ClosingTask(pipeline, nextPart, openParts, parts));
        }
    }

    private synchronized void pipelineFinished(Pipeline finished) {
        for (Pipeline pipeline : pipelines) {
            if (pipeline.needs().contains(finished) && missing.merge(pipeline, -1, Integer::sum) == 0) {
                ready.add(pipeline);
            }
        }
    }

    void taskFailed(Throwable error) {
        synchronized (this) {
            if (failure == null) {
                failure = error;
            } else if (failure != error && !(error instanceof QueryCancelledException)) {
                failure.addSuppressed(error);
            }
        }
        try {
            cancel("another part of it failed");
        } finally {
            taskEnded();
        }
    }

    private void taskEnded() {
        List<WorkerTask> started;
        boolean last;
        synchronized (this) {
            open--;
            started = takeReady();
            last = open == 0;
        }
        started.forEach(this::submitCounted);
        if (last) {
            noteEnd();
            idle.complete(null);
            if (query.isCancelled()) {
                results.close();
            }
        }
    }

    private synchronized void noteEnd() {
        if (failure == null && !query.isCancelled()) {
            metrics.finished();
        } else {
            metrics.stopped(failure);
        }
    }

    /// Stops the query soon; results then end with a [QueryCancelledException].
    ///
    /// @param reason completes "query NAME was stopped: …"
    public void cancel(String reason) {
        query.cancel(reason);
        engine.scheduler().hasten(share);
        List<WorkerTask> present;
        synchronized (this) {
            present = List.copyOf(tasks);
        }
        present.forEach(WorkerTask::wake);
    }

    /// The next batch, a pause until there is one, or the end; does not wait.
    ///
    /// @return a batch is the caller's, until this execution is closed
    /// @throws dev.chert.error.ChertException what stopped the query
    public Step next() {
        Step step = results.poll();
        if (step instanceof Batch batch) {
            metrics.countGiven(batch.selectedRows());
        }
        if (step instanceof Step.End) {
            throwFailure();
            if (!query.isCancelled()) { // a closed result ends too
                metrics.finished();
            }
        }
        return step;
    }

    /// The next batch, waiting for it, or null at the end.
    ///
    /// @return the caller's, until this execution is closed
    /// @throws dev.chert.error.ChertException what stopped the query; interruption stops it too
    public Batch take() {
        while (true) {
            if (Thread.currentThread()
                    .isInterrupted()) { // nothing waits where a batch is ready, so nothing else sees it
                throw stopSinceInterrupted(null);
            }
            switch (next()) {
                case Batch batch -> {
                    return batch;
                }
                case Step.End _ -> {
                    return null;
                }
                case Step.Paused paused -> await(paused.wake());
                case Step.Watermark _ -> throw new AssertionError("a watermark in the results");
            }
        }
    }

    private void await(CompletableFuture<Void> wake) {
        try {
            wake.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw stopSinceInterrupted(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /// Stops the query since its caller was interrupted, which stays so.
    ///
    /// @param cause null where the caller did not wait
    private QueryCancelledException stopSinceInterrupted(InterruptedException cause) {
        String reason = "the thread that read its results was interrupted";
        cancel(reason);
        return new QueryCancelledException("query " + query.name() + " was stopped: " + reason, cause);
    }

    private synchronized void throwFailure() {
        switch (failure) {
            case null -> {
                if (query.isCancelled() && !closed) {
                    query.checkCancelled();
                }
            }
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    /// Stops the query if it still runs, waits until none of its workers runs, and gives back all its memory;
    /// batches that it gave out end too. A second call does nothing but wait until the first has done all that.
    @Override
    public void close() {
        boolean first;
        synchronized (this) {
            first = !closed;
            closed = true;
        }
        if (first) {
            try {
                closeNow();
            } finally {
                ended.complete(null);
            }
        } else {
            ended.join();
        }
    }

    private void closeNow() {
        cancel("its result was closed");
        results.close();
        idle.join();
        Throwable failed = null;
        for (Pipeline pipeline : pipelines) {
            failed = attempt(pipeline.sink()::close, failed);
        }
        failed = attempt(query.memory()::close, failed);
        failed = attempt(metrics::closed, failed);
        engine.finished(this);
        switch (failed) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    /// Runs a step of closing, whose error must not keep the next steps from being done.
    ///
    /// @param before the error of the steps before, or null
    /// @return       the first error, which has the later ones
    private static Throwable attempt(Runnable step, Throwable before) {
        try {
            step.run();
            return before;
        } catch (Throwable e) {
            if (before == null) {
                return e;
            }
            if (before != e) {
                before.addSuppressed(e);
            }
            return before;
        }
    }

    /// Done once [#close()] has given back all.
    CompletableFuture<Void> ended() {
        return ended;
    }

    /// Does parts of a breaker's closing work until none is left.
    private final class ClosingTask implements Task {
        private final Pipeline pipeline;
        private final AtomicInteger nextPart;
        private final AtomicInteger openParts;
        private final int parts;

        ClosingTask(Pipeline pipeline, AtomicInteger nextPart, AtomicInteger openParts, int parts) {
            this.pipeline = pipeline;
            this.nextPart = nextPart;
            this.openParts = openParts;
            this.parts = parts;
        }

        /// One part, then back to the queue, so that other queries get their turn.
        @Override
        public void run(TimeSlice slice) {
            try {
                query.checkCancelled();
                int part = nextPart.getAndIncrement();
                if (part < parts) {
                    pipeline.sink().closePart(part);
                    if (openParts.decrementAndGet() == 0) {
                        pipelineFinished(pipeline);
                    } else {
                        submit(this);
                        return;
                    }
                }
            } catch (Throwable e) {
                taskFailed(e);
                return;
            }
            taskEnded();
        }
    }
}
