package dev.chert.expression;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;

/// Expressions with their consumer: columns. Not thread-safe; one a worker.
public interface Projection extends AutoCloseable {
    /// Evaluates every expression on the selected rows.
    ///
    /// @param batch borrowed; stays as it is
    /// @return      one column an expression, the caller's, each of the batch's row count with the values of
    ///              unselected rows undefined; an input column may be returned itself, retained
    Column[] evaluate(Batch batch);

    /// Gives back the memory of constants and remembered dictionaries; what was evaluated before stays valid.
    @Override
    void close();
}
