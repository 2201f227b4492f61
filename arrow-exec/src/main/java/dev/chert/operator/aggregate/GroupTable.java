package dev.chert.operator.aggregate;

import dev.chert.batch.Column;
import dev.chert.memory.Allocator;
import dev.chert.operator.table.RowLayout;
import dev.chert.operator.table.RowProbe;
import dev.chert.operator.table.RowTable;
import dev.chert.operator.table.RowValues;
import java.util.Arrays;

/// Maps keys to groups through a hash table; NULL is a key like others.
///
/// ```text
/// key columns -> packed values -> hashes -> RowProbe -> places of group rows | hash | nulls | key | states |
/// ```
///
/// Starts with one partition, which a few groups fit well, and is split once it [is large][#isLarge]: from
/// then on a partition can be merged and spilled alone. A key whose group went to disk gets a new one. Memory grows
/// with the groups.
final class GroupTable implements Groups {
    private static final int SPLIT_ROWS = 1 << 14;
    private static final long SPLIT_BYTES = 2 << 20;

    private final int partitions;
    private final boolean constantHash;
    private final RowTable table;
    private final RowValues keys;
    private final RowProbe probe = new RowProbe();
    private long[] hashes = {};

    /// @param partitions   of a large table; a power of two
    /// @param constantHash gives every key the same hash, for tests
    GroupTable(RowLayout layout, int keyCount, int partitions, boolean constantHash, Allocator allocator) {
        this.partitions = partitions;
        this.constantHash = constantHash;
        this.table = new RowTable(layout, keyCount, 1, allocator);
        this.keys = new RowValues(layout, keyCount);
    }

    @Override
    public void find(Column[] columns, int[] rows, int count, long[] places) {
        splitIfLarge();
        if (hashes.length < count) {
            hashes = new long[count];
        }
        keys.pack(columns, rows, count);
        if (constantHash) {
            Arrays.fill(hashes, 0, count, 0);
        } else {
            keys.hash(0, keys.fieldCount(), hashes, false);
        }
        probe.findOrAdd(table, keys, hashes, places);
    }

    /// Splits the table if it has become large, which moves its rows.
    ///
    /// @return a number that is another one whenever rows have moved or gone to disk
    int splitIfLarge() {
        if (table.partitions() < partitions && isLarge(table)) {
            table.split(partitions);
        }
        return table.moves();
    }

    /// Whether a table of one partition is to be split. Not later, as the rows are there twice meanwhile.
    static boolean isLarge(RowTable table) {
        return table.rowCount() > SPLIT_ROWS || table.byteSize() > SPLIT_BYTES;
    }

    @Override
    public RowTable table() {
        return table;
    }
}
