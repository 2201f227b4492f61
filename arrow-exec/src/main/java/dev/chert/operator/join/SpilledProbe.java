package dev.chert.operator.join;

import dev.chert.arrow.SpilledBatches;
import dev.chert.batch.Batch;
import dev.chert.kernel.BatchGather;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.memory.GuardedState;
import dev.chert.query.QueryContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// One worker's probe rows that wait for build rows on disk: they go to disk too, by partitions.
///
/// Copies of the rows are held until they are worth writing, or memory is tight. One thread works on it at a time.
/// Memory: a MiB or so, and scratch to write it.
final class SpilledProbe extends GuardedState {
    /// What is held at most before it is written: enough that each partition gets a block worth reading.
    private static final long MOST_HELD_BYTES = 1 << 20;

    private static final byte WRITTEN = -1;

    private final JoinTable table;
    private final QueryContext query;
    private final Allocator allocator;
    private final JoinShape shape;
    private final BatchGather copier;
    private final SpilledBatches[] adding = new SpilledBatches[JoinTable.PARTITIONS];
    private final List<List<SpilledBatches>> onDisk = new ArrayList<>(); // by partition
    private final List<Batch> held = new ArrayList<>();
    private final List<byte[]> partitionOfHeld = new ArrayList<>(); // by row; WRITTEN once it is on disk
    private Buffer scratch; // until it is finished
    private volatile long heldBytes;

    private int[] rows = {};
    private byte[] partitions = {};
    private int[] onlySource = {}; // zeros
    private final int[] sources;
    private final int[] sourceRows;

    SpilledProbe(JoinShape shape, JoinTable table, QueryContext query, Allocator allocator) {
        super(allocator);
        this.shape = shape;
        this.table = table;
        this.query = query;
        this.allocator = allocator;
        this.copier = new BatchGather(shape.leftTypes(), true, allocator);
        this.scratch = allocator.allocate(SpilledBatches.BLOCK_BYTES);
        this.sources = new int[query.batchSize()];
        this.sourceRows = new int[query.batchSize()];
        for (int p = 0; p < JoinTable.PARTITIONS; p++) {
            onDisk.add(new ArrayList<>());
        }
        register();
    }

    /// Takes the rows whose partition is on disk out of a batch.
    ///
    /// @param batch     narrowed to the others
    /// @param rowOf     the batch's row by position
    /// @param hashes    of the keys by position
    /// @param positions of keys without NULL, `count` of them, ascending; narrowed to the others
    /// @return          how many are left
    int divert(Batch batch, int[] rowOf, long[] hashes, int[] positions, int count) {
        reserve(count);
        int kept = 0;
        int diverted = 0;
        int spilled = table.spilledSet();
        for (int i = 0; i < count; i++) {
            int position = positions[i];
            int partition = table.partitionOf(hashes[position]);
            int isSpilled = spilled >>> partition & 1;
            rows[diverted] = rowOf[position];
            partitions[diverted] = (byte) partition;
            positions[kept] = position;
            diverted += isSpilled;
            kept += 1 - isSpilled;
        }
        if (diverted > 0) {
            hold(batch, diverted);
            LeftRows.leaveOut(batch, rows, diverted, query.selections());
        }
        return kept;
    }

    /// Takes all rows of a batch, whatever their keys.
    ///
    /// @param batch given
    void takeAll(Batch batch) {
        int count = batch.selectedRows();
        reserve(count);
        LeftRows.rows(batch, rows);
        Arrays.fill(partitions, 0, count, (byte) 0);
        hold(batch, count);
        batch.close();
    }

    private void reserve(int count) {
        if (rows.length < count) {
            rows = new int[Math.max(count, query.batchSize())];
            partitions = new byte[rows.length];
            onlySource = new int[rows.length];
        }
    }

    private void hold(Batch batch, int count) {
        enter();
        try {
            Batch copy = copier.gather(new Batch[] {batch}, onlySource, rows, count, batch.columnCount());
            held.add(copy);
            partitionOfHeld.add(Arrays.copyOf(partitions, count));
            heldBytes += copy.byteSize();
            if (heldBytes >= MOST_HELD_BYTES) {
                write();
            }
        } finally {
            leave();
        }
    }

    @Override
    protected long heldBytes() {
        return heldBytes;
    }

    @Override
    protected long release(long wantedBytes) {
        long bytes = heldBytes;
        write();
        return bytes;
    }

    /// Writes all that is held. If that fails, what was not written is still held.
    private void write() {
        Batch[] from = held.toArray(Batch[]::new);
        for (byte p = 0; p < JoinTable.PARTITIONS; p++) {
            for (int count = collect(p); count > 0; count = collect(p)) {
                write(from, count, open(p));
            }
        }
        forget();
    }

    private SpilledBatches open(int partition) {
        if (adding[partition] == null) {
            adding[partition] = new SpilledBatches(shape.leftTypes(), allocator, scratch);
            onDisk.get(partition).add(adding[partition]);
        }
        return adding[partition];
    }

    private void write(Batch[] from, int count, SpilledBatches into) {
        long before = into.rowCount();
        boolean complete = false;
        try {
            into.add(from, sources, sourceRows, count);
            complete = true;
        } finally {
            long written = into.rowCount() - before;
            for (int i = 0; i < written; i++) {
                partitionOfHeld.get(sources[i])[sourceRows[i]] = WRITTEN;
            }
            if (!complete) {
                Arrays.fill(adding, null); // nothing may be added to it any more
            }
        }
    }

    /// Finds rows of a partition that are not written yet, up to a batch of them.
    private int collect(byte partition) {
        int count = 0;
        for (int h = 0; h < held.size(); h++) {
            byte[] partitionOf = partitionOfHeld.get(h);
            for (int row = 0; row < partitionOf.length && count < sources.length; row++) {
                sources[count] = h;
                sourceRows[count] = row;
                count += partitionOf[row] == partition ? 1 : 0;
            }
        }
        return count;
    }

    private void forget() {
        held.forEach(Batch::close);
        held.clear();
        partitionOfHeld.clear();
        heldBytes = 0;
    }

    /// Writes what is still held; nothing may be added afterwards.
    void finish() {
        unregister();
        write();
        releaseScratch();
    }

    /// Gives the rows of a partition that are on disk to the caller. Once it is finished.
    List<SpilledBatches> takeSpilled(int partition) {
        return onDisk.set(partition, List.of());
    }

    /// Gives back what nobody took; a second call does nothing.
    void release() {
        unregister();
        forget();
        releaseScratch();
        for (int p = 0; p < JoinTable.PARTITIONS; p++) {
            takeSpilled(p).forEach(SpilledBatches::release);
        }
    }

    private void releaseScratch() {
        if (scratch != null) {
            scratch.release();
            scratch = null;
        }
    }
}
