package dev.chert.operator.aggregate;

import dev.chert.memory.Allocator;
import dev.chert.memory.GuardedState;
import dev.chert.operator.table.RowBlock;
import dev.chert.operator.table.RowTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What one worker has gathered: groups, and a set of tuples for each DISTINCT. Entered by its sink batch by batch,
/// later by whoever takes a partition out; spilled partition by partition in between, first those that are on disk
/// already, since they must be merged anyway.
///
/// Memory: the tables, and one block as soon as they are large enough to be spilled in need.
final class WorkerGroups extends GuardedState {
    /// From here on a block is kept, so that spilling needs no memory that may not be there any more.
    private static final long LARGE_BYTES = 1 << 20;

    private record Unit(SpillingTable table, int number) {
        long bytes() {
            return table.bytes(number);
        }

        boolean isOnDisk() {
            return table.isOnDisk(number);
        }
    }

    private final Groups groups;
    private final List<DistinctSet> sets;
    private final SpillingTable groupTable; // null where there is but one group
    private final List<SpillingTable> tupleTables = new ArrayList<>();
    private final List<SpillingTable> all = new ArrayList<>();
    private final Allocator allocator;
    private RowBlock scratch;
    private volatile long held;

    /// @param partitions     of large tables
    /// @param checkCancelled throws if the query was cancelled
    WorkerGroups(
            Groups groups,
            List<DistinctSet> sets,
            boolean hasKeys,
            int partitions,
            Allocator allocator,
            Runnable checkCancelled) {
        super(allocator);
        this.groups = groups;
        this.sets = sets;
        this.allocator = allocator;
        groupTable = hasKeys ? new SpillingTable(groups.table(), partitions, allocator, checkCancelled) : null;
        if (hasKeys) {
            all.add(groupTable);
        }
        for (DistinctSet set : sets) {
            tupleTables.add(new SpillingTable(set.table(), partitions, allocator, checkCancelled));
        }
        all.addAll(tupleTables);
    }

    Groups groups() {
        return groups;
    }

    List<DistinctSet> sets() {
        return sets;
    }

    /// The table of the groups that are in memory.
    RowTable table() {
        return groups.table();
    }

    /// Notes that rows came, before the state is left.
    void grown() {
        noteHeld();
        if (scratch == null && held >= LARGE_BYTES) {
            scratch = new RowBlock(allocator);
        }
    }

    private void noteHeld() {
        long bytes = 0;
        for (SpillingTable table : all) {
            bytes += table.bytes();
        }
        held = bytes;
    }

    /// How many partitions there must be. Called once this worker adds no more; what is spilled later is told apart
    /// more finely, which [#take] makes good.
    int partitions() {
        enter();
        try {
            return all.stream().mapToInt(SpillingTable::partitions).max().orElse(1);
        } finally {
            leave();
        }
    }

    /// Takes a partition out.
    ///
    /// @param of     how many partitions there are of all workers' tables
    /// @param into   receives the groups, if there are keys
    /// @param tuples receives the tuples of each DISTINCT
    void take(int partition, int of, List<MergeInput> into, List<List<MergeInput>> tuples) {
        work(() -> {
            List<Unit> halfSplit = all.stream()
                    .filter(SpillingTable::isHalfSplit)
                    .map(table -> new Unit(table, 0))
                    .toList();
            if (!halfSplit.isEmpty()) {
                spill(halfSplit, Long.MAX_VALUE);
            }
            if (groupTable != null) {
                groupTable.take(partition, of, into);
            }
            for (int i = 0; i < tupleTables.size(); i++) {
                tupleTables.get(i).take(partition, of, tuples.get(i));
            }
            noteHeld();
            if (held == 0) {
                releaseScratch();
            }
        });
    }

    private void releaseScratch() {
        if (scratch != null) {
            scratch.release();
            scratch = null;
        }
    }

    @Override
    protected long heldBytes() {
        return held;
    }

    @Override
    protected long release(long wantedBytes) {
        List<Unit> units = new ArrayList<>();
        for (SpillingTable table : all) {
            for (int number = 0; number < table.units(); number++) {
                if (table.bytes(number) > 0) {
                    units.add(new Unit(table, number));
                }
            }
        }
        units.sort(
                Comparator.comparing(Unit::isOnDisk).thenComparing(Unit::bytes).reversed());
        return spill(units, wantedBytes);
    }

    private long spill(List<Unit> units, long wantedBytes) {
        RowBlock block = scratch != null ? scratch : new RowBlock(held, allocator);
        long freed = 0;
        try {
            for (int i = 0; i < units.size() && freed < wantedBytes; i++) {
                freed += units.get(i).table().spill(units.get(i).number(), block);
            }
        } finally {
            if (block != scratch) {
                block.release();
            }
            noteHeld();
        }
        return freed;
    }

    /// Gives back what was not taken.
    void close() {
        unregister();
        all.forEach(SpillingTable::release);
        table().release();
        releaseScratch();
    }
}
