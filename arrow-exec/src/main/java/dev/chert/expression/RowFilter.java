package dev.chert.expression;

import dev.chert.batch.Batch;

/// A predicate with its consumer: the selection vector. Not thread-safe; one a worker.
public interface RowFilter extends AutoCloseable {
    /// Narrows the batch's selection to the rows for which the predicate is true; false and NULL both drop the
    /// row.
    void narrow(Batch batch);

    /// Gives back the memory of constants and remembered dictionaries; what was evaluated before stays valid.
    @Override
    void close();
}
