package dev.chert.operator.join;

import dev.chert.arrow.SpilledBatches;
import dev.chert.memory.Allocator;
import dev.chert.operator.Operator;
import dev.chert.operator.WorkerContext;
import dev.chert.operator.table.SpilledRows;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/// A table and what its probing workers share: where they meet, and the partitions that wait on disk until then.
///
/// The whole join is one level over the input's build rows; a partition that waited on disk is a level of its own,
/// one deeper, with one worker. Thread-safe.
final class JoinLevel {
    /// Deeper than this no partition is split: rows that are still together have one key, or the same hash.
    private static final int DEEPEST = 6;

    private final JoinShape shape;
    private final JoinTable table;
    private final int number;
    private final boolean sawNullKey;
    private final ProbeEnd end;
    private final List<SpilledProbe> probes = new ArrayList<>(); // guarded by this
    private Deque<SpilledPartition> waiting; // guarded by this; made when all workers have ended

    /// @param table      sealed; this level's to release
    /// @param number     how often the rows were partitioned before
    /// @param sawNullKey whether there was a NULL key among all build rows of the join
    JoinLevel(JoinShape shape, JoinTable table, int number, boolean sawNullKey, int workers) {
        this.shape = shape;
        this.table = table;
        this.number = number;
        this.sawNullKey = sawNullKey;
        this.end = new ProbeEnd(workers, table::releaseRows);
    }

    JoinShape shape() {
        return shape;
    }

    JoinTable table() {
        return table;
    }

    /// How often the rows were partitioned before.
    int number() {
        return number;
    }

    boolean sawNullKey() {
        return sawNullKey;
    }

    ProbeEnd end() {
        return end;
    }

    /// Whether build rows wait on disk.
    boolean hasSpilled() {
        return table.spilledSet() != 0;
    }

    /// Whether probe rows wait on disk whatever their keys, since each may have to be compared with any build row.
    boolean allWait() {
        return hasSpilled() && shape.openCondition() != null;
    }

    /// Where one worker puts probe rows that must wait.
    synchronized SpilledProbe newProbe(WorkerContext worker, Allocator allocator) {
        SpilledProbe probe = new SpilledProbe(shape, table, worker.query(), allocator);
        probes.add(probe);
        return probe;
    }

    /// The join of a partition that waited, which no other worker gets; null where none is left. To be called when
    /// all workers have ended.
    Operator nextWaiting(WorkerContext worker, Allocator allocator) {
        SpilledPartition next = takeWaiting(worker.query().batchSize());
        if (next == null) {
            return null;
        }
        return next.splits()
                ? new SpilledJoin(shape, next, sawNullKey, worker, allocator)
                : new ChunkedJoin(shape, next, sawNullKey, worker, allocator);
    }

    private synchronized SpilledPartition takeWaiting(int batchSize) {
        if (waiting == null) {
            waiting = new ArrayDeque<>(allWait() ? List.of(whole()) : partitions(batchSize));
        }
        return waiting.poll();
    }

    private SpilledPartition whole() {
        List<SpilledRows> build = new ArrayList<>();
        for (int p = 0; p < JoinTable.PARTITIONS; p++) {
            build.addAll(table.takeSpilled(p));
        }
        return new SpilledPartition(number + 1, build, table.takeSpilled(BuildPart.NULL_KEYS), takeProbe(0), false);
    }

    /// Those of which rows may come out, the largest first.
    private List<SpilledPartition> partitions(int batchSize) {
        List<SpilledPartition> partitions = new ArrayList<>();
        for (int p = 0; p < JoinTable.PARTITIONS; p++) {
            if (table.isSpilled(p)) {
                List<SpilledRows> build = table.takeSpilled(p);
                partitions.add(
                        new SpilledPartition(number + 1, build, List.of(), takeProbe(p), splits(build, batchSize)));
            }
        }
        if (table.isSpilled(BuildPart.NULL_KEYS)) {
            List<SpilledRows> nullKeys = table.takeSpilled(BuildPart.NULL_KEYS);
            partitions.add(new SpilledPartition(number + 1, List.of(), nullKeys, List.of(), false));
        }
        partitions.removeIf(this::givesNothing);
        partitions.sort(Comparator.comparingLong(SpilledPartition::byteSize).reversed());
        return partitions;
    }

    private List<SpilledBatches> takeProbe(int partition) {
        return probes.stream()
                .flatMap(probe -> probe.takeSpilled(partition).stream())
                .toList();
    }

    /// Whether to partition rows once more rather than to take them chunk by chunk: unless they are a single chunk
    /// anyway, or nearly all rows of this level, as where many have the same key.
    private boolean splits(List<SpilledRows> build, int batchSize) {
        long rows = build.stream().mapToLong(SpilledRows::rowCount).sum();
        long bytes = build.stream().mapToLong(SpilledRows::byteSize).sum();
        return number < DEEPEST
                && 4 * rows <= 3 * table.keyedRows()
                && (rows > batchSize || bytes > ChunkedJoin.LEAST_CHUNK_BYTES);
    }

    private boolean givesNothing(SpilledPartition partition) {
        boolean noBuild = partition.buildRows() == 0;
        boolean noProbe = partition.probeRows() == 0;
        boolean nothing = switch (shape.kind()) {
            case INNER, SEMI, RIGHT_SEMI -> noBuild || noProbe;
            case LEFT, ANTI, NULL_AWARE_ANTI, MARK -> noProbe;
            case RIGHT, RIGHT_ANTI -> noBuild;
            case FULL -> noBuild && noProbe;
        };
        if (nothing) {
            partition.release();
        }
        return nothing;
    }

    /// Gives back the table and all that nobody took; a second call does nothing.
    synchronized void release() {
        table.release();
        probes.forEach(SpilledProbe::release);
        if (waiting != null) {
            waiting.forEach(SpilledPartition::release);
            waiting.clear();
        }
    }
}
