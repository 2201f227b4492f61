package dev.chert.pipeline;

import dev.chert.batch.Batch;
import dev.chert.batch.Step;
import dev.chert.operator.Breaker;
import dev.chert.operator.Sink;
import dev.chert.operator.WorkerContext;

/// Stands between a pipeline and the breaker that ends it: counts the time that the workers spend in the breaker's
/// sinks and in its closing work.
final class MeteredBreaker implements Breaker {
    private final Breaker measured;
    private final OperatorMetrics metrics;

    MeteredBreaker(Breaker measured, OperatorMetrics metrics) {
        this.measured = measured;
        this.metrics = metrics;
    }

    @Override
    public Sink sink(WorkerContext worker) {
        return new MeteredSink(measured.sink(worker), metrics);
    }

    @Override
    public int closingParts() {
        return measured.closingParts();
    }

    @Override
    public void closePart(int part) {
        long start = System.nanoTime();
        measured.closePart(part);
        metrics.addSinkNanos(System.nanoTime() - start);
    }

    @Override
    public boolean isSatisfied() {
        return measured.isSatisfied();
    }

    @Override
    public void close() {
        measured.close();
    }

    private record MeteredSink(Sink measured, OperatorMetrics metrics) implements Sink {
        @Override
        public Step.Paused ready() {
            long start = System.nanoTime();
            Step.Paused pause = measured.ready();
            metrics.addSinkNanos(System.nanoTime() - start);
            return pause;
        }

        @Override
        public Step.Paused readyToFinish() {
            long start = System.nanoTime();
            Step.Paused pause = measured.readyToFinish();
            metrics.addSinkNanos(System.nanoTime() - start);
            return pause;
        }

        @Override
        public void accept(Batch batch) {
            long start = System.nanoTime();
            measured.accept(batch);
            metrics.addSinkNanos(System.nanoTime() - start);
        }

        @Override
        public void finish() {
            long start = System.nanoTime();
            measured.finish();
            metrics.addSinkNanos(System.nanoTime() - start);
        }
    }
}
