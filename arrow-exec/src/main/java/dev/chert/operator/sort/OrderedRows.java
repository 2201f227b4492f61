package dev.chert.operator.sort;

import dev.chert.arrow.SpilledBatches;
import dev.chert.batch.Step;
import dev.chert.memory.Allocator;
import dev.chert.operator.Operator;
import dev.chert.operator.WorkerContext;
import dev.chert.query.QueryContext;
import java.util.List;

/// The runs that the workers of a sort have handed over, and who reads them. Thread-safe.
///
/// Runs in memory move to disk when it is short, until they are read.
final class OrderedRows extends RunHolder {
    private RunMerge merge;
    private boolean closed;

    /// @param allocator the sort's
    OrderedRows(SortSpecification specification, QueryContext query, Allocator allocator) {
        super(specification, query, allocator);
        register();
    }

    /// Takes runs over, which are the caller's again if that fails.
    void addAll(List<SortedRun> runs, List<SpilledBatches> spilled) {
        enter();
        try {
            if (closed) {
                runs.forEach(SortedRun::close);
                spilled.forEach(SpilledBatches::release);
                return;
            }
            if (!runs.isEmpty()) {
                openWriter();
            }
            inMemory().addAll(runs);
            onDisk().addAll(spilled);
            holds(runBytes());
        } finally {
            leave();
        }
    }

    /// Opens a source: the first gives all rows in order, every further one none, since the order is one
    /// worker's.
    Operator open(long offset, long fetch, WorkerContext worker) {
        enter();
        try {
            if (merge == null && !closed) {
                merge = new RunMerge(specification, inMemory(), onDisk(), offset, fetch, worker, allocator);
                inMemory().clear();
                onDisk().clear();
                closeRuns();
                return merge;
            }
        } finally {
            leave();
        }
        return new Operator() {
            @Override
            public Step next() {
                return Step.END;
            }

            @Override
            public void close() {}
        };
    }

    /// Gives back all runs, those that are being read, too; a second call does nothing. Nobody reads them any more.
    void close() {
        unregister();
        closed = true;
        closeRuns();
        if (merge != null) {
            merge.close();
        }
    }
}
