package dev.chert.operator.table;

import dev.chert.memory.Allocator;
import java.lang.foreign.MemorySegment;

/// Sends rows to parts on disk, by bits of a hash that belong to a level ([RowTable#partitionOf]): cuts up what is
/// too large to be worked on at once.
///
/// Not thread-safe. Memory: a block for each part that has had a row, until it is finished; all of them together a
/// quarter of what is cut up, at most 512 KiB.
public final class RowRouter {
    private static final int LEAST_BLOCK_BYTES = 1 << 10;
    private static final int MOST_BLOCK_BYTES = 32 << 10;
    private static final int BLOCKS_PART = 4;

    private final RowLayout layout;
    private final int level;
    private final int blockBytes;
    private final Allocator allocator;
    private final SpilledRows[] parts = new SpilledRows[RowTable.DEEPER_PARTITIONS];
    private final RowBlock[] waiting = new RowBlock[RowTable.DEEPER_PARTITIONS];

    /// @param level          from 1 to [RowTable#MOST_LEVELS]
    /// @param bytesInHand    of the table that is to be cut up, so that there is room for the blocks once it has gone
    /// @param checkCancelled throws if the query was cancelled
    public RowRouter(RowLayout layout, int level, long bytesInHand, Allocator allocator, Runnable checkCancelled) {
        assert level >= 1 && level <= RowTable.MOST_LEVELS;
        this.layout = layout;
        this.level = level;
        this.allocator = allocator;
        long share = bytesInHand / BLOCKS_PART / parts.length;
        this.blockBytes = (int) Long.highestOneBit(Math.clamp(share, LEAST_BLOCK_BYTES, MOST_BLOCK_BYTES));
        for (int p = 0; p < parts.length; p++) {
            parts[p] = new SpilledRows(layout, allocator, checkCancelled);
        }
    }

    /// Remembers which fields may be NULL in rows of some pages, before they are added.
    public void expectNullsOf(RowPages pages) {
        expectNulls(pages.seenNulls());
    }

    /// Remembers which fields may be NULL in rows on disk, before they are added.
    public void expectNullsOf(SpilledRows rows) {
        expectNulls(rows.seenNulls());
    }

    private void expectNulls(int[] words) {
        for (SpilledRows part : parts) {
            part.expectNulls(words);
        }
    }

    /// Adds rows.
    ///
    /// @param hashes what decides for each row
    /// @param slabs  in which the rows and their strings lie
    public void add(long[] rows, int count, long[] hashes, MemorySegment[] slabs) {
        for (int i = 0; i < count; i++) {
            int p = RowTable.partitionOf(hashes[i], level, parts.length);
            if (waiting[p] == null) {
                waiting[p] = new RowBlock(layout, blockBytes, allocator);
            }
            parts[p].add(rows[i], slabs, waiting[p]);
        }
    }

    /// Writes what waits. A second call does nothing.
    ///
    /// @return the parts, the caller's
    public SpilledRows[] finish() {
        for (int p = 0; p < parts.length; p++) {
            if (waiting[p] != null) {
                parts[p].write(waiting[p]);
            }
        }
        releaseBlocks();
        return parts;
    }

    /// Gives everything back that was not taken by [#finish].
    public void abandon() {
        releaseBlocks();
        for (SpilledRows part : parts) {
            part.release();
        }
    }

    private void releaseBlocks() {
        for (int p = 0; p < waiting.length; p++) {
            if (waiting[p] != null) {
                waiting[p].release();
                waiting[p] = null;
            }
        }
    }
}
