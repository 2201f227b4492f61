package dev.chert.pipeline;

import java.util.ArrayDeque;

/// One query's share of the threads: its tasks that wait for one, and the time that they have had.
///
/// Belongs to a [FairQueue], whose user keeps other threads away.
final class QueryShare {
    /// How long a query goes before those that have had more, which makes short queries quick beside long ones.
    static final long FIRST_NANOS = 50_000_000;

    final long number;
    final ArrayDeque<Task> waiting = new ArrayDeque<>();
    int running;
    long nanos;
    /// Nanoseconds that count for its place among the queries that take turns; no less than the others had when it
    /// joined them.
    long turnNanos;

    boolean stopping;

    /// @param number in the order of age: an elder query has a smaller one
    QueryShare(long number) {
        this.number = number;
    }

    /// Whether it has had less than its first 50 ms.
    boolean isFirst() {
        return nanos < FIRST_NANOS;
    }

    /// What [#turnNanos] will be when the tasks that run have used up their slices.
    long expectedTurnNanos() {
        return turnNanos + running * TimeSlice.NANOS;
    }

    boolean hasWork() {
        return running > 0 || !waiting.isEmpty();
    }
}
