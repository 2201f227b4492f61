package dev.chert.pipeline;

import java.util.function.BooleanSupplier;

/// One turn of a task on a thread.
final class TimeSlice {
    /// How long a task keeps its thread while others wait.
    static final long NANOS = 10_000_000;
    /// After this long it makes room for a query that goes first, which is worth the change of tasks by then.
    private static final long LEAST_NANOS = 1_000_000;

    private final long start = System.nanoTime();
    private final BooleanSupplier urgent;

    /// @param urgent whether somebody waits who goes first
    TimeSlice(BooleanSupplier urgent) {
        this.urgent = urgent;
    }

    boolean isOver() {
        long nanos = elapsedNanos();
        return nanos >= NANOS || (nanos >= LEAST_NANOS && urgent.getAsBoolean());
    }

    long elapsedNanos() {
        return System.nanoTime() - start;
    }
}
