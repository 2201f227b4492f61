package dev.chert.batch;

import java.util.List;

/// Rows column by column, with an optional selection vector.
///
/// Owned by whoever got it: close it, or hand it on. It holds one count on each column. The selection vector is
/// ascending row numbers of the columns; rows that it does not name are not part of the batch. Not for two
/// threads at a time; nothing in it is bound to a thread.
public final class Batch implements Step, AutoCloseable {
    private final Column[] columns;
    private int rowCount;
    private int[] selection;
    private int selectedRows;
    private SelectionPool selectionPool;
    private boolean closed;

    /// Makes a batch of all `rowCount` rows.
    ///
    /// @param columns given: each with one count that is now the batch's; none is needed for rows without columns
    public Batch(Column[] columns, int rowCount) {
        for (Column column : columns) {
            assert column.rowCount() >= rowCount : column + " is shorter than " + rowCount;
        }
        this.columns = columns;
        this.rowCount = rowCount;
        this.selectedRows = rowCount;
    }

    public int columnCount() {
        return columns.length;
    }

    /// The column, borrowed: retain it to keep it longer than the batch.
    public Column column(int i) {
        return columns[i];
    }

    /// The columns, borrowed, as an unmodifiable view.
    public List<Column> columns() {
        return List.of(columns);
    }

    /// Rows that the columns have, selected or not.
    public int rowCount() {
        return rowCount;
    }

    /// The selected rows' numbers in its first [#selectedRows()] entries, or null where all rows are selected.
    public int[] selection() {
        return selection;
    }

    public int selectedRows() {
        return selectedRows;
    }

    /// Replaces the selection by a narrower one.
    ///
    /// @param rows  ascending rows, given: from `pool`, to which it goes back when the batch closes or is
    ///              narrowed again; may be the present selection, narrowed in place
    /// @param count how many of its entries count
    public void select(int[] rows, int count, SelectionPool pool) {
        assert count <= selectedRows;
        if (selection != null && selection != rows) {
            selectionPool.give(selection);
        }
        selection = rows;
        selectedRows = count;
        selectionPool = pool;
    }

    /// Keeps only the first `count` of the selected rows.
    public void truncate(int count) {
        assert count <= selectedRows;
        if (selection == null) {
            rowCount = count;
        }
        selectedRows = count;
    }

    /// Moves the selection to a batch over the same rows with other columns; this batch selects all rows
    /// afterwards.
    public void moveSelectionTo(Batch other) {
        assert other.rowCount == rowCount;
        if (selection != null) {
            other.select(selection, selectedRows, selectionPool);
            selection = null;
            selectedRows = rowCount;
        }
    }

    /// The columns' bytes, for limits on what is buffered; shared buffers count in each batch.
    public long byteSize() {
        long bytes = 0;
        for (Column column : columns) {
            bytes += column.byteSize();
        }
        return bytes;
    }

    /// Gives back the columns and the selection; a second call does nothing.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (Column column : columns) {
            column.release();
        }
        if (selection != null) {
            selectionPool.give(selection);
            selection = null;
        }
    }
}
