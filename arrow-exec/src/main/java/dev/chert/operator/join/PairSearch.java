package dev.chert.operator.join;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.operator.join.PairCondition.Outcome;
import dev.chert.query.QueryContext;
import java.util.ArrayList;
import java.util.List;

/// Walks all pairs of a left batch's selected rows with the right rows, many at a time, and tells which satisfy a
/// condition. Not thread-safe.
///
/// A block is one right row as constants beside the left columns as they are, or, where more right rows than left
/// ones wait, one left row as constants beside a right batch; nothing is copied either way.
final class PairSearch {
    /// With this many times fewer left rows than a right batch has, left rows are the constants.
    private static final int FEW_LEFT_ROWS = 8;

    private final PairCondition condition;
    private final ConstantColumns constants;
    private final QueryContext query;
    private RightRows right;
    private Batch left;
    private boolean byRightRow;
    private int rightBatch;
    private int rightRow;
    private int leftPosition;

    PairSearch(PairCondition condition, ConstantColumns constants, QueryContext query) {
        this.condition = condition;
        this.constants = constants;
        this.query = query;
    }

    /// Begins with a left batch, which stays the caller's and must not change until [#next()] has answered null.
    void start(Batch leftBatch, RightRows rightRows) {
        left = leftBatch;
        right = rightRows;
        rightBatch = 0;
        rightRow = 0;
        leftPosition = 0;
        byRightRow =
                left.selectedRows() >= right.rowCount() || left.selectedRows() * FEW_LEFT_ROWS >= query.batchSize();
    }

    /// The next block of pairs that satisfy the condition, which may be none; null when all were seen. The
    /// caller's.
    Batch next() {
        Batch block = nextBlock();
        if (block != null) {
            condition.narrow(block);
        }
        return block;
    }

    /// True where the block's rows are the left batch's and [#rightRow()] is its right one; else the block's rows
    /// are the right batch's and [#leftRow()] is its left one.
    boolean byRightRow() {
        return byRightRow;
    }

    /// The number of the last block's right batch.
    int rightBatch() {
        return rightBatch;
    }

    /// The right row of the last block.
    int rightRow() {
        return rightRow - 1;
    }

    /// The left row of the last block.
    int leftRow() {
        return row(leftPosition);
    }

    private Batch nextBlock() {
        if (left.selectedRows() == 0) {
            return null;
        }
        return byRightRow ? nextRightRow() : nextLeftRow();
    }

    private Batch nextRightRow() {
        while (rightBatch < right.batches().length && rightRow == right.batches()[rightBatch].rowCount()) {
            rightBatch++;
            rightRow = 0;
        }
        return rightBatch == right.batches().length
                ? null
                : rightRowBlock(left, left.selection(), left.selectedRows(), right.batches()[rightBatch], rightRow++);
    }

    private Batch nextLeftRow() {
        if (rightRow > 0) { // the last block's right batch is done
            rightRow = 0;
            if (++rightBatch == right.batches().length) {
                rightBatch = 0;
                leftPosition++;
            }
        }
        if (right.batches().length == 0 || leftPosition == left.selectedRows()) {
            return null;
        }
        rightRow = 1;
        return leftRowBlock(left, leftRow(), right.batches()[rightBatch]);
    }

    /// Raises left rows' outcomes to that of the condition over all right rows: true if it is for any, else
    /// unknown if it is for any. Rows are left out once they are true.
    ///
    /// @param rows     the left rows, `count` of them; the array is used up
    /// @param outcomes by left row
    /// @param unknowns whether UNKNOWN is asked for; else it counts as FALSE, which is found faster
    /// @return         how many of the left rows, which lead the array, are not true yet
    int decide(Batch leftBatch, int[] rows, int count, RightRows rightRows, byte[] outcomes, boolean unknowns) {
        int[] open = rows;
        int openCount = dropTrue(open, count, outcomes);
        for (Batch columns : rightRows.batches()) {
            if (openCount * FEW_LEFT_ROWS < columns.rowCount()) {
                for (int i = 0; i < openCount; i++) {
                    decideLeftRow(leftBatch, open[i], columns, outcomes, unknowns);
                }
                openCount = dropTrue(open, openCount, outcomes);
            } else {
                for (int r = 0; r < columns.rowCount() && openCount > 0; r++) {
                    decideRightRow(leftBatch, open, openCount, columns, r, outcomes, unknowns);
                    openCount = dropTrue(open, openCount, outcomes);
                }
            }
        }
        return openCount;
    }

    private void decideLeftRow(Batch leftBatch, int row, Batch columns, byte[] outcomes, boolean unknowns) {
        try (Batch block = leftRowBlock(leftBatch, row, columns)) {
            if (unknowns) {
                byte[] found = condition.decide(block);
                for (int i = 0; i < block.selectedRows(); i++) {
                    outcomes[row] = (byte) Math.max(outcomes[row], found[i]);
                }
            } else {
                condition.narrow(block);
                outcomes[row] = block.selectedRows() > 0 ? Outcome.TRUE : outcomes[row];
            }
        }
    }

    private void decideRightRow(
            Batch leftBatch, int[] open, int openCount, Batch columns, int row, byte[] outcomes, boolean unknowns) {
        try (Batch block = rightRowBlock(leftBatch, open, openCount, columns, row)) {
            if (unknowns) {
                byte[] found = condition.decide(block);
                for (int i = 0; i < openCount; i++) {
                    outcomes[open[i]] = (byte) Math.max(outcomes[open[i]], found[i]);
                }
            } else {
                condition.narrow(block);
                for (int i = 0; i < block.selectedRows(); i++) {
                    outcomes[block.selection()[i]] = Outcome.TRUE;
                }
            }
        }
    }

    private static int dropTrue(int[] open, int openCount, byte[] outcomes) {
        int kept = 0;
        for (int i = 0; i < openCount; i++) {
            open[kept] = open[i];
            kept += outcomes[open[i]] == Outcome.TRUE ? 0 : 1;
        }
        return kept;
    }

    private int row(int position) {
        return left.selection() == null ? position : left.selection()[position];
    }

    /// @param selection left rows, or null for all; copied
    private Batch rightRowBlock(Batch leftBatch, int[] selection, int count, Batch columns, int row) {
        query.checkCancelled();
        int rows = leftBatch.rowCount();
        List<Column> both = new ArrayList<>(leftBatch.columns());
        both.forEach(Column::retain);
        both.addAll(constants.ofRow(columns.columns(), row, rows));
        Batch block = new Batch(both.toArray(Column[]::new), rows);
        if (selection != null) {
            int[] copy = query.selections().take(count);
            System.arraycopy(selection, 0, copy, 0, count);
            block.select(copy, count, query.selections());
        }
        return block;
    }

    private Batch leftRowBlock(Batch leftBatch, int row, Batch columns) {
        query.checkCancelled();
        List<Column> both = constants.ofRow(leftBatch.columns(), row, columns.rowCount());
        for (Column column : columns.columns()) {
            column.retain();
            both.add(column);
        }
        return new Batch(both.toArray(Column[]::new), columns.rowCount());
    }
}
