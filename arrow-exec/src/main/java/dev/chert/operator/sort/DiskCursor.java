package dev.chert.operator.sort;

import dev.chert.arrow.SpilledBatches;
import dev.chert.batch.Batch;
import dev.chert.kernel.HeldBytes;
import dev.chert.memory.Buffer;
import java.util.ArrayList;
import java.util.List;

/// Reads a run from disk, a block at a time, whose entries are made again. What was read is gone from the disk.
final class DiskCursor extends RunCursor {
    private final SpilledBatches run;
    private final SpilledBatches.Reader reader;
    private final RunKeys keys;
    private final Batch[] block = new Batch[1];
    private final List<Batch> done = new ArrayList<>();
    private Buffer entries;
    private long doneBytes;

    /// @param run  given
    /// @param keys of the merge
    DiskCursor(SpilledBatches run, RunKeys keys) {
        super(keys.layout());
        this.run = run;
        this.reader = run.drain();
        this.keys = keys;
    }

    @Override
    boolean fill() {
        if (block[0] != null) {
            done.add(block[0]);
            doneBytes += HeldBytes.of(block[0]);
        }
        block[0] = reader.next();
        if (block[0] == null) {
            return false;
        }
        if (entries == null) {
            entries = keys.allocate(run.mostBlockRows());
        }
        keys.write(block[0], entries.segment());
        show(entries.segment(), block[0].rowCount(), block, 1);
        return true;
    }

    @Override
    long doneBytes() {
        return doneBytes;
    }

    @Override
    void letGo() {
        done.forEach(Batch::close);
        done.clear();
        doneBytes = 0;
        if (left() == 0) {
            close();
        }
    }

    @Override
    void close() {
        done.forEach(Batch::close);
        done.clear();
        if (block[0] != null) {
            block[0].close();
            block[0] = null;
        }
        if (entries != null) {
            entries.release();
            entries = null;
        }
        run.release();
    }
}
