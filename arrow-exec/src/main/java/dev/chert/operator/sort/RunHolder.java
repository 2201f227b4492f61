package dev.chert.operator.sort;

import dev.chert.arrow.SpilledBatches;
import dev.chert.memory.Allocator;
import dev.chert.memory.GuardedState;
import dev.chert.query.QueryContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Holds runs, in memory and on disk, and moves them from there to here when memory is short.
abstract class RunHolder extends GuardedState {
    protected final SortSpecification specification;
    protected final QueryContext query;
    protected final Allocator allocator;
    private final List<SortedRun> inMemory = new ArrayList<>();
    private final List<SpilledBatches> onDisk = new ArrayList<>();
    private RunWriter writer;
    private volatile long held;

    protected RunHolder(SortSpecification specification, QueryContext query, Allocator allocator) {
        super(allocator);
        this.specification = specification;
        this.query = query;
        this.allocator = allocator;
    }

    /// The runs in memory; only inside.
    protected final List<SortedRun> inMemory() {
        return inMemory;
    }

    /// The runs on disk; only inside.
    protected final List<SpilledBatches> onDisk() {
        return onDisk;
    }

    /// Reserves what writing runs takes; to be called before there are any.
    protected final void openWriter() {
        if (writer == null) {
            writer = new RunWriter(specification, query, allocator);
        }
    }

    /// Says how much memory could come back; called inside, when it has changed.
    protected final void holds(long bytes) {
        held = bytes;
    }

    /// About what the runs in memory hold.
    protected final long runBytes() {
        long bytes = 0;
        for (SortedRun run : inMemory) {
            bytes += run.heldBytes();
        }
        return bytes;
    }

    @Override
    protected final long heldBytes() {
        return held;
    }

    @Override
    protected final long release(long wantedBytes) {
        return spillRuns(wantedBytes);
    }

    /// Writes out runs, the largest first, until as much as wanted came back.
    ///
    /// @return bytes that did
    protected long spillRuns(long wantedBytes) {
        inMemory.sort(Comparator.comparingLong(SortedRun::heldBytes));
        long freed = 0;
        while (freed < wantedBytes && !inMemory.isEmpty()) {
            SortedRun largest = inMemory.getLast();
            onDisk.add(writer.write(largest, 0));
            inMemory.removeLast();
            largest.close();
            freed += largest.heldBytes();
            holds(held - largest.heldBytes());
        }
        return freed;
    }

    /// Gives back all runs and what writing them took; called inside, or when nobody else is there any more.
    protected final void closeRuns() {
        inMemory.forEach(SortedRun::close);
        inMemory.clear();
        onDisk.forEach(SpilledBatches::release);
        onDisk.clear();
        closeWriter();
        holds(0);
    }

    protected final void closeWriter() {
        if (writer != null) {
            writer.close();
            writer = null;
        }
    }

    protected final RunWriter writer() {
        return writer;
    }
}
