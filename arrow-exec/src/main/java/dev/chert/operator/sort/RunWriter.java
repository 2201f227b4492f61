package dev.chert.operator.sort;

import dev.chert.arrow.SpilledBatches;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.query.QueryContext;

/// Writes sorted runs to disk: their sources' columns, in the order of their entries. Not thread-safe.
///
/// Reserves what it needs, one block, when it is made, so that a run can be written when no more memory is to be had.
final class RunWriter {
    private static final int CHUNK_ROWS = 4096;

    private final SortSpecification specification;
    private final QueryContext query;
    private final Allocator allocator;
    private final Buffer scratch;
    private final int[] sourceOf = new int[CHUNK_ROWS];
    private final int[] rowOf = new int[CHUNK_ROWS];
    private boolean closed;

    RunWriter(SortSpecification specification, QueryContext query, Allocator allocator) {
        this.specification = specification;
        this.query = query;
        this.allocator = allocator;
        allocator.spillFile(); // reserves what it needs now, too
        this.scratch = allocator.allocate(SpilledBatches.BLOCK_BYTES);
    }

    /// A run on disk, empty, to be filled through this writer's scratch.
    SpilledBatches begin() {
        return new SpilledBatches(specification.sourceTypes(), allocator, scratch);
    }

    /// Writes the rows of a run from entry `from` on. The run stays as it is, also where writing fails.
    ///
    /// @return the caller's
    SpilledBatches write(SortedRun run, int from) {
        SpilledBatches spilled = begin();
        boolean written = false;
        try {
            for (int at = from; at < run.count(); at += CHUNK_ROWS) {
                query.checkCancelled();
                int rows = Math.min(CHUNK_ROWS, run.count() - at);
                for (int i = 0; i < rows; i++) {
                    long place = run.place(at + i);
                    sourceOf[i] = (int) (place >>> 32);
                    rowOf[i] = (int) place;
                }
                spilled.add(run.sources(), sourceOf, rowOf, rows);
            }
            written = true;
            return spilled;
        } finally {
            if (!written) {
                spilled.release();
            }
        }
    }

    /// Gives the scratch back; a second call does nothing.
    void close() {
        if (!closed) {
            closed = true;
            scratch.release();
        }
    }
}
