package dev.chert.expression;

import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.ScalarType;
import dev.chert.memory.Allocator;

/// IS DISTINCT FROM: compares where both are present, and where not, whether both are NULL.
final class IsDistinctEvaluation extends Evaluation {
    private final Evaluation left;
    private final Evaluation right;
    private final CallEvaluation equality;
    private final boolean negated;
    private final Allocator allocator;

    /// @param equality `left = right`
    IsDistinctEvaluation(
            Evaluation left, Evaluation right, CallEvaluation equality, boolean negated, Allocator allocator) {
        super(ScalarType.BOOLEAN);
        this.left = left;
        this.right = right;
        this.equality = equality;
        this.negated = negated;
        this.allocator = allocator;
    }

    @Override
    Column evaluate(Rows rows) {
        Column a = left.evaluate(rows);
        Column b = right.evaluate(rows);
        Column equal = equality.evaluateWith(new Column[] {a, b}, rows);
        try {
            ColumnWriter out = new ColumnWriter(ScalarType.BOOLEAN, rows.rowCount(), allocator);
            for (int i = 0; i < rows.count(); i++) {
                int row = rows.row(i);
                boolean same = equal.isNull(row)
                        ? a.isNull(row) && b.isNull(row)
                        : Bitmap.get(equal.valueColumn().values(), equal.valueRow(row));
                out.putBoolean(row, same == negated);
            }
            return out.seal(rows.rowCount());
        } finally {
            a.release();
            b.release();
            equal.release();
        }
    }

    @Override
    void close() {
        equality.close();
    }
}
