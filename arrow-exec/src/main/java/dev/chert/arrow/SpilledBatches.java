package dev.chert.arrow;

import dev.chert.batch.Batch;
import dev.chert.batch.DataType;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.memory.SpillBlock;
import dev.chert.memory.SpillFile;
import java.util.ArrayList;
import java.util.List;

/// Rows on disk, in the order in which they were added, in blocks that come back as batches.
///
/// Blocks are small, so that many streams can be read side by side; a larger batch is cut, and a row that is larger
/// is a block of its own. What is added is written at once, so small additions make small blocks. One thread adds at a
/// time; once all rows are there, any number of threads may read. Memory: nothing but a block while one is written, a
/// few words of Java heap a block.
public final class SpilledBatches {
    /// The most bytes of a block in memory, but for a single row that is larger.
    public static final int BLOCK_BYTES = 128 << 10;

    private record Block(SpillBlock place, int rows) {}

    private final List<DataType> types;
    private final Allocator allocator;
    private final SpillFile file;
    private final RecordBatchEncoder encoder;
    private final Buffer scratch;
    private final List<Block> blocks = new ArrayList<>();
    private long rowCount;
    private long byteSize;
    private long mostBlockBytes;
    private int mostBlockRows;

    /// @param types     of the columns
    /// @param allocator the operator's, to whose spill file the rows go and which blocks that are read are charged to
    public SpilledBatches(List<DataType> types, Allocator allocator) {
        this(types, allocator, null);
    }

    /// @param scratch native memory of [#BLOCK_BYTES] in which blocks are written, borrowed while rows are added; so
    ///                that state can be moved to disk when no more memory is to be had. Null to take it each time
    public SpilledBatches(List<DataType> types, Allocator allocator, Buffer scratch) {
        assert scratch == null || scratch.size() >= BLOCK_BYTES;
        this.types = List.copyOf(types);
        this.allocator = allocator;
        this.file = allocator.spillFile();
        this.encoder = new RecordBatchEncoder(types);
        this.scratch = scratch;
    }

    /// Writes the selected rows of a batch, borrowed; all of them, or none if it fails.
    ///
    /// @throws dev.chert.error.ResourceException if they have no room on disk
    public void add(Batch batch) {
        encoder.begin(batch);
        write(batch.selectedRows());
    }

    /// Writes rows of many batches; the batches and the arrays are borrowed. Else as [#add(Batch)].
    ///
    /// @param sourceOf where row `i` comes from: an index of `sources`
    /// @param rowOf    which row it is there
    public void add(Batch[] sources, int[] sourceOf, int[] rowOf, int count) {
        encoder.begin(sources, sourceOf, rowOf, count);
        write(count);
    }

    private void write(int count) {
        int blocksBefore = blocks.size();
        long bytesBefore = byteSize;
        boolean written = false;
        try {
            for (int from = 0; from < count; ) {
                int rows = encoder.fitting(from, count, BLOCK_BYTES);
                writeBlock(from, from + rows);
                from += rows;
            }
            rowCount += count;
            written = true;
        } finally {
            if (!written) {
                byteSize = bytesBefore;
                while (blocks.size() > blocksBefore) {
                    file.free(blocks.removeLast().place());
                }
            }
        }
    }

    private void writeBlock(int from, int to) {
        long most = encoder.bytesFor(from, to);
        boolean fits = scratch != null && most <= scratch.size();
        Buffer into = fits ? scratch : allocator.allocate(most);
        try {
            long bytes = encoder.encode(from, to, into.segment());
            blocks.add(new Block(file.write(into.segment().asSlice(0, bytes)), to - from));
            byteSize += bytes;
            mostBlockBytes = Math.max(mostBlockBytes, bytes);
            mostBlockRows = Math.max(mostBlockRows, to - from);
        } finally {
            if (!fits) {
                into.release();
            }
        }
    }

    /// Rows that were added.
    public long rowCount() {
        return rowCount;
    }

    /// Bytes that the blocks take when all are in memory again.
    public long byteSize() {
        return byteSize;
    }

    /// Bytes in memory of the largest block.
    public long mostBlockBytes() {
        return mostBlockBytes;
    }

    /// Rows of the block that has the most.
    public int mostBlockRows() {
        return mostBlockRows;
    }

    public int blockCount() {
        return blocks.size();
    }

    /// Rows of block `block`.
    public int blockRows(int block) {
        return blocks.get(block).rows();
    }

    /// Reads one block.
    ///
    /// @return the caller's; its columns are flat
    public Batch read(int block) {
        SpillBlock place = blocks.get(block).place();
        Buffer message = allocator.allocate(place.bytes());
        file.read(place, message.segment());
        return new RecordBatchDecoder(types, allocator, "the spill file of " + allocator.operator())
                .decode(message, place.offset());
    }

    /// Reads all rows from the beginning; may be called again and again.
    public Reader reader() {
        return new Reader(false);
    }

    /// Reads all rows from the beginning for the last time: what was read is gone from the disk.
    public Reader drain() {
        return new Reader(true);
    }

    /// Gives the space on disk back. A second call does nothing; nothing can be read afterwards.
    public void release() {
        for (int block = 0; block < blocks.size(); block++) {
            free(block);
        }
        blocks.clear();
    }

    private void free(int block) {
        Block freed = blocks.set(block, null);
        if (freed != null) {
            file.free(freed.place());
        }
    }

    /// Goes through the rows once. Not thread-safe.
    public final class Reader {
        private final boolean frees;
        private int next;

        private Reader(boolean frees) {
            this.frees = frees;
        }

        /// The next rows, the caller's; null at the end.
        public Batch next() {
            if (next == blocks.size()) {
                return null;
            }
            Batch batch = read(next);
            if (frees) {
                free(next);
            }
            next++;
            return batch;
        }
    }
}
