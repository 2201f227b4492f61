package dev.chert.operator;

import dev.chert.batch.Batch;
import dev.chert.batch.Step;

/// One worker's entrance to a [Breaker]. Not thread-safe, but bound to no thread.
public interface Sink {
    /// Null where [#accept] may be called, else a pause until it may: a slow caller stops the scan here, and work on
    /// what was taken is done here, a time slice after the other.
    default Step.Paused ready() {
        return null;
    }

    /// Takes a batch.
    ///
    /// @param batch given
    void accept(Batch batch);

    /// Asked once the input has ended: null where [#finish] may be called, else a pause until it may.
    default Step.Paused readyToFinish() {
        return null;
    }

    /// This worker's input has ended; called once. What is shared is handed over here.
    void finish();
}
