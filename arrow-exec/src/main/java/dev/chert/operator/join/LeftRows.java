package dev.chert.operator.join;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.SelectionPool;
import dev.chert.memory.Allocator;
import dev.chert.operator.join.PairCondition.Outcome;
import dev.chert.plan.JoinKind;
import java.util.ArrayList;
import java.util.List;

/// What is done with a left batch when the outcomes of its rows are known, which are given by row number.
final class LeftRows {
    private LeftRows() {}

    /// Writes the numbers of the selected rows.
    ///
    /// @return how many they are
    static int rows(Batch batch, int[] rows) {
        int count = batch.selectedRows();
        int[] selection = batch.selection();
        for (int i = 0; i < count; i++) {
            rows[i] = selection == null ? i : selection[i];
        }
        return count;
    }

    /// What a kind of join that decides left rows gives of a batch: its rows, or all of them beside their outcomes.
    ///
    /// @param done given
    /// @return     the caller's; null where no row is left
    static Batch decided(JoinKind kind, Batch done, byte[] outcomes, SelectionPool pool, Allocator allocator) {
        if (kind == JoinKind.MARK) {
            List<Column> columns = columns(done);
            columns.add(marks(outcomes, done.rowCount(), allocator));
            return replaced(done, columns);
        }
        return kept(done, outcomes, kind == JoinKind.SEMI ? Outcome.TRUE : Outcome.FALSE, pool);
    }

    /// The rows of a batch that have no match, beside NULLs.
    ///
    /// @param done given
    /// @return     the caller's; null where no row is left
    static Batch unmatched(
            Batch done, byte[] outcomes, List<DataType> rightTypes, ConstantColumns constants, SelectionPool pool) {
        Batch kept = kept(done, outcomes, Outcome.FALSE, pool);
        if (kept == null) {
            return null;
        }
        List<Column> columns = columns(kept);
        columns.addAll(constants.nulls(rightTypes, kept.rowCount()));
        return replaced(kept, columns);
    }

    private static Batch kept(Batch done, byte[] outcomes, byte wanted, SelectionPool pool) {
        if (keep(done, outcomes, wanted, pool) > 0) {
            return done;
        }
        done.close();
        return null;
    }

    /// Narrows the batch to the rows that have an outcome.
    ///
    /// @return how many they are
    private static int keep(Batch batch, byte[] outcomes, byte wanted, SelectionPool pool) {
        int count = batch.selectedRows();
        int[] selection = batch.selection();
        int[] kept = selection != null ? selection : pool.take(count);
        int size = 0;
        for (int i = 0; i < count; i++) {
            int row = selection == null ? i : selection[i];
            kept[size] = row;
            size += outcomes[row] == wanted ? 1 : 0;
        }
        if (selection == null && size == count) {
            pool.give(kept);
        } else {
            batch.select(kept, size, pool);
        }
        return size;
    }

    /// Narrows the batch to the rows that are not among some of its rows.
    ///
    /// @param rows ascending, `count` of them, all selected
    static void leaveOut(Batch batch, int[] rows, int count, SelectionPool pool) {
        int selected = batch.selectedRows();
        int[] selection = batch.selection();
        int[] kept = selection != null ? selection : pool.take(selected);
        int size = 0;
        int next = 0;
        for (int i = 0; i < selected; i++) {
            int row = selection == null ? i : selection[i];
            boolean leaves = next < count && rows[next] == row;
            kept[size] = row;
            size += leaves ? 0 : 1;
            next += leaves ? 1 : 0;
        }
        batch.select(kept, size, pool);
    }

    /// A BOOLEAN column of outcomes, NULL where unknown; the caller's.
    private static Column marks(byte[] outcomes, int rowCount, Allocator allocator) {
        ColumnWriter writer = new ColumnWriter(ScalarType.BOOLEAN, rowCount, allocator);
        for (int row = 0; row < rowCount; row++) {
            switch (outcomes[row]) {
                case Outcome.TRUE -> writer.putBoolean(row, true);
                case Outcome.UNKNOWN -> writer.setNull(row);
                default -> {} // false from the start
            }
        }
        return writer.seal(rowCount);
    }

    /// The batch's columns, retained.
    static List<Column> columns(Batch batch) {
        List<Column> columns = new ArrayList<>(batch.columns());
        columns.forEach(Column::retain);
        return columns;
    }

    /// A batch with other columns over the rows of a batch that is closed thereby.
    ///
    /// @param columns given
    private static Batch replaced(Batch done, List<Column> columns) {
        Batch batch = new Batch(columns.toArray(Column[]::new), done.rowCount());
        done.moveSelectionTo(batch);
        done.close();
        return batch;
    }
}
