package dev.chert.operator.aggregate;

import dev.chert.operator.table.RowTable;
import dev.chert.operator.table.SpilledRows;

/// Rows that are to be merged, in memory or on disk; owned by whoever merges them.
sealed interface MergeInput {
    /// Rows in memory, with the directory that finds them.
    ///
    /// @param table of one partition
    record InMemory(RowTable table) implements MergeInput {
        @Override
        public long rowCount() {
            return table.rowCount();
        }

        @Override
        public long byteSize() {
            return table.byteSize();
        }

        @Override
        public void release() {
            table.release();
        }
    }

    /// Rows on disk.
    record OnDisk(SpilledRows rows) implements MergeInput {
        @Override
        public long rowCount() {
            return rows.rowCount();
        }

        @Override
        public long byteSize() {
            return rows.byteSize();
        }

        @Override
        public void release() {
            rows.release();
        }
    }

    long rowCount();

    /// Bytes that the rows take in memory, or would take.
    long byteSize();

    /// Gives the rows back; a second call does nothing.
    void release();
}
