package dev.chert.operator.scan;

import dev.chert.batch.Batch;
import dev.chert.batch.Step;
import dev.chert.memory.Allocator;
import dev.chert.operator.Operator;
import dev.chert.operator.WorkerContext;
import dev.chert.source.Split;
import dev.chert.source.SplitReader;

/// Reads the splits that a worker takes from the queue, one after the other.
///
/// A source: gives way when the worker's time slice is over. Keeps the order of a split; of all splits where one
/// worker reads them. Memory: what the format's reader needs for one split.
public final class ScanOperator implements Operator {
    private final MorselQueue morsels;
    private final WorkerContext worker;
    private final Allocator allocator;
    private final ScanMetrics metrics;
    private SplitReader reader;
    private long openWeight; // of the split that is read, what has not been counted as done

    public ScanOperator(MorselQueue morsels, WorkerContext worker, Allocator allocator) {
        this.morsels = morsels;
        this.worker = worker;
        this.allocator = allocator;
        this.metrics = morsels.metrics();
    }

    @Override
    public Step next() {
        if (worker.sliceOver()) {
            return Step.Paused.YIELD;
        }
        while (true) {
            if (reader == null) {
                Split split = morsels.take();
                if (split == null) {
                    return Step.END;
                }
                reader = split.open(morsels.request(), worker.query(), allocator);
                openWeight = MorselQueue.weight(split);
                metrics.opened();
            }
            Step step = reader.next();
            if (step instanceof Batch batch) {
                count(batch.rowCount());
            }
            if (!(step instanceof Step.End)) {
                return step;
            }
            metrics.done(openWeight); // rows that the reader skipped are done too
            close();
        }
    }

    private void count(int rows) {
        long done = Math.min(rows, openWeight);
        openWeight -= done;
        metrics.done(done);
        metrics.read(rows);
    }

    @Override
    public void close() {
        if (reader != null) {
            SplitReader open = reader;
            reader = null;
            open.close();
            metrics.closed(open.metrics());
        }
    }
}
