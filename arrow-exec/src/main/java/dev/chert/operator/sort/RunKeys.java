package dev.chert.operator.sort;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.Layouts;
import dev.chert.expression.Evaluators;
import dev.chert.expression.Projection;
import dev.chert.expression.SortKey;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.query.QueryContext;
import java.lang.foreign.MemorySegment;

/// Makes entries of rows that came back from disk, by evaluating their keys again. Not thread-safe.
final class RunKeys {
    private final KeyLayout layout;
    private final Projection projection;
    private final Allocator allocator;
    private int[] scratch = {};

    RunKeys(SortSpecification specification, QueryContext query, Allocator allocator) {
        this.layout = specification.layout();
        this.projection = Evaluators.project(
                specification.keys().stream().map(SortKey::expression).toList(), query, allocator);
        this.allocator = allocator;
    }

    KeyLayout layout() {
        return layout;
    }

    /// Room for the entries of some rows; the caller's.
    Buffer allocate(int rows) {
        return allocator.allocate(entryBytes(rows));
    }

    long entryBytes(int rows) {
        return (long) rows * layout.entryBytes();
    }

    /// Writes an entry a row of a batch without a selection, which is source 0.
    void write(Batch batch, MemorySegment entries) {
        int rows = batch.rowCount();
        if (scratch.length < rows) {
            scratch = new int[rows];
        }
        Column[] keys = projection.evaluate(batch);
        layout.write(keys, null, rows, entries, 0, scratch);
        for (Column key : keys) {
            key.release();
        }
        for (int row = 0; row < rows; row++) {
            entries.set(Layouts.LONG, (long) row * layout.entryBytes() + layout.placeOffset(), row);
        }
    }

    void close() {
        projection.close();
    }
}
