package dev.chert.operator.join;

import dev.chert.arrow.SpilledBatches;
import dev.chert.batch.Batch;
import dev.chert.memory.Buffer;
import java.util.ArrayList;
import java.util.List;

/// The right side of a nested loop, as batches without selections, the first of them in memory, the others on disk, and
/// a byte a row that says whether it has a match. Read through [RightReader].
///
/// Bytes are set by any worker at any time, without order between them; they are read when all have ended.
final class RightRows {
    private final Batch[] inMemory;
    private final List<Block> onDisk;
    private final Buffer[] matched;
    private final long rowCount;

    /// A batch on disk.
    private record Block(SpilledBatches stream, int number) {}

    private RightRows(Batch[] inMemory, List<Block> onDisk, Buffer[] matched, long rowCount) {
        this.inMemory = inMemory;
        this.onDisk = onDisk;
        this.matched = matched;
        this.rowCount = rowCount;
    }

    /// @param matched a buffer a batch; null where nobody asks
    static RightRows of(List<Batch> batches, Buffer[] matched) {
        return of(batches, List.of(), matched);
    }

    /// @param spilled rows on disk; each block is a batch, numbered after those in memory
    static RightRows of(List<Batch> batches, List<SpilledBatches> spilled, Buffer[] matched) {
        List<Block> blocks = new ArrayList<>();
        long rows = batches.stream().mapToLong(Batch::rowCount).sum();
        for (SpilledBatches stream : spilled) {
            rows += stream.rowCount();
            for (int block = 0; block < stream.blockCount(); block++) {
                blocks.add(new Block(stream, block));
            }
        }
        return new RightRows(batches.toArray(Batch[]::new), blocks, matched, rows);
    }

    long rowCount() {
        return rowCount;
    }

    int batchCount() {
        return inMemory.length + onDisk.size();
    }

    int rowCount(int batch) {
        if (!isOnDisk(batch)) {
            return inMemory[batch].rowCount();
        }
        Block block = onDisk.get(batch - inMemory.length);
        return block.stream().blockRows(block.number());
    }

    /// Batches in memory, which have the first numbers; borrowed.
    Batch[] inMemory() {
        return inMemory;
    }

    boolean isOnDisk(int batch) {
        return batch >= inMemory.length;
    }

    /// Reads a batch that is on disk; the caller's.
    Batch read(int batch) {
        Block block = onDisk.get(batch - inMemory.length);
        return block.stream().read(block.number());
    }

    /// Whether rows of a batch have a match, a byte a row.
    Buffer matched(int batch) {
        return matched[batch];
    }
}
