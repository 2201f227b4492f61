package dev.chert.operator;

import dev.chert.batch.Step;

/// One worker's end of a streaming operator, or a source: pulled by the operator above it.
///
/// Not thread-safe, but bound to no thread: each call may come from another. A returned batch is the caller's,
/// who closes it or hands it on.
public interface Operator extends AutoCloseable {
    /// The next step. What is not a batch from the input is handed on unchanged, and may be asked for again.
    Step next();

    /// Closes the input and gives back what this operator holds; a second call does nothing.
    @Override
    void close();
}
