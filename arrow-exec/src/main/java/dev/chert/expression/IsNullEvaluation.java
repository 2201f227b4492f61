package dev.chert.expression;

import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.Physical;
import dev.chert.batch.ScalarType;
import dev.chert.kernel.Selections;
import dev.chert.memory.Allocator;

/// IS NULL and IS NOT NULL.
final class IsNullEvaluation extends Evaluation {
    private final Evaluation input;
    private final boolean negated;
    private final Allocator allocator;

    IsNullEvaluation(Evaluation input, boolean negated, Allocator allocator) {
        super(ScalarType.BOOLEAN);
        this.input = input;
        this.negated = negated;
        this.allocator = allocator;
    }

    @Override
    Column evaluate(Rows rows) {
        Column column = input.evaluate(rows);
        try {
            boolean same = !column.hasNulls() || column.isConstant() || column.physical() == Physical.NONE;
            ColumnWriter out = new ColumnWriter(ScalarType.BOOLEAN, same ? 1 : rows.rowCount(), allocator);
            if (same) {
                out.putBoolean(0, column.isNull(0) != negated);
                return Column.constant(out.seal(1), rows.rowCount());
            }
            for (int i = 0; i < rows.count(); i++) {
                int row = rows.row(i);
                out.putBoolean(row, column.isNull(row) != negated);
            }
            return out.seal(rows.rowCount());
        } finally {
            column.release();
        }
    }

    @Override
    int select(Rows rows, int[] kept) {
        Column column = input.evaluate(rows);
        try {
            if (column.isConstant() || column.validity() == null) {
                if (column.isNull(0) == negated) {
                    return 0;
                }
                rows.copyTo(kept);
                return rows.count();
            }
            return negated
                    ? Selections.withBit(column.validity(), rows.selection(), rows.count(), kept)
                    : Selections.withoutBit(column.validity(), rows.selection(), rows.count(), kept);
        } finally {
            column.release();
        }
    }

    @Override
    void close() {
        input.close();
    }
}
