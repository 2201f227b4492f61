package dev.chert.cli;

import dev.chert.pipeline.QueryProgress;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/// Shows on a terminal how far the statement is that another thread runs: one line, drawn again and again, that goes
/// before anything else is printed.
///
/// A statement that is done soon shows nothing.
final class ProgressDisplay implements AutoCloseable {
    static final Duration DELAY = Duration.ofSeconds(1);
    static final Duration INTERVAL = Duration.ofMillis(200);

    /// Shows nothing.
    static final ProgressDisplay NONE = new ProgressDisplay(null, Optional::empty, INTERVAL);

    private static final String TO_START = "\r";
    private static final String CLEAR_REST = "\u001b[K";

    private final PrintStream terminal;
    private final Supplier<Optional<QueryProgress>> progress;
    private final long intervalMillis;
    private boolean drawn; // this and the next guarded by this
    private boolean ended;

    private ProgressDisplay(PrintStream terminal, Supplier<Optional<QueryProgress>> progress, Duration interval) {
        this.terminal = terminal;
        this.progress = progress;
        this.intervalMillis = interval.toMillis();
    }

    /// Starts to show what `progress` gives.
    ///
    /// @param terminal stays the caller's, who must not print until this is closed
    /// @param progress asked by another thread; empty where nothing runs yet
    /// @param delay    until the line is there
    /// @param interval until it is drawn again
    static ProgressDisplay start(
            PrintStream terminal, Supplier<Optional<QueryProgress>> progress, Duration delay, Duration interval) {
        ProgressDisplay display = new ProgressDisplay(terminal, progress, interval);
        Thread.ofPlatform().daemon().name("chert-progress").start(() -> display.show(delay.toMillis()));
        return display;
    }

    private synchronized void show(long delayMillis) {
        try {
            long pause = delayMillis;
            while (!sleep(pause)) {
                progress.get().ifPresent(this::draw);
                pause = intervalMillis;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // nobody does; the line then stays as it is until it is cleared
        }
    }

    /// Waits until a time is over or the display has ended.
    ///
    /// @return whether it has ended
    private boolean sleep(long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000;
        for (long left = millis; left > 0 && !ended; left = (end - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
        return ended;
    }

    private void draw(QueryProgress now) {
        terminal.print(TO_START + ProgressLine.of(now) + CLEAR_REST);
        terminal.flush();
        drawn = true;
    }

    /// Clears the line and draws it no more. A second call does nothing.
    synchronized void end() {
        if (!ended && drawn) {
            terminal.print(TO_START + CLEAR_REST);
            terminal.flush();
        }
        ended = true;
        notifyAll();
    }

    @Override
    public void close() {
        end();
    }
}
