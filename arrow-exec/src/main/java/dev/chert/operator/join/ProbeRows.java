package dev.chert.operator.join;

import dev.chert.arrow.SpilledBatches;
import dev.chert.batch.Batch;
import dev.chert.batch.Step;
import dev.chert.operator.Operator;
import dev.chert.operator.WorkerContext;
import java.util.List;

/// Reads probe rows back from disk. Gives them back as it goes, unless they are to be read again.
final class ProbeRows implements Operator {
    private final List<SpilledBatches> rows;
    private final boolean isLastPass;
    private final WorkerContext worker;
    private SpilledBatches.Reader reader;
    private int next;

    /// @param rows borrowed
    ProbeRows(List<SpilledBatches> rows, boolean isLastPass, WorkerContext worker) {
        this.rows = rows;
        this.isLastPass = isLastPass;
        this.worker = worker;
    }

    @Override
    public Step next() {
        if (worker.sliceOver()) {
            return Step.Paused.YIELD;
        }
        while (next < rows.size()) {
            if (reader == null) {
                reader = isLastPass ? rows.get(next).drain() : rows.get(next).reader();
            }
            Batch batch = reader.next();
            if (batch != null) {
                return batch;
            }
            reader = null;
            next++;
        }
        return Step.END;
    }

    @Override
    public void close() {
        reader = null;
        next = rows.size();
    }
}
