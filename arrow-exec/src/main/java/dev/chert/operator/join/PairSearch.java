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
    private RightReader right;
    private Batch left;
    private boolean byRightRow;
    private int rightBatch;
    private int position;
    private int blockBatch;
    private int blockPosition;

    private int[] open;
    private int openCount;
    private byte[] outcomes;
    private boolean unknowns;

    PairSearch(PairCondition condition, ConstantColumns constants, QueryContext query) {
        this.condition = condition;
        this.constants = constants;
        this.query = query;
    }

    /// Begins with a left batch, which stays the caller's and must not change until [#next()] has answered null.
    void start(Batch leftBatch, RightReader rightReader) {
        left = leftBatch;
        right = rightReader;
        rightBatch = 0;
        position = 0;
        byRightRow = left.selectedRows() >= right.rows().rowCount()
                || left.selectedRows() * FEW_LEFT_ROWS >= query.batchSize();
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
        return blockBatch;
    }

    /// The right row of the last block.
    int rightRow() {
        return blockPosition;
    }

    /// The left row of the last block.
    int leftRow() {
        return row(blockPosition);
    }

    /// Whether the last block's right batch came from disk and the next call gives it back.
    boolean leavesDisk() {
        return blockBatch != rightBatch && right.rows().isOnDisk(blockBatch);
    }

    private Batch nextBlock() {
        if (rightBatch == right.rows().batchCount() || left.selectedRows() == 0) {
            return null;
        }
        blockBatch = rightBatch;
        blockPosition = position;
        Batch columns = right.at(blockBatch);
        if (++position == (byRightRow ? columns.rowCount() : left.selectedRows())) {
            position = 0;
            rightBatch++;
        }
        return byRightRow
                ? rightRowBlock(left, left.selection(), left.selectedRows(), columns, blockPosition)
                : leftRowBlock(left, leftRow(), columns);
    }

    /// Begins to raise left rows' outcomes to that of the condition over all right rows: true if it is for any, else
    /// unknown if it is for any. Rows are left out once they are true.
    ///
    /// @param leftBatch    borrowed, as all else, until [#decideMore()] has answered false
    /// @param rows         the left rows, `count` of them; the array is used up
    /// @param rowOutcomes  by left row
    /// @param wantUnknowns whether UNKNOWN is asked for; else it counts as FALSE, which is found faster
    void startDeciding(
            Batch leftBatch, int[] rows, int count, RightReader rightReader, byte[] rowOutcomes, boolean wantUnknowns) {
        left = leftBatch;
        right = rightReader;
        rightBatch = 0;
        position = 0;
        outcomes = rowOutcomes;
        unknowns = wantUnknowns;
        open = rows;
        openCount = dropTrue(open, count, outcomes);
    }

    /// Compares one block of pairs.
    ///
    /// @return false if there is none left that could change an outcome
    boolean decideMore() {
        if (openCount == 0 || rightBatch == right.rows().batchCount()) {
            return false;
        }
        Batch columns = right.at(rightBatch);
        if (position == 0) {
            byRightRow = openCount * FEW_LEFT_ROWS >= columns.rowCount();
        }
        boolean batchDone;
        if (byRightRow) {
            decideRightRow(left, open, openCount, columns, position);
            openCount = dropTrue(open, openCount, outcomes);
            batchDone = ++position == columns.rowCount();
        } else {
            decideLeftRow(left, open[position], columns);
            batchDone = ++position == openCount;
            openCount = batchDone ? dropTrue(open, openCount, outcomes) : openCount;
        }
        if (batchDone) {
            position = 0;
            rightBatch++;
        }
        return true;
    }

    /// Decides left rows at once, as [#startDeciding] and [#decideMore()] do in steps.
    ///
    /// @return how many of the left rows, which lead the array, are not true yet
    int decide(Batch leftBatch, int[] rows, int count, RightRows rightRows, byte[] rowOutcomes, boolean wantUnknowns) {
        RightReader reader = new RightReader(rightRows);
        startDeciding(leftBatch, rows, count, reader, rowOutcomes, wantUnknowns);
        while (decideMore()) {
            // one block of pairs a time
        }
        reader.close();
        return openCount;
    }

    private void decideLeftRow(Batch leftBatch, int row, Batch columns) {
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

    private void decideRightRow(Batch leftBatch, int[] rows, int count, Batch columns, int row) {
        try (Batch block = rightRowBlock(leftBatch, rows, count, columns, row)) {
            if (unknowns) {
                byte[] found = condition.decide(block);
                for (int i = 0; i < count; i++) {
                    outcomes[rows[i]] = (byte) Math.max(outcomes[rows[i]], found[i]);
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

    private int row(int selected) {
        return left.selection() == null ? selected : left.selection()[selected];
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
