package dev.chert.operator.sort;

import dev.chert.batch.Step;
import dev.chert.memory.Allocator;
import dev.chert.operator.Operator;
import dev.chert.operator.WorkerContext;
import java.util.ArrayList;
import java.util.List;

/// The runs that the workers of a sort have handed over, and who reads them. Thread-safe.
final class OrderedRows {
    private final SortSpecification specification;
    private final List<SortedRun> runs = new ArrayList<>(); // guards itself
    private boolean taken;
    private boolean closed;

    OrderedRows(SortSpecification specification) {
        this.specification = specification;
    }

    /// @param run given; null is ignored
    void add(SortedRun run) {
        if (run == null) {
            return;
        }
        synchronized (runs) {
            if (!closed) {
                runs.add(run);
                return;
            }
        }
        run.close();
    }

    /// Opens a source: the first gives all rows in order, every further one none, since the order is one
    /// worker's.
    Operator open(long offset, long fetch, WorkerContext worker, Allocator allocator) {
        synchronized (runs) {
            if (!taken) {
                taken = true;
                return new RunMerge(specification, List.copyOf(runs), offset, fetch, worker, allocator);
            }
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

    void close() {
        synchronized (runs) {
            closed = true;
            runs.forEach(SortedRun::close);
        }
    }
}
