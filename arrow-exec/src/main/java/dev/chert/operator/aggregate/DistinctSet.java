package dev.chert.operator.aggregate;

import dev.chert.batch.Column;
import dev.chert.memory.Allocator;
import dev.chert.operator.table.RowProbe;
import dev.chert.operator.table.RowTable;
import dev.chert.operator.table.RowValues;
import java.util.Arrays;

/// The distinct tuples of group key and arguments that one worker has seen for a DISTINCT aggregate.
///
/// ```text
/// hash of a tuple  63          48 47 ...... 40 39             0
///                  | of the tuple | of the key | of the tuple |
/// ```
///
/// Since the key chooses the partition, a partition of the set belongs to the same partition of the groups.
/// Without a key the whole hash is the tuple's. Memory grows with the distinct tuples.
final class DistinctSet {
    private static final long PARTITION_BITS = (RowTable.MOST_PARTITIONS - 1L) << RowTable.PARTITION_SHIFT;

    private final Aggregation.Distinct distinct;
    private final int keyCount;
    private final int partitions;
    private final boolean constantHash;
    private final RowTable table;
    private final RowValues values;
    private final RowProbe probe = new RowProbe();
    private final Column[] tuple;
    private long[] hashes = {};
    private long[] keyHashes = {};
    private long[] places = {};

    DistinctSet(
            Aggregation.Distinct distinct, int keyCount, int partitions, boolean constantHash, Allocator allocator) {
        this.distinct = distinct;
        this.keyCount = keyCount;
        this.partitions = partitions;
        this.constantHash = constantHash;
        int fields = distinct.layout().fieldCount();
        table = new RowTable(distinct.layout(), fields, 1, allocator);
        values = new RowValues(distinct.layout(), fields);
        tuple = new Column[fields];
    }

    /// Adds the tuples of some rows.
    ///
    /// @param columns the evaluated expressions, keys first; borrowed
    void add(Column[] columns, int[] rows, int count) {
        if (table.partitions() < partitions && GroupTable.isLarge(table)) {
            table.split(partitions);
        }
        if (hashes.length < count) {
            hashes = new long[count];
            keyHashes = new long[count];
            places = new long[count];
        }
        System.arraycopy(columns, 0, tuple, 0, keyCount);
        for (int i = keyCount; i < tuple.length; i++) {
            tuple[i] = columns[distinct.arguments().get(i - keyCount)];
        }
        values.pack(tuple, rows, count);
        if (constantHash) {
            Arrays.fill(hashes, 0, count, 0);
        } else {
            hash(count);
        }
        probe.findOrAdd(table, values, hashes, places);
        Arrays.fill(tuple, null);
    }

    private void hash(int count) {
        if (keyCount == 0) {
            values.hash(0, tuple.length, hashes, false);
            return;
        }
        values.hash(0, keyCount, hashes, false);
        System.arraycopy(hashes, 0, keyHashes, 0, count);
        values.hash(keyCount, tuple.length, hashes, true);
        for (int i = 0; i < count; i++) {
            hashes[i] = hashes[i] & ~PARTITION_BITS | keyHashes[i] & PARTITION_BITS;
        }
    }

    RowTable table() {
        return table;
    }
}
