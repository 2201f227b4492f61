package dev.chert.operator.table;

import java.util.Arrays;

/// Positions of values, brought into the order of their rows' partitions. Scratch of one worker.
final class PartitionOrder {
    private int[][] positions = {};
    private int[] counts = {};

    /// Sorts positions; those of one partition keep their order.
    ///
    /// @param hashes the row's hash of value `i` at `i`
    void sort(RowTable table, long[] hashes, int[] unsorted, int count) {
        int partitions = table.partitions();
        if (counts.length < partitions) {
            counts = new int[partitions];
            positions = Arrays.copyOf(positions, partitions);
        }
        Arrays.fill(counts, 0);
        for (int i = 0; i < count; i++) {
            int p = table.partitionOf(hashes[unsorted[i]]);
            int size = counts[p]++;
            int[] own = positions[p];
            if (own == null || own.length == size) {
                own = own == null ? new int[64] : Arrays.copyOf(own, 2 * size);
                positions[p] = own;
            }
            own[size] = unsorted[i];
        }
    }

    /// How many positions there are in a partition.
    int count(int partition) {
        return counts[partition];
    }

    /// The positions of a partition, [#count] of them.
    int[] positions(int partition) {
        return positions[partition];
    }
}
