package dev.chert.pipeline;

import dev.chert.memory.MemoryManager;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The engine's threads, and the tasks that wait for one in a [FairQueue].
///
/// Threads are platform threads, one a core by default, daemons: they end with the program.
final class Scheduler implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final FairQueue queue = new FairQueue(); // guarded by lock, as the shares are
    private final MemoryManager memory;
    private final Thread[] threads;
    private int idle;
    private boolean awaitsMemory; // somebody will call memoryCame()
    private boolean closed;
    private volatile boolean urgent;

    /// @param memory says when it is tight: one query at a time goes on then
    Scheduler(int threadCount, MemoryManager memory) {
        this.memory = memory;
        threads = new Thread[threadCount];
        for (int i = 0; i < threadCount; i++) {
            threads[i] = Thread.ofPlatform().daemon().name("chert-worker-" + i).start(this::work);
        }
    }

    int threadCount() {
        return threads.length;
    }

    /// The share of a new query, which is younger than all before.
    QueryShare newShare() {
        lock.lock();
        try {
            return queue.newShare();
        } finally {
            lock.unlock();
        }
    }

    /// Queues a task.
    void submit(QueryShare share, Task task) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the engine is closed");
            }
            queue.add(share, task);
            queueChanged();
        } finally {
            lock.unlock();
        }
    }

    /// Lets a query's tasks go before all others from now on, so that it ends soon.
    void hasten(QueryShare share) {
        lock.lock();
        try {
            share.stopping = true;
            queueChanged();
        } finally {
            lock.unlock();
        }
    }

    private void queueChanged() {
        urgent = queue.hasUrgent();
        if (idle > 0 && queue.hasWaiting()) {
            changed.signal();
        }
    }

    private void work() {
        FairQueue.Turn turn = next(null, 0);
        while (turn != null) {
            TimeSlice slice = new TimeSlice(turn.givesWay() ? () -> urgent : () -> false);
            try {
                turn.task().run(slice);
            } catch (Throwable e) {
                report(e);
            }
            turn = next(turn, slice.chargedNanos());
        }
    }

    /// Ends a turn, if there was one, and waits for the next.
    ///
    /// @return null once the scheduler is closed and no task waits
    private FairQueue.Turn next(FairQueue.Turn last, long nanos) {
        lock.lock();
        try {
            if (last != null) {
                queue.ended(last, nanos);
            }
            while (true) {
                boolean tight = memory.isOverSoftLimit();
                FairQueue.Turn turn = queue.next(tight);
                if (turn != null) {
                    queueChanged(); // wakes the next thread, as far as there are tasks
                    return turn;
                }
                if (closed && !queue.hasWaiting()) {
                    return null;
                }
                if (!(tight && queue.hasWaiting() && hasMemoryCome())) {
                    await();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Asks to be told when memory is not tight any more.
    ///
    /// @return whether that is so already
    private boolean hasMemoryCome() {
        if (awaitsMemory) {
            return false;
        }
        awaitsMemory = true;
        memory.whenRelaxed(this::memoryCame);
        return !awaitsMemory;
    }

    private void memoryCame() {
        lock.lock();
        try {
            awaitsMemory = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void await() {
        idle++;
        try {
            changed.await();
        } catch (InterruptedException _) {
            // whoever interrupted this thread meant a task, which is gone: a worker ends by close() only
        } finally {
            idle--;
        }
    }

    /// Tells of an error that no task has taken to its query, and keeps the thread: other queries need it.
    private static void report(Throwable error) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
    }

    /// Ends the threads once the tasks that are queued now have run, and waits for them.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
