package dev.chert.operator.join;

import dev.chert.operator.table.RowValues;
import java.util.Arrays;

/// The hashes by which a join finds keys, level by level: a partition that is split once more has others, of which
/// the bits that choose its partitions have nothing to do with those that chose it.
final class KeyHashes {
    private final int keyCount;
    private final int level;
    private final boolean constant;

    /// @param level    how often the rows were partitioned before
    /// @param constant whether all keys hash to one value, for tests
    KeyHashes(int keyCount, int level, boolean constant) {
        this.keyCount = keyCount;
        this.level = level;
        this.constant = constant;
    }

    /// Hashes the keys, which come first among the values.
    void hash(RowValues values, long[] hashes) {
        if (constant) {
            Arrays.fill(hashes, 0, values.count(), 0);
            return;
        }
        values.hash(0, keyCount, hashes, false);
        for (int i = 0; i < level; i++) {
            deepen(hashes, values.count());
        }
    }

    /// Turns the hashes of one level into those of the next one.
    static void deepen(long[] hashes, int count) {
        for (int i = 0; i < count; i++) {
            long hash = hashes[i]; // the finalizer of MurmurHash3
            hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
            hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
            hashes[i] = hash ^ hash >>> 33;
        }
    }
}
