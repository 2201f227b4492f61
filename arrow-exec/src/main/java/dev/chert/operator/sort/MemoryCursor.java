package dev.chert.operator.sort;

import dev.chert.arrow.SpilledBatches;

/// Reads a run in memory.
final class MemoryCursor extends RunCursor {
    private final SortedRun run;

    /// @param run given
    MemoryCursor(SortedRun run, KeyLayout layout) {
        super(layout);
        this.run = run;
        show(run.entries(), run.count(), run.sources(), run.sourceCount());
    }

    @Override
    boolean fill() {
        return false;
    }

    @Override
    long doneBytes() {
        return 0;
    }

    @Override
    void letGo() {
        if (left() == 0) {
            close();
        }
    }

    long heldBytes() {
        return run.heldBytes();
    }

    /// Writes the rows that are left to disk.
    SpilledBatches spill(RunWriter writer) {
        return writer.write(run, run.count() - left());
    }

    @Override
    void close() {
        run.close();
    }
}
