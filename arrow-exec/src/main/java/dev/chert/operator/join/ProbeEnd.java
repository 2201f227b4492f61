package dev.chert.operator.join;

import dev.chert.batch.Step;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/// Where the workers of a probe meet when their inputs have ended: only then it is known which build rows have no
/// match.
///
/// Nobody blocks: who comes early pauses. Counts every worker of the pipeline, so each must be opened, and either
/// read to its end or closed. Thread-safe.
final class ProbeEnd {
    private final AtomicInteger running;
    private final AtomicInteger open;
    private final Runnable whenClosed;
    private final AtomicInteger nextPart = new AtomicInteger();
    private final CompletableFuture<Void> allEnded = new CompletableFuture<>();
    private final CompletableFuture<Void> allClosed = new CompletableFuture<>();

    /// @param whenClosed run once all workers have closed, and need the build side no more
    ProbeEnd(int workers, Runnable whenClosed) {
        this.running = new AtomicInteger(workers);
        this.open = new AtomicInteger(workers);
        this.whenClosed = whenClosed;
    }

    /// One worker sets no more marks; called once a worker.
    void arrive() {
        if (running.decrementAndGet() == 0) {
            allEnded.complete(null);
        }
    }

    /// One worker reads the build side no more; called once a worker, after [#arrive()].
    void close() {
        if (open.decrementAndGet() == 0) {
            whenClosed.run();
            allClosed.complete(null);
        }
    }

    boolean isReached() {
        return allEnded.isDone();
    }

    /// Whether all workers have closed.
    boolean isClosed() {
        return allClosed.isDone();
    }

    /// What a worker answers until the others have come.
    Step.Paused pause() {
        return new Step.Paused(allEnded.copy());
    }

    /// What a worker answers that has closed, until the others have.
    Step.Paused pauseUntilClosed() {
        return new Step.Paused(allClosed.copy());
    }

    /// The next part of the build rows to be looked through, from 0; each is given to one worker.
    int takePart() {
        return nextPart.getAndIncrement();
    }
}
