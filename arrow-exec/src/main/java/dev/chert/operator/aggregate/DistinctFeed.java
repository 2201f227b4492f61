package dev.chert.operator.aggregate;

import dev.chert.batch.PackedColumn;
import dev.chert.function.aggregate.StateMemory;
import dev.chert.operator.table.RowLayout;
import dev.chert.operator.table.RowPages;
import dev.chert.operator.table.RowProbe;
import dev.chert.operator.table.RowTable;
import dev.chert.operator.table.RowValues;
import dev.chert.query.QueryContext;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Shows the distinct tuples of a merged partition to the DISTINCT aggregates of their groups.
final class DistinctFeed {
    private static final int BATCH_ROWS = 1024;
    private static final int BATCHES_BETWEEN_CHECKS = 64;

    private final Aggregation.Distinct distinct;
    private final boolean constantHash;
    private final QueryContext query;
    private final StateMemory memory;
    private final RowProbe probe = new RowProbe();
    private final PackedColumn argument = new PackedColumn();
    private final long[] rows = new long[BATCH_ROWS];
    private final long[] hashes = new long[BATCH_ROWS];
    private final long[] places = new long[BATCH_ROWS];

    DistinctFeed(Aggregation.Distinct distinct, boolean constantHash, QueryContext query, RowTable groups) {
        this.distinct = distinct;
        this.constantHash = constantHash;
        this.query = query;
        this.memory = new StateMemory(query.memory().manager(), groups::heapOf);
    }

    /// Updates the states of the groups.
    ///
    /// @param tuples the merged partition of the set
    /// @param groups has the group of each tuple
    void feed(RowPages tuples, RowTable groups) {
        RowLayout layout = distinct.layout();
        RowValues keys = new RowValues(layout, groups.keyCount());
        int argumentField = layout.fieldCount() - 1;
        RowPages.Scan scan = tuples.scan();
        int batches = 0;
        for (int count = scan.next(rows, BATCH_ROWS); count > 0; count = scan.next(rows, BATCH_ROWS)) {
            if (++batches % BATCHES_BETWEEN_CHECKS == 0) {
                query.checkCancelled();
            }
            MemorySegment[] slabs = tuples.slabs();
            keys.gather(layout, rows, count, slabs);
            if (constantHash) {
                Arrays.fill(hashes, 0, count, 0);
            } else {
                keys.hash(0, keys.fieldCount(), hashes, false);
            }
            probe.find(groups, keys, hashes, places);
            layout.ops(argumentField).gather(rows, count, layout.field(argumentField), slabs, argument);
            for (Aggregation.State state : distinct.states()) {
                state.function().update(argument, count, places, state.offset(), memory);
            }
        }
    }

    /// Updates the states of the only group, which other threads do too.
    ///
    /// @param group the row; also what is locked
    void feedSingle(RowPages tuples, RowTable groups, long group) {
        RowLayout layout = distinct.layout();
        int argumentField = layout.fieldCount() - 1;
        RowPages.Scan scan = tuples.scan();
        Arrays.fill(places, group);
        int batches = 0;
        for (int count = scan.next(rows, BATCH_ROWS); count > 0; count = scan.next(rows, BATCH_ROWS)) {
            if (++batches % BATCHES_BETWEEN_CHECKS == 0) {
                query.checkCancelled();
            }
            layout.ops(argumentField).gather(rows, count, layout.field(argumentField), tuples.slabs(), argument);
            synchronized (groups) {
                for (Aggregation.State state : distinct.states()) {
                    state.function().update(argument, count, places, state.offset(), memory);
                }
            }
        }
    }
}
