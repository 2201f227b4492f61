package dev.chert.operator.sort;

import dev.chert.batch.Batch;
import dev.chert.batch.Step;
import dev.chert.error.ResourceException;
import dev.chert.memory.Allocator;
import dev.chert.operator.Sink;
import dev.chert.operator.WorkerContext;
import dev.chert.query.QueryContext;
import java.util.function.BooleanSupplier;

/// One worker's rows of a sort: what it gathers at the moment, and the runs that it has finished.
///
/// When memory is short at the beginning of a batch, runs move to disk, the finished ones first. Others may ask for
/// the same while the worker is not in here. Memory grows with the rows until then.
final class RunCollector extends RunHolder {
    private final RunBuilder builder;
    private final int runRows;
    private final int most;
    private boolean full;

    /// @param runRows rows after which a run is finished, or cut
    /// @param most    rows of the order that are wanted; those after them are left out of each run
    RunCollector(SortSpecification specification, QueryContext query, Allocator allocator, int runRows, int most) {
        super(specification, query, allocator);
        this.builder = new RunBuilder(specification, query, allocator);
        this.runRows = runRows;
        this.most = most;
    }

    /// Goes on with the sorting of a full run, or of the last one.
    ///
    /// @param ended     whether no more rows come
    /// @param sliceOver whether to leave off
    /// @return          whether rows may be added, or all be handed over
    boolean isReady(boolean ended, BooleanSupplier sliceOver) {
        if (!ended && !full) {
            return true;
        }
        enter();
        try {
            if (!builder.sortMore(sliceOver)) {
                return false;
            }
            if (full) {
                shrink();
                holds(runBytes() + builder.heldBytes());
            }
            return true;
        } finally {
            leave();
        }
    }

    /// Takes the selected rows of a batch.
    ///
    /// @param batch given
    void add(Batch batch) {
        enter();
        try {
            openWriter();
            if (full) {
                shrink();
            }
            makeRoom(batch.selectedRows());
            builder.add(batch);
            full = builder.count() >= runRows;
            holds(runBytes() + builder.heldBytes());
        } finally {
            leave();
        }
    }

    private void makeRoom(int rows) {
        if (builder.makeRoom(rows)) {
            return;
        }
        shrink();
        if (!builder.makeRoom(rows)) {
            spillRuns(Long.MAX_VALUE);
            builder.takeRoom(rows);
        }
    }

    /// Leaves out what is not wanted if that is much and there is memory to copy the rest, else finishes a run.
    private void shrink() {
        full = false;
        if (!tryCut()) {
            finishRun();
        }
    }

    /// @return false where too few rows are not wanted, or there is no memory: what is held can become a run then
    private boolean tryCut() {
        if (2L * most > builder.count()) {
            return false;
        }
        try {
            builder.cut(most);
            return true;
        } catch (ResourceException _) {
            return false; // the run goes to disk if there is still none for more rows
        }
    }

    private void finishRun() {
        SortedRun run = builder.finish(most);
        if (run != null) {
            inMemory().add(run);
        }
    }

    @Override
    protected long spillRuns(long wantedBytes) {
        long freed = super.spillRuns(wantedBytes);
        if (freed < wantedBytes) {
            freed += cut();
        }
        if (freed >= wantedBytes || builder.count() == 0) {
            return freed;
        }
        full = false;
        finishRun();
        return freed + super.spillRuns(wantedBytes - freed);
    }

    /// Leaves out rows that are not wanted, where they are many and there is memory to copy the others.
    ///
    /// @return bytes that came back
    private long cut() {
        long before = builder.heldBytes();
        if (!tryCut()) {
            return 0;
        }
        long freed = Math.max(0, before - builder.heldBytes());
        holds(runBytes() + builder.heldBytes());
        return freed;
    }

    /// This collector as a worker's sink.
    ///
    /// @param rows gets the runs
    Sink sink(OrderedRows rows, WorkerContext worker) {
        return new Sink() {
            @Override
            public Step.Paused ready() {
                return isReady(false, worker::sliceOver) ? null : Step.Paused.YIELD;
            }

            @Override
            public void accept(Batch batch) {
                add(batch);
            }

            @Override
            public Step.Paused readyToFinish() {
                return isReady(true, worker::sliceOver) ? null : Step.Paused.YIELD;
            }

            @Override
            public void finish() {
                RunCollector.this.finish(rows);
            }
        };
    }

    /// Hands all runs over; nothing is taken after this.
    void finish(OrderedRows rows) {
        unregister();
        finishRun();
        builder.close();
        rows.addAll(inMemory(), onDisk());
        inMemory().clear();
        onDisk().clear();
        closeRuns();
    }
}
