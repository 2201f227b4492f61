package dev.chert.operator.project;

import dev.chert.batch.Batch;
import dev.chert.batch.Step;
import dev.chert.expression.Projection;
import dev.chert.operator.Operator;

/// Computes one column an expression.
///
/// Streams: an input batch gives one output batch with the same rows under the same selection, in input order.
/// Memory: the columns of one batch.
public final class ProjectOperator implements Operator {
    private final Operator input;
    private final Projection projection;
    private boolean closed;

    /// @param projection given: closed with this operator
    public ProjectOperator(Operator input, Projection projection) {
        this.input = input;
        this.projection = projection;
    }

    @Override
    public Step next() {
        Step step = input.next();
        if (!(step instanceof Batch batch)) {
            return step;
        }
        Batch projected = new Batch(projection.evaluate(batch), batch.rowCount());
        batch.moveSelectionTo(projected);
        batch.close();
        return projected;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            projection.close();
            input.close();
        }
    }
}
