package dev.chert.operator.aggregate;

import dev.chert.memory.Allocator;
import dev.chert.operator.table.RowBlock;
import dev.chert.operator.table.RowTable;
import dev.chert.operator.table.SpilledRows;
import java.util.Arrays;
import java.util.List;

/// A worker's table together with those of its rows that are on disk, by partition. A key may be in both, and
/// several times on disk.
///
/// Not thread-safe. Memory: the table's.
final class SpillingTable {
    private final RowTable table;
    private final int partitions;
    private final Allocator allocator;
    private final Runnable checkCancelled;
    private SpilledRows[] spilled;

    /// @param partitions     of the table once it is split, and of what is on disk
    /// @param checkCancelled throws if the query was cancelled
    SpillingTable(RowTable table, int partitions, Allocator allocator, Runnable checkCancelled) {
        this.table = table;
        this.partitions = partitions;
        this.allocator = allocator;
        this.checkCancelled = checkCancelled;
    }

    /// How many partitions the table needs so that what is on disk has a counterpart.
    int partitions() {
        return spilled == null ? table.partitions() : partitions;
    }

    /// How many partitions can be spilled alone.
    int units() {
        return table.partitions();
    }

    /// Bytes that [#spill] of a partition would free.
    long bytes(int unit) {
        return table.pages(unit).rowCount() == 0 ? 0 : table.byteSize(unit);
    }

    /// Whether rows of a partition are on disk.
    boolean isOnDisk(int unit) {
        return spilled != null && (units() == 1 || spilled[unit].rowCount() > 0);
    }

    /// Bytes that could be freed.
    long bytes() {
        long bytes = 0;
        for (int unit = 0; unit < units(); unit++) {
            bytes += bytes(unit);
        }
        return bytes;
    }

    /// Writes a partition to disk, or all rows where the table was not split yet. If that fails, nothing has
    /// changed.
    ///
    /// @param scratch empty
    /// @return        bytes that came back
    long spill(int unit, RowBlock scratch) {
        if (spilled == null) {
            spilled = new SpilledRows[partitions];
            Arrays.setAll(spilled, _ -> new SpilledRows(table.layout(), allocator, checkCancelled));
        }
        long before = table.byteSize(unit);
        if (units() == partitions) {
            table.spillPartition(unit, spilled[unit], scratch);
        } else {
            table.spillOnlyPartition(spilled, scratch);
        }
        return before - table.byteSize(unit);
    }

    /// Whether there are rows on disk and others that were never split: memory was short, and splitting needs it, so
    /// they should follow.
    boolean isHalfSplit() {
        return spilled != null && units() < partitions && table.rowCount() > 0;
    }

    /// Takes all rows of a partition out, those on disk, which are older, first.
    ///
    /// @param of for how many partitions all tables are read; a power of two, at least as many as the table has
    void take(int partition, int of, List<MergeInput> into) {
        if (table.partitions() < of) {
            table.split(of);
        }
        // more than one where it went to disk after it was decided how many there are: all share the lower bits
        for (int part = partition; spilled != null && part < spilled.length; part += of) {
            if (spilled[part].rowCount() > 0) {
                into.add(new MergeInput.OnDisk(spilled[part]));
            }
        }
        RowTable rows = table.takePartition(partition);
        if (rows.rowCount() > 0) {
            into.add(new MergeInput.InMemory(rows));
        } else {
            rows.release();
        }
    }

    /// Gives everything back that was not taken.
    void release() {
        table.release();
        if (spilled != null) {
            for (SpilledRows rows : spilled) {
                rows.release();
            }
        }
    }
}
