package dev.chert.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The wish of somebody outside, as by Ctrl-C, that a command line stops. Thread-safe.
final class Interruption {
    private final Thread runner = Thread.currentThread();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean requested;

    /// Stops the statement that runs, and those after it: the thread that made this object is interrupted, and an
    /// engine takes that as a cancellation.
    ///
    /// @param patience how long to wait until the run has ended
    /// @return         whether it has
    boolean request(Duration patience) {
        if (ended.getCount() > 0) {
            requested = true;
            runner.interrupt();
        }
        try {
            return ended.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    boolean isRequested() {
        return requested;
    }

    /// Says that the run has ended; a later request has nothing to stop.
    void end() {
        ended.countDown();
    }
}
