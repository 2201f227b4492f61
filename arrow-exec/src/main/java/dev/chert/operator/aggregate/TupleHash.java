package dev.chert.operator.aggregate;

import dev.chert.operator.table.RowLayout;
import dev.chert.operator.table.RowValues;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The hashes of the group keys of stored tuples, which keep only a few bits of them. Not thread-safe.
final class TupleHash implements RowMerge.PartHash {
    private final RowLayout layout;
    private final int keyCount;
    private final boolean constantHash;
    private final RowValues keys;

    /// @param layout       of the tuples: the key, then the arguments
    /// @param constantHash gives every key the same hash, for tests
    TupleHash(RowLayout layout, int keyCount, boolean constantHash) {
        this.layout = layout;
        this.keyCount = keyCount;
        this.constantHash = constantHash;
        this.keys = new RowValues(layout, keyCount);
    }

    @Override
    public void read(long[] rows, int count, MemorySegment[] slabs, long[] hashes) {
        keys.gather(layout, rows, count, slabs);
        if (constantHash) {
            Arrays.fill(hashes, 0, count, 0);
        } else {
            keys.hash(0, keyCount, hashes, false);
        }
    }

    /// The keys of the tuples that were read last.
    RowValues keys() {
        return keys;
    }
}
