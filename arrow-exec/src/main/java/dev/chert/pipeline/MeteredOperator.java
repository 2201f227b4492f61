package dev.chert.pipeline;

import dev.chert.batch.Batch;
import dev.chert.batch.Step;
import dev.chert.operator.Operator;
import dev.chert.query.QueryContext;

/// Stands between two operators: counts rows and time, and stops a cancelled query.
final class MeteredOperator implements Operator {
    private final Operator measured;
    private final OperatorMetrics metrics;
    private final QueryContext query;

    MeteredOperator(Operator measured, OperatorMetrics metrics, QueryContext query) {
        this.measured = measured;
        this.metrics = metrics;
        this.query = query;
    }

    @Override
    public Step next() {
        query.checkCancelled();
        long start = System.nanoTime();
        Step step = measured.next();
        metrics.addStepNanos(System.nanoTime() - start);
        if (step instanceof Batch batch) {
            metrics.count(batch.selectedRows());
        }
        return step;
    }

    @Override
    public void close() {
        measured.close();
    }
}
