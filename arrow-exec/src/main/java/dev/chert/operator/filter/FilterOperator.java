package dev.chert.operator.filter;

import dev.chert.batch.Batch;
import dev.chert.batch.Step;
import dev.chert.expression.RowFilter;
import dev.chert.operator.Operator;

/// Keeps the rows for which a predicate is true; false and NULL both drop the row.
///
/// Streams: an input batch gives at most one output batch, in input order. Moves no values: the output is the
/// input's batch under a narrower selection vector. Memory: nothing beyond the input batch.
public final class FilterOperator implements Operator {
    private final Operator input;
    private final RowFilter predicate;
    private boolean closed;

    /// @param predicate given: closed with this operator
    public FilterOperator(Operator input, RowFilter predicate) {
        this.input = input;
        this.predicate = predicate;
    }

    @Override
    public Step next() {
        while (true) {
            Step step = input.next();
            if (!(step instanceof Batch batch)) {
                return step;
            }
            predicate.narrow(batch);
            if (batch.selectedRows() > 0) {
                return batch;
            }
            batch.close();
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            predicate.close();
            input.close();
        }
    }
}
