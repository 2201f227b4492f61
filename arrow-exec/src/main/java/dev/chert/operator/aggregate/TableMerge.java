package dev.chert.operator.aggregate;

import dev.chert.function.aggregate.StateMemory;
import dev.chert.operator.table.RowPages;
import dev.chert.operator.table.RowProbe;
import dev.chert.operator.table.RowTable;
import dev.chert.operator.table.RowValues;
import dev.chert.query.QueryContext;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;

/// Merges one partition of several tables of the same layout into the table that has most of its rows.
///
/// ```text
/// target directory <--- rows whose key is new: entered where they lie, their pages are adopted
///       |
///       +-> row <------ states of rows whose key is there already: merged, and the row is buried
/// ```
///
/// No row moves. Other partitions of the tables may be merged at the same time.
final class TableMerge {
    private static final int BATCH_ROWS = 1024;
    private static final int ROWS_BETWEEN_CHECKS = 1 << 16;

    private final List<Aggregation.State> states;
    private final QueryContext query;
    private final RowProbe probe = new RowProbe();
    private final long[] rows = new long[BATCH_ROWS];
    private final long[] hashes = new long[BATCH_ROWS];
    private final long[] places = new long[BATCH_ROWS];
    private final long[] from = new long[BATCH_ROWS];
    private final long[] into = new long[BATCH_ROWS];
    private int unchecked;

    /// @param states of the rows; none for a set of distinct tuples
    TableMerge(List<Aggregation.State> states, QueryContext query) {
        this.states = states;
        this.query = query;
    }

    /// Merges a partition.
    ///
    /// @return the table that has all its rows now
    RowTable merge(List<RowTable> tables, int partition) {
        RowTable target = tables.stream()
                .max(Comparator.comparingLong(table -> table.pages(partition).rowCount()))
                .orElseThrow();
        RowValues keys = new RowValues(target.layout(), target.keyCount());
        for (RowTable other : tables) {
            if (other != target) {
                mergeInto(target, other.pages(partition), partition, keys);
                other.releasePartition(partition);
            }
        }
        return target;
    }

    private void mergeInto(RowTable target, RowPages other, int partition, RowValues keys) {
        RowPages pages = target.pages(partition);
        pages.expectNullsOf(other);
        StateMemory memory = new StateMemory(query.memory().manager(), target::heapOf);
        RowPages.Scan scan = other.scan();
        for (int count = scan.next(rows, BATCH_ROWS); count > 0; count = scan.next(rows, BATCH_ROWS)) {
            checkCancelled(count);
            MemorySegment[] slabs = other.slabs();
            keys.gather(target.layout(), rows, count, slabs);
            other.readHashes(rows, count, hashes);
            probe.findOrEnter(target, keys, hashes, rows, places);
            int merged = 0;
            for (int i = 0; i < count; i++) {
                from[merged] = rows[i];
                into[merged] = places[i];
                merged += rows[i] != places[i] ? 1 : 0;
            }
            for (Aggregation.State state : states) {
                state.function().merge(from, into, merged, state.offset(), memory);
            }
            other.bury(from, merged);
        }
        pages.adopt(other);
    }

    private void checkCancelled(int count) {
        unchecked += count;
        if (unchecked >= ROWS_BETWEEN_CHECKS) {
            unchecked = 0;
            query.checkCancelled();
        }
    }
}
