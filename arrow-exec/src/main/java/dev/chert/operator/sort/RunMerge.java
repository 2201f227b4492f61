package dev.chert.operator.sort;

import dev.chert.arrow.SpilledBatches;
import dev.chert.batch.Batch;
import dev.chert.batch.Step;
import dev.chert.kernel.BatchGather;
import dev.chert.memory.Allocator;
import dev.chert.operator.Operator;
import dev.chert.operator.WorkerContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Merges sorted runs: the source of the pipeline above a sort.
///
/// Keeps order. Memory beyond the runs: the output batch, and a block of each run on disk. Where these have no room
/// side by side, runs on disk are merged in passes first, the smallest of them, into runs on disk. Runs in memory move
/// to disk when it is short, also while they are read. Runs are given back as they come to their ends, the others when
/// this is closed.
final class RunMerge extends RunHolder implements Operator {
    private static final int PASS_ROWS = 4096;
    private static final int LEAST_FAN_IN = 2;
    private static final int MOST_FAN_IN = 512;

    /// Blocks of runs may take one in this many of the bytes that are free when the merge begins.
    private static final int FREE_PART = 2;

    private enum Phase {
        PLANNING,
        PASSING,
        GIVING,
        DONE
    }

    private final WorkerContext worker;
    private final BatchGather borrowing;
    private final BatchGather copying;
    private final RunKeys keys;
    private final int columns;
    private final int batchSize;
    private final long wanted;
    private Phase phase = Phase.PLANNING;
    private RunHeap heap;
    private SpilledBatches passed;
    private long toSkip;
    private long toGive;

    /// @param runs    given, the list is the caller's
    /// @param spilled given, the list is the caller's
    /// @param offset  rows to leave out at the start
    /// @param fetch   the most rows to give after them
    RunMerge(
            SortSpecification specification,
            List<SortedRun> runs,
            List<SpilledBatches> spilled,
            long offset,
            long fetch,
            WorkerContext worker,
            Allocator allocator) {
        super(specification, worker.query(), allocator);
        this.worker = worker;
        this.borrowing = new BatchGather(specification.sourceTypes(), false, allocator);
        this.copying = new BatchGather(specification.sourceTypes(), true, allocator);
        this.keys = new RunKeys(specification, query, allocator);
        this.columns = specification.schema().size();
        this.batchSize = query.batchSize();
        this.wanted = fetch > Long.MAX_VALUE - offset ? Long.MAX_VALUE : offset + fetch;
        this.toSkip = offset;
        this.toGive = fetch;
        inMemory().addAll(runs);
        onDisk().addAll(spilled);
        register();
    }

    @Override
    public Step next() {
        if (phase == Phase.DONE) {
            return Step.END;
        }
        enter();
        try {
            while (true) {
                if (worker.sliceOver()) {
                    return Step.Paused.YIELD;
                }
                query.checkCancelled();
                switch (phase) {
                    case PLANNING -> plan();
                    case PASSING -> pass();
                    case GIVING -> {
                        Batch batch = give();
                        if (batch != null) {
                            return batch;
                        }
                    }
                    case DONE -> {
                        return Step.END;
                    }
                }
            }
        } finally {
            leave();
        }
    }

    /// Begins a pass over the smallest runs on disk if there are too many, else the giving of rows. Runs in memory make
    /// way for blocks before that.
    private void plan() {
        openWriter();
        if (onDisk().size() > fanIn()) {
            spillRuns(Long.MAX_VALUE);
        }
        int fanIn = fanIn();
        int tooMany = onDisk().size() - fanIn;
        List<RunCursor> cursors = new ArrayList<>();
        if (tooMany > 0) {
            onDisk().sort(Comparator.comparingLong(SpilledBatches::byteSize));
            List<SpilledBatches> smallest = onDisk().subList(0, Math.min(fanIn, tooMany + 1));
            smallest.forEach(run -> cursors.add(new DiskCursor(run, keys)));
            smallest.clear();
            passed = writer().begin();
            phase = Phase.PASSING;
        } else {
            onDisk().forEach(run -> cursors.add(new DiskCursor(run, keys)));
            inMemory().forEach(run -> cursors.add(new MemoryCursor(run, specification.layout())));
            onDisk().clear();
            inMemory().clear();
            phase = Phase.GIVING;
        }
        heap = new RunHeap(
                cursors, new EntryOrder(specification.layout()), phase == Phase.PASSING ? PASS_ROWS : batchSize);
        heap.open();
        holds(runBytes() + heap.memoryBytes());
    }

    /// How many runs on disk can be read side by side.
    private int fanIn() {
        long most = SpilledBatches.BLOCK_BYTES;
        for (SpilledBatches run : onDisk()) {
            long block = Allocator.blockBytes(run.mostBlockBytes());
            most = Math.max(most, block + Allocator.blockBytes(keys.entryBytes(run.mostBlockRows())));
        }
        long limit = allocator.account().manager().limitBytes();
        long free = limit - allocator.account().manager().reservedBytes();
        return Math.clamp(free / FREE_PART / most, LEAST_FAN_IN, MOST_FAN_IN);
    }

    private void pass() {
        int count = heap.take((int) Math.min(PASS_ROWS, wanted - passed.rowCount()));
        passed.add(heap.sources(), heap.sourceOf(), heap.rowOf(), count);
        heap.letGo();
        if (heap.isEmpty() || passed.rowCount() == wanted) {
            heap.close();
            heap = null;
            onDisk().add(passed);
            passed = null;
            phase = Phase.PLANNING;
        }
    }

    /// @return null where there is nothing to hand on yet
    private Batch give() {
        if (heap.isEmpty() || toGive == 0) {
            close();
            return null;
        }
        int count = heap.take((int) Math.min(batchSize, toSkip > 0 ? toSkip : toGive));
        Batch batch = null;
        if (toSkip > 0) {
            toSkip -= count;
        } else {
            toGive -= count;
            BatchGather gather = heap.readsDisk() ? copying : borrowing;
            batch = gather.gather(heap.sources(), heap.sourceOf(), heap.rowOf(), count, columns);
        }
        heap.letGo();
        holds(heap.memoryBytes());
        return batch;
    }

    @Override
    protected long spillRuns(long wantedBytes) {
        if (phase != Phase.GIVING) {
            return super.spillRuns(wantedBytes);
        }
        long freed = heap.spill(wantedBytes, writer(), keys);
        holds(heap.memoryBytes());
        return freed;
    }

    @Override
    public void close() {
        if (phase == Phase.DONE) {
            return;
        }
        phase = Phase.DONE;
        unregister();
        if (heap != null) {
            heap.close();
        }
        if (passed != null) {
            passed.release();
        }
        keys.close();
        closeRuns();
    }
}
