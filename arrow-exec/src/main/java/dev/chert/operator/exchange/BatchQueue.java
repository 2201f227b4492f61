package dev.chert.operator.exchange;

import dev.chert.batch.Batch;
import dev.chert.batch.Step;
import dev.chert.memory.Budget;
import dev.chert.operator.Breaker;
import dev.chert.operator.Operator;
import dev.chert.operator.OperatorFactory;
import dev.chert.operator.Sink;
import dev.chert.operator.WorkerContext;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/// Batches on their way from the workers of one pipeline to those of another, or to the caller, while both run.
///
/// Bounded: a sink is not ready while the queue is full, a reader pauses while it is empty; each pause is woken
/// by the other side, and no thread waits. One worker's batches stay in order. Memory: `capacity` batches, while
/// memory is tight one, plus one for each worker that was ready at the same time.
public final class BatchQueue implements Breaker {
    private final int capacity;
    private final Budget memory;
    private final ArrayDeque<Batch> batches = new ArrayDeque<>();
    private CompletableFuture<Void> roomMade = new CompletableFuture<>();
    private CompletableFuture<Void> batchCame = new CompletableFuture<>();
    private int openSinks;
    private int openSources;
    private boolean sinkWaits;
    private boolean ended;
    private boolean closed;

    /// @param capacity batches at which a sink is no longer ready
    /// @param sinks    how many sinks will be made; the input has ended when all of them have finished
    /// @param sources  how many operators will read; nobody wants more when all of them are closed. 0 where the
    ///                 caller polls
    /// @param memory   the query's, to know whether it is tight
    public BatchQueue(int capacity, int sinks, int sources, Budget memory) {
        this.capacity = capacity;
        this.memory = memory;
        this.openSinks = sinks;
        this.openSources = sources;
        this.ended = sinks == 0;
    }

    @Override
    public Sink sink(WorkerContext worker) {
        return new QueueSink();
    }

    /// What the next pipeline's workers read: each batch goes to whoever asks first.
    public OperatorFactory source() {
        return worker -> new QueueSource(worker);
    }

    /// The next batch (the caller's), a pause until there is one, or the end.
    public Step poll() {
        CompletableFuture<Void> wake = null;
        Step step;
        synchronized (this) {
            Batch batch = batches.poll();
            if (batch != null) {
                step = batch;
                if (sinkWaits && !isFull()) {
                    sinkWaits = false;
                    wake = roomMade;
                    roomMade = new CompletableFuture<>();
                }
            } else {
                step = ended || closed ? Step.END : new Step.Paused(batchCame);
            }
        }
        if (wake != null) {
            wake.complete(null);
        }
        return step;
    }

    private boolean isFull() {
        return batches.size() >= (memory.isTight() ? 1 : capacity);
    }

    private void put(Batch batch) {
        CompletableFuture<Void> wake;
        synchronized (this) {
            if (closed) {
                batch.close();
                return;
            }
            batches.add(batch);
            wake = batchCame;
            batchCame = new CompletableFuture<>();
        }
        wake.complete(null);
    }

    private void sinkFinished() {
        CompletableFuture<Void> wake = null;
        synchronized (this) {
            openSinks--;
            if (openSinks == 0) {
                ended = true;
                wake = batchCame;
            }
        }
        if (wake != null) {
            wake.complete(null);
        }
    }

    private void sourceClosed() {
        synchronized (this) {
            openSources--;
            if (openSources > 0) {
                return;
            }
        }
        close();
    }

    @Override
    public synchronized boolean isSatisfied() {
        return closed;
    }

    /// Closes what nobody took; later batches are closed as they come, and everybody who waits is woken.
    @Override
    public void close() {
        CompletableFuture<Void> wakeSinks;
        CompletableFuture<Void> wakeReaders;
        synchronized (this) {
            closed = true;
            batches.forEach(Batch::close);
            batches.clear();
            wakeSinks = roomMade;
            wakeReaders = batchCame;
        }
        wakeSinks.complete(null);
        wakeReaders.complete(null);
    }

    private final class QueueSink implements Sink {
        @Override
        public Step.Paused ready() {
            synchronized (BatchQueue.this) {
                if (closed || !isFull()) {
                    return null;
                }
                sinkWaits = true;
                return new Step.Paused(roomMade);
            }
        }

        @Override
        public void accept(Batch batch) {
            put(batch);
        }

        @Override
        public void finish() {
            sinkFinished();
        }
    }

    private final class QueueSource implements Operator {
        private final WorkerContext worker;
        private boolean open = true;

        QueueSource(WorkerContext worker) {
            this.worker = worker;
        }

        @Override
        public Step next() {
            return worker.sliceOver() ? Step.Paused.YIELD : poll();
        }

        @Override
        public void close() {
            if (open) {
                open = false;
                sourceClosed();
            }
        }
    }
}
