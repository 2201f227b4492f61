package dev.chert.memory;

import java.util.concurrent.ConcurrentLinkedQueue;

/// Who waits until an engine's reservations are no longer above its soft limit. Costs a release one volatile read
/// while nobody waits. Thread-safe.
final class Relaxation {
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private volatile boolean anyWaiting;

    /// Adds one to be woken. The caller looks again whether it is needed after this.
    void add(Runnable waiter) {
        waiting.add(waiter);
        anyWaiting = true;
    }

    boolean anyWaiting() {
        return anyWaiting;
    }

    /// Runs all that wait now, once each.
    void wakeAll() {
        anyWaiting = false; // first, so that one that comes meanwhile sets it again
        Runnable waiter;
        while ((waiter = waiting.poll()) != null) {
            waiter.run();
        }
    }
}
