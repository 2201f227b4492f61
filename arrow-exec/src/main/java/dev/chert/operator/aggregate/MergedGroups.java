package dev.chert.operator.aggregate;

import dev.chert.operator.table.RowTable;
import java.util.concurrent.atomic.AtomicInteger;

/// The finished groups, partition by partition, each to be read by one worker.
final class MergedGroups {
    private final RowTable[] tables;
    private final AtomicInteger next = new AtomicInteger();

    MergedGroups(int partitions) {
        tables = new RowTable[partitions];
    }

    /// Enters the table that has all groups of a partition.
    void put(int partition, RowTable table) {
        tables[partition] = table;
    }

    RowTable table(int partition) {
        return tables[partition];
    }

    /// Takes the next partition that nobody has taken.
    ///
    /// @return its number, or -1
    int take() {
        int partition = next.getAndIncrement();
        return partition < tables.length ? partition : -1;
    }
}
