package dev.chert.expression;

import dev.chert.batch.Batch;

/// The rows of a batch on which an expression is evaluated.
///
/// @param rowCount  rows that the batch's columns have
/// @param selection the wanted rows in its first `count` entries, or null for rows 0 to `count - 1`
record Rows(Batch batch, int rowCount, int[] selection, int count) {
    static Rows selectedOf(Batch batch) {
        return new Rows(batch, batch.rowCount(), batch.selection(), batch.selectedRows());
    }

    /// The one row of no batch on which constants are folded.
    static Rows single() {
        return new Rows(null, 1, null, 1);
    }

    /// Some of these rows.
    Rows narrowed(int[] rows, int rowsWanted) {
        return new Rows(batch, rowCount, rows, rowsWanted);
    }

    int row(int i) {
        return selection == null ? i : selection[i];
    }

    /// Writes the wanted rows into an array; nothing where it is the selection itself.
    void copyTo(int[] rows) {
        if (selection == null) {
            for (int i = 0; i < count; i++) {
                rows[i] = i;
            }
        } else if (selection != rows) {
            System.arraycopy(selection, 0, rows, 0, count);
        }
    }
}
