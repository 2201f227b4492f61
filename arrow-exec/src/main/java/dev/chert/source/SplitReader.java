package dev.chert.source;

import dev.chert.batch.Step;

/// Reads one split. Not thread-safe, but bound to no thread: each call may come from another.
public interface SplitReader extends AutoCloseable {
    /// The next rows, in the split's order.
    ///
    /// @return a batch (the caller's), a pause, or the end
    Step next();

    /// What was read so far; stays after [#close()].
    default ReadMetrics metrics() {
        return ReadMetrics.NONE;
    }

    /// Gives back files and memory; a second call does nothing.
    @Override
    void close();
}
