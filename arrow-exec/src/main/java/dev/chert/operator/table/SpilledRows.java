package dev.chert.operator.table;

import dev.chert.batch.RowPlace;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.memory.SpillBlock;
import dev.chert.memory.SpillFile;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Rows of one layout on disk, with their hashes, extra bytes and long strings: a partition of a table, or a part
/// of one, in the order in which the rows were added.
///
/// In blocks of about 240 KiB ([RowBlock]); a row that is longer is a block of its own. Rows that were read lie in
/// the block's buffer and are known by places like any others. Not thread-safe while rows are added. Memory: one
/// block while rows are added, another one for each reader.
public final class SpilledRows {
    private static final int SCAN_ROWS = 1024;

    private record Block(SpillBlock stored, int rows) {}

    private final RowLayout layout;
    private final Allocator allocator;
    private final SpillFile file;
    private final Runnable checkCancelled;
    private final int[] seenNulls;
    private final List<Block> blocks = new ArrayList<>();
    private long rowCount;
    private long byteSize;
    private long mostBlockBytes;

    /// @param allocator      whose operator's spill file takes the blocks
    /// @param checkCancelled throws if the query was cancelled; run before each block is written
    public SpilledRows(RowLayout layout, Allocator allocator, Runnable checkCancelled) {
        this.layout = layout;
        this.allocator = allocator;
        this.file = allocator.spillFile();
        this.checkCancelled = checkCancelled;
        this.seenNulls = new int[layout.nullWords()];
    }

    /// Writes all rows that count. Where that fails, none of them is here.
    ///
    /// @param pages of the layout; stay as they are
    /// @throws dev.chert.error.ResourceException       if disk, `spill.limit` or memory have no room
    /// @throws dev.chert.error.QueryCancelledException once the query was cancelled
    public void add(RowPages pages) {
        RowBlock scratch = new RowBlock(pages.byteSize(), allocator);
        try {
            add(pages, 0, 1, scratch);
        } finally {
            scratch.release();
        }
    }

    /// As [#add(RowPages)], where there may be no memory to be had.
    ///
    /// @param scratch empty, before and after
    public void add(RowPages pages, RowBlock scratch) {
        add(pages, 0, 1, scratch);
    }

    /// Writes the rows of one partition; else as [#add(RowPages)].
    ///
    /// @param pages      the only ones of a table, with the rows of all partitions
    /// @param partitions how many there are, by [RowTable#partitionOf] on level 0
    /// @param scratch    empty, before and after
    void add(RowPages pages, int partition, int partitions, RowBlock scratch) {
        int before = blocks.size();
        boolean complete = false;
        scratch.begin(layout);
        try {
            expectNulls(pages.seenNulls());
            long[] places = new long[SCAN_ROWS];
            RowPages.Scan scan = pages.scan();
            for (int count = scan.next(places, SCAN_ROWS); count > 0; count = scan.next(places, SCAN_ROWS)) {
                MemorySegment[] slabs = pages.slabs();
                for (int i = 0; i < count; i++) {
                    if (RowTable.partitionOf(RowTable.hash(slabs, places[i]), 0, partitions) == partition) {
                        add(places[i], slabs, scratch);
                    }
                }
            }
            write(scratch);
            complete = true;
        } finally {
            if (!complete) {
                scratch.clear();
                cut(before);
            }
        }
    }

    /// Adds one row to those that wait in a block.
    ///
    /// @param waiting written when it has no room for the row
    void add(long place, MemorySegment[] slabs, RowBlock waiting) {
        MemorySegment slab = RowPlace.slab(slabs, place);
        int at = RowPlace.offset(place);
        long bytes = RowBlock.bytesOf(layout, slab, at);
        if (bytes > waiting.capacity() - waiting.usedBytes()) {
            write(waiting);
            if (bytes > waiting.capacity()) {
                RowBlock own = new RowBlock(layout, bytes, allocator);
                try {
                    own.add(slab, at, slabs);
                    write(own);
                } finally {
                    own.release();
                }
                return;
            }
        }
        waiting.add(slab, at, slabs);
    }

    /// Writes the rows that wait in a block, which is empty afterwards.
    void write(RowBlock waiting) {
        if (waiting.rows() > 0) {
            checkCancelled.run();
            Block block = new Block(file.write(waiting.close()), waiting.rows());
            blocks.add(block);
            rowCount += block.rows;
            byteSize += block.stored.bytes();
            mostBlockBytes = Math.max(mostBlockBytes, block.stored.bytes());
            waiting.clear();
        }
    }

    /// How many blocks there are, for [#cut].
    int blockCount() {
        return blocks.size();
    }

    /// Gives back all blocks but the first.
    void cut(int blockCount) {
        while (blocks.size() > blockCount) {
            Block block = blocks.removeLast();
            rowCount -= block.rows;
            byteSize -= block.stored.bytes();
            file.free(block.stored);
        }
    }

    /// Remembers which fields may be NULL in rows to come.
    void expectNulls(int[] words) {
        for (int w = 0; w < seenNulls.length; w++) {
            seenNulls[w] |= words[w];
        }
    }

    int[] seenNulls() {
        return seenNulls;
    }

    public RowLayout layout() {
        return layout;
    }

    public long rowCount() {
        return rowCount;
    }

    /// Bytes of the rows and their long strings in memory.
    public long byteSize() {
        return byteSize;
    }

    /// Begins to read the rows, in order; there may be several readers, and the rows stay.
    ///
    /// @return to be released by the caller
    public Reader reader() {
        return new Reader();
    }

    /// Gives all rows back; others may be added then.
    public void release() {
        cut(0);
        mostBlockBytes = 0;
    }

    /// A position among the rows. Memory: one block.
    public final class Reader implements RowSource {
        private Buffer buffer;
        private int nextBlock;
        private int blockRows;
        private int row;

        private Reader() {}

        /// Reads the places of the next rows; those and their strings are valid until the next call, and may be
        /// changed.
        @Override
        public int next(long[] places, int most) {
            if (row == blockRows && !readBlock()) {
                return 0;
            }
            int count = Math.min(most, blockRows - row);
            long first = RowBlock.firstPlace(buffer);
            for (int i = 0; i < count; i++) {
                places[i] = first + (long) (row + i) * layout.rowBytes();
            }
            row += count;
            return count;
        }

        private boolean readBlock() {
            if (nextBlock == blocks.size()) {
                return false;
            }
            if (buffer == null) {
                buffer = allocator.allocate(mostBlockBytes);
            }
            Block block = blocks.get(nextBlock++);
            MemorySegment bytes = buffer.segment().asSlice(0, block.stored.bytes());
            file.read(block.stored, bytes);
            RowBlock.open(layout, block.rows, bytes, buffer);
            blockRows = block.rows;
            row = 0;
            return true;
        }

        /// Gives the block back; a second call does nothing. No row may be used any more.
        public void release() {
            if (buffer != null) {
                buffer.release();
                buffer = null;
            }
        }
    }
}
