package dev.chert.operator.aggregate;

import dev.chert.batch.PackedColumn;
import dev.chert.batch.RowPlace;
import dev.chert.function.aggregate.StateMemory;
import dev.chert.operator.table.RowLayout;
import dev.chert.operator.table.RowPages;
import dev.chert.operator.table.RowProbe;
import dev.chert.operator.table.RowTable;
import dev.chert.query.QueryContext;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Shows distinct tuples to the DISTINCT aggregates of their groups, each once, some at a time.
final class DistinctFeed {
    private static final int BATCH_ROWS = 1024;

    private final Aggregation.Distinct distinct;
    private final RowTable groups;
    private final long onlyGroup;
    private final TupleHash tupleHash;
    private final StateMemory memory;
    private final RowProbe probe = new RowProbe();
    private final PackedColumn argument = new PackedColumn();
    private final long[] rows = new long[BATCH_ROWS];
    private final long[] hashes = new long[BATCH_ROWS];
    private final long[] places = new long[BATCH_ROWS];
    private RowPages tuples;
    private RowPages.Scan scan;

    /// @param groups    of one partition, with the group of each tuple
    /// @param onlyGroup the row of the only group, which other threads update too, or [RowPlace#NONE] where there
    ///                  are keys
    /// @param tupleHash of the groups' keys
    DistinctFeed(
            Aggregation.Distinct distinct, RowTable groups, long onlyGroup, TupleHash tupleHash, QueryContext query) {
        this.distinct = distinct;
        this.groups = groups;
        this.onlyGroup = onlyGroup;
        this.tupleHash = tupleHash;
        this.memory = new StateMemory(query.memory().manager(), groups::heapOf);
        Arrays.fill(places, onlyGroup);
    }

    /// Begins with some tuples, borrowed until [#step] has ended.
    void begin(RowPages pages) {
        tuples = pages;
        scan = pages.scan();
    }

    /// Updates the states of the groups of some tuples more.
    ///
    /// @return false once there are no more
    boolean step() {
        int count = scan.next(rows, BATCH_ROWS);
        if (count == 0) {
            return false;
        }
        RowLayout layout = distinct.layout();
        int argumentField = layout.fieldCount() - 1;
        MemorySegment[] slabs = tuples.slabs();
        layout.ops(argumentField).gather(rows, count, layout.field(argumentField), slabs, argument);
        if (onlyGroup == RowPlace.NONE) {
            tupleHash.read(rows, count, slabs, hashes);
            probe.find(groups, tupleHash.keys(), hashes, places);
            update(count);
        } else {
            synchronized (groups) {
                update(count);
            }
        }
        return true;
    }

    private void update(int count) {
        for (Aggregation.State state : distinct.states()) {
            state.function().update(argument, count, places, state.offset(), memory);
        }
    }
}
