package dev.chert.pipeline;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.BooleanSupplier;

/// One turn of a task on a thread.
///
/// It ends by the clock, since others wait by the clock; what it is charged is processor time, where the system tells:
/// on a machine that does other things, too, a short query would else be charged for what it did not get.
final class TimeSlice {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final boolean KNOWS_PROCESSOR_TIME =
            THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();

    /// How long a task keeps its thread while others wait.
    static final long NANOS = 10_000_000;
    /// After this long it makes room for a query that goes first, which is worth the change of tasks by then.
    private static final long LEAST_NANOS = 1_000_000;

    private final long start = System.nanoTime();
    private final long chargedFrom = chargedClock();
    private final BooleanSupplier urgent;

    /// @param urgent whether somebody waits who goes first
    TimeSlice(BooleanSupplier urgent) {
        this.urgent = urgent;
    }

    boolean isOver() {
        long nanos = System.nanoTime() - start;
        return nanos >= NANOS || (nanos >= LEAST_NANOS && urgent.getAsBoolean());
    }

    /// What the turn has cost so far; to be asked by the thread that began it.
    long chargedNanos() {
        return chargedClock() - chargedFrom;
    }

    private static long chargedClock() {
        return KNOWS_PROCESSOR_TIME ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }
}
