package dev.chert.operator.aggregate;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/// The portions that are still to be merged and read, each by one worker: partitions of all workers' tables, taken
/// out of them when somebody is ready for one, and parts of those that turned out too large. Thread-safe.
final class MergeQueue {
    private final List<WorkerGroups> workers;
    private final boolean hasKeys;
    private final int distincts;
    private final int partitions;
    private final AtomicInteger nextPartition = new AtomicInteger();
    private final AtomicInteger unfinished;
    private final ConcurrentLinkedDeque<Portion> cut = new ConcurrentLinkedDeque<>();

    /// @param workers    have gathered all their rows
    /// @param partitions that their tables have, or must be split into
    MergeQueue(List<WorkerGroups> workers, boolean hasKeys, int distincts, int partitions) {
        this.workers = workers;
        this.hasKeys = hasKeys;
        this.distincts = distincts;
        this.partitions = partitions;
        this.unfinished = new AtomicInteger(partitions);
    }

    /// Takes a portion that nobody has taken, the caller's.
    ///
    /// @return null if there is none
    Portion take() {
        Portion part = cut.poll();
        if (part != null) {
            return part;
        }
        int partition = nextPartition.getAndIncrement();
        return partition < partitions ? take(partition) : null;
    }

    private Portion take(int partition) {
        List<MergeInput> groups = new ArrayList<>();
        List<List<MergeInput>> tuples = new ArrayList<>();
        for (int i = 0; i < distincts; i++) {
            tuples.add(new ArrayList<>());
        }
        Portion portion = new Portion(hasKeys ? RowMerge.Part.whole(groups) : null, tuples);
        boolean complete = false;
        try {
            for (WorkerGroups worker : workers) {
                worker.take(partition, partitions, groups, tuples);
            }
            complete = true;
        } finally {
            if (!complete) {
                portion.release();
            }
        }
        return portion;
    }

    /// Moves partitions to disk that nobody has taken yet, so that those in hand need not be cut up.
    ///
    /// @return bytes that came back
    long spillWaiting(long wantedBytes) {
        long freed = 0;
        for (int i = 0; i < workers.size() && freed < wantedBytes; i++) {
            freed += workers.get(i).spill(wantedBytes - freed);
        }
        return freed;
    }

    /// Adds the parts of a portion, which go first, so that their room on disk comes back soon.
    void add(List<Portion> parts) {
        parts.forEach(cut::push);
    }

    /// Notes that a partition, taken as a portion that was not cut, is finished.
    ///
    /// @return whether it was the last
    boolean finish() {
        return unfinished.decrementAndGet() == 0;
    }

    /// Gives the parts back that nobody took.
    void release() {
        for (Portion part = cut.poll(); part != null; part = cut.poll()) {
            part.release();
        }
    }
}
