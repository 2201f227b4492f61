package dev.chert.operator.join;

import dev.chert.batch.Batch;

/// One worker's reading of the right side of a nested loop: batches in memory as they are, and one from disk at a time.
/// Not thread-safe.
final class RightReader {
    private final RightRows rows;
    private int number = -1;
    private Batch fromDisk;

    RightReader(RightRows rows) {
        this.rows = rows;
    }

    RightRows rows() {
        return rows;
    }

    /// A batch, borrowed: one from disk until another from disk is asked for.
    Batch at(int batch) {
        if (!rows.isOnDisk(batch)) {
            return rows.inMemory()[batch];
        }
        if (batch != number) {
            close();
            fromDisk = rows.read(batch);
            number = batch;
        }
        return fromDisk;
    }

    /// Gives back what was read from disk.
    void close() {
        if (fromDisk != null) {
            fromDisk.close();
            fromDisk = null;
            number = -1;
        }
    }
}
