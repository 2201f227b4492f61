package dev.chert.operator.sort;

import dev.chert.batch.Batch;
import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;

/// One worker's rows of a sort: what it gathers at the moment, and the runs that it has finished.
///
/// When memory is short at the beginning of a batch, runs move to disk, the finished ones first. Others may ask for
/// the same while the worker is not in here. Memory grows with the rows until then.
final class RunCollector extends RunHolder {
    private final RunBuilder builder;
    private final int runRows;
    private final int most;

    /// @param runRows rows after which a run is finished, or cut
    /// @param most    rows of the order that are wanted; those after them are left out of each run
    RunCollector(SortSpecification specification, QueryContext query, Allocator allocator, int runRows, int most) {
        super(specification, query, allocator);
        this.builder = new RunBuilder(specification, query, allocator);
        this.runRows = runRows;
        this.most = most;
    }

    /// Takes the selected rows of a batch.
    ///
    /// @param batch given
    void add(Batch batch) {
        enter();
        try {
            openWriter();
            makeRoom(batch.selectedRows());
            builder.add(batch);
            if (builder.count() >= runRows) {
                shrink();
            }
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

    /// Leaves out what is not wanted if that is much, else finishes a run.
    private void shrink() {
        if (2L * most <= builder.count()) {
            builder.cut(most);
        } else {
            finishRun();
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
        if (freed >= wantedBytes || builder.count() == 0) {
            return freed;
        }
        finishRun();
        return freed + super.spillRuns(wantedBytes - freed);
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
