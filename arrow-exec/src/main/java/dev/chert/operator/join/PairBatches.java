package dev.chert.operator.join;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.kernel.ColumnGather;
import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;
import java.util.ArrayList;
import java.util.List;

/// Makes the batches that a hash join gives and compares: left columns, then right ones. Not thread-safe.
///
/// Copies left values only where a pair's row is not its left row's; build values are loaded from the table, and
/// what nobody reads is a constant NULL.
final class PairBatches {
    private final JoinShape shape;
    private final JoinTable table;
    private final ProbeCursor cursor;
    private final ConstantColumns constants;
    private final QueryContext query;
    private final Allocator allocator;

    /// @param cursor    whose pairs they are
    /// @param constants borrowed
    PairBatches(
            JoinShape shape,
            JoinTable table,
            ProbeCursor cursor,
            ConstantColumns constants,
            QueryContext query,
            Allocator allocator) {
        this.shape = shape;
        this.table = table;
        this.cursor = cursor;
        this.constants = constants;
        this.query = query;
        this.allocator = allocator;
    }

    /// The pairs that the cursor made last; the caller's.
    ///
    /// @param forResidual whether columns that the residual does not read may be left out as NULLs
    Batch pairs(Batch left, boolean forResidual) {
        if (cursor.nearlyEachHasOne(left.rowCount())) {
            return pairsInPlace(left, forResidual);
        }
        int count = cursor.pairCount();
        Column[] columns =
                new Column[shape.leftTypes().size() + shape.rightTypes().size()];
        for (int c = 0; c < left.columnCount(); c++) {
            columns[c] = forResidual && !shape.residualReads(c)
                    ? constants.nulls(shape.leftTypes().get(c), count)
                    : ColumnGather.take(left.column(c), cursor.pairRows(), count, allocator);
        }
        loadRight(columns, count, forResidual);
        return new Batch(columns, count);
    }

    /// The pairs over the left batch's own columns, of which nearly each row has one match.
    private Batch pairsInPlace(Batch left, boolean forResidual) {
        int rowCount = left.rowCount();
        int count = cursor.pairCount();
        int[] selection = query.selections().take(count);
        cursor.spreadPairs(rowCount, selection);
        Column[] columns =
                new Column[shape.leftTypes().size() + shape.rightTypes().size()];
        for (int c = 0; c < left.columnCount(); c++) {
            columns[c] = left.column(c);
            columns[c].retain();
        }
        loadRight(columns, rowCount, forResidual);
        Batch block = new Batch(columns, rowCount);
        if (count < rowCount) {
            block.select(selection, count, query.selections());
        } else {
            query.selections().give(selection);
        }
        return block;
    }

    private void loadRight(Column[] columns, int count, boolean forResidual) {
        int leftColumns = shape.leftTypes().size();
        for (int c = 0; c < shape.rightTypes().size(); c++) {
            columns[leftColumns + c] = forResidual && !shape.residualReads(leftColumns + c)
                    ? constants.nulls(shape.rightTypes().get(c), count)
                    : right(c, cursor.pairPlaces(), count);
        }
    }

    private Column right(int column, long[] places, int count) {
        int field = shape.fieldOf(column);
        return field < 0
                ? constants.nulls(shape.rightTypes().get(column), count)
                : table.load(field, places, count, allocator);
    }

    /// Build rows beside NULLs, where the kind gives left columns; the caller's.
    Batch rightAlone(long[] places, int count) {
        List<Column> columns = new ArrayList<>();
        if (shape.kind().givesLeft()) {
            columns.addAll(constants.nulls(shape.leftTypes(), count));
        }
        for (int c = 0; c < shape.rightTypes().size(); c++) {
            columns.add(right(c, places, count));
        }
        return new Batch(columns.toArray(Column[]::new), count);
    }

    /// Build rows as right columns alone, NULL where no condition reads them; the caller's.
    Batch right(long[] places, int count) {
        Column[] columns = new Column[shape.rightTypes().size()];
        for (int c = 0; c < columns.length; c++) {
            columns[c] = right(c, places, count);
        }
        return new Batch(columns, count);
    }
}
