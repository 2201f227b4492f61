package dev.chert.pipeline;

import java.util.concurrent.LinkedBlockingQueue;

/// The engine's threads and the tasks that wait for one, first in, first out.
///
/// Threads are platform threads, one a core by default, daemons: they end with the program. A task must not wait;
/// it comes back instead.
final class Scheduler implements AutoCloseable {
    private static final Runnable STOP = () -> {};

    private final LinkedBlockingQueue<Runnable> ready = new LinkedBlockingQueue<>();
    private final Thread[] threads;
    private volatile boolean closed;

    Scheduler(int threadCount) {
        threads = new Thread[threadCount];
        for (int i = 0; i < threadCount; i++) {
            threads[i] = Thread.ofPlatform().daemon().name("chert-worker-" + i).start(this::work);
        }
    }

    int threadCount() {
        return threads.length;
    }

    /// Puts a task at the end of the queue.
    void submit(Runnable task) {
        if (closed) {
            throw new IllegalStateException("the engine is closed");
        }
        ready.add(task);
    }

    private void work() {
        while (true) {
            try {
                Runnable task = ready.take();
                if (task == STOP) {
                    return;
                }
                task.run();
            } catch (InterruptedException _) {
                // whoever interrupted this thread meant a task, which is gone: a worker ends by STOP only
            } catch (Throwable e) {
                report(e);
            }
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
        closed = true;
        for (Thread thread : threads) {
            ready.add(STOP);
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
