package dev.chert.batch;

import java.util.concurrent.CompletableFuture;

/// What an operator answers when it is asked for more.
///
/// Streaming operators hand on what is not a [Batch] unchanged.
public sealed interface Step permits Batch, Step.End, Step.Paused, Step.Watermark {
    /// The one end of input; the operator answers it again to every later call.
    End END = new End();

    /// No more rows will come.
    record End() implements Step {}

    /// Nothing now: the time slice is over, input or output is not ready. The task goes back to the scheduler,
    /// and any worker may resume it.
    ///
    /// @param wake completed when asking again is worth it, on any thread; already completed where only the slice
    ///             is over
    record Paused(CompletableFuture<Void> wake) implements Step {
        /// Gives way to other tasks and may be resumed at once.
        public static final Paused YIELD = new Paused(CompletableFuture.completedFuture(null));
    }

    /// No later row has an event time before this one; only unbounded sources send it.
    ///
    /// @param epochMicros microseconds since 1970-01-01T00:00:00Z
    record Watermark(long epochMicros) implements Step {}
}
