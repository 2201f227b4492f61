package dev.chert.source.memory;

import dev.chert.batch.Batch;
import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.Field;
import dev.chert.error.ValidationException;
import dev.chert.kernel.BatchCopier;
import dev.chert.memory.Allocator;
import java.util.ArrayList;
import java.util.List;

/// The rows of one INSERT on their way into a table: seen by nobody before [#commit()], gone where it is closed
/// without.
///
/// Rows are copied as they come, so the batches that they came in can be closed. Not
/// thread-safe. Keeps the table from going until it is closed.
public final class TableAppender implements AutoCloseable {
    private static final int SHORT_ROWS = MemoryTable.BATCH_ROWS / 2;

    private final MemoryTable table;
    private final BatchCopier copier;
    private final ColumnBounds[] bounds;
    private final List<Batch> full = new ArrayList<>();
    private final List<Batch> shorts = new ArrayList<>();
    private int shortRows;
    private long rows;
    private boolean closed;

    TableAppender(MemoryTable table, Allocator allocator) {
        this.table = table;
        this.copier = new BatchCopier(allocator);
        this.bounds = ColumnBounds.none(table.schema());
    }

    /// Copies the selected rows.
    ///
    /// @param batch borrowed; of the table's types
    /// @throws ValidationException where a NULL meets a column that is NOT NULL
    public void add(Batch batch) {
        int count = batch.selectedRows();
        if (count == 0) {
            return;
        }
        for (int c = 0; c < batch.columnCount(); c++) {
            Field field = table.schema().field(c);
            if (!field.nullable() && hasNull(batch.column(c), batch.selection(), count)) {
                throw new ValidationException("column '" + field.name() + "' of table '" + table.name()
                        + "' is NOT NULL, but a row has NULL there; insert a value, or leave such rows out with WHERE "
                        + field.name() + " IS NOT NULL");
            }
        }
        Batch copy = copier.copy(batch);
        (count < SHORT_ROWS ? shorts : full).add(copy);
        rows += count;
        for (int c = 0; c < bounds.length; c++) {
            bounds[c] = bounds[c].with(copy.column(c));
        }
        if (count < SHORT_ROWS) {
            shortRows += count;
            if (shortRows > SHORT_ROWS) {
                joinShorts();
            }
        }
    }

    /// Adds all rows to the table in one step.
    ///
    /// @return how many
    public long commit() {
        joinShorts();
        List<Batch> given = List.copyOf(full);
        full.clear();
        table.commit(given, bounds);
        return rows;
    }

    /// Frees what was not committed; a second call does nothing.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        full.forEach(Batch::close);
        shorts.forEach(Batch::close);
        copier.close();
        table.appenderClosed();
    }

    private void joinShorts() {
        if (shorts.size() > 1) {
            full.add(copier.concatenate(shorts));
            shorts.forEach(Batch::close);
        } else {
            full.addAll(shorts);
        }
        shorts.clear();
        shortRows = 0;
    }

    private static boolean hasNull(Column column, int[] selection, int count) {
        if (!column.hasNulls()) {
            return false;
        }
        if (selection == null && column.isFlat() && column.validity() != null) {
            return Bitmap.countOnes(column.validity(), count) < count;
        }
        for (int i = 0; i < count; i++) {
            if (column.isNull(selection == null ? i : selection[i])) {
                return true;
            }
        }
        return false;
    }
}
