package dev.chert.operator.join;

import dev.chert.arrow.SpilledBatches;
import dev.chert.batch.Batch;
import dev.chert.batch.DataType;
import dev.chert.kernel.BatchCopier;
import dev.chert.kernel.HeldBytes;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.memory.GuardedState;
import dev.chert.query.QueryContext;
import java.util.ArrayList;
import java.util.List;

/// The right rows that one worker has gathered for a nested loop: batches in memory, and rows on disk when it is short.
final class RightPart extends GuardedState {
    private final List<DataType> types;
    private final QueryContext query;
    private final Allocator allocator;
    private final BatchCopier copier;
    private final List<Batch> inMemory = new ArrayList<>();
    private Buffer scratch;
    private SpilledBatches onDisk;
    private volatile long held;

    RightPart(List<DataType> types, QueryContext query, Allocator allocator) {
        super(allocator);
        this.types = types;
        this.query = query;
        this.allocator = allocator;
        this.copier = new BatchCopier(allocator);
    }

    /// Takes the selected rows of a batch, given.
    void add(Batch batch) {
        if (batch.selectedRows() == 0) {
            batch.close();
            return;
        }
        enter();
        try {
            if (onDisk == null) { // reserved now, since nothing can be once it is needed
                scratch = allocator.allocate(SpilledBatches.BLOCK_BYTES);
                onDisk = new SpilledBatches(types, allocator, scratch);
            }
            Batch dense = dense(batch);
            inMemory.add(dense);
            held += HeldBytes.of(dense);
        } finally {
            leave();
        }
    }

    private Batch dense(Batch batch) {
        if (batch.selection() == null) {
            return batch;
        }
        Batch dense = copier.copy(batch);
        batch.close();
        return dense;
    }

    /// No more rows come.
    void finish() {
        copier.close();
    }

    /// The batches in memory, borrowed; once it is settled.
    List<Batch> inMemory() {
        return inMemory;
    }

    /// The rows on disk, borrowed, or null; once it is settled.
    SpilledBatches onDisk() {
        return onDisk;
    }

    @Override
    protected long heldBytes() {
        return held;
    }

    /// Stops once the query is cancelled. That is no error to whoever asked, which may be another query.
    @Override
    protected long release(long wantedBytes) {
        long freed = 0;
        while (freed < wantedBytes && !inMemory.isEmpty() && !query.isCancelled()) {
            Batch last = inMemory.getLast();
            onDisk.add(last);
            inMemory.removeLast();
            long bytes = HeldBytes.of(last);
            last.close();
            freed += bytes;
            held -= bytes;
        }
        return freed;
    }

    /// Moves rows to disk until no more than some bytes are left in memory, or throws once the query is cancelled.
    void keep(long mostBytes) {
        enter();
        try {
            if (held > mostBytes) {
                release(held - mostBytes);
            }
        } finally {
            leave();
        }
        query.checkCancelled();
    }

    /// All rows stay where they are from now on.
    void settle() {
        unregister();
        if (scratch != null) {
            scratch.release();
            scratch = null;
        }
    }

    /// Gives back all rows.
    void close() {
        settle();
        inMemory.forEach(Batch::close);
        inMemory.clear();
        if (onDisk != null) {
            onDisk.release();
        }
    }
}
