package dev.chert.expression;

import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.Physical;
import dev.chert.kernel.Selections;

/// An expression prepared for running in one worker, with the memory that it keeps between batches. Not
/// thread-safe.
abstract class Evaluation {
    private final DataType type;

    Evaluation(DataType type) {
        this.type = type;
    }

    final DataType type() {
        return type;
    }

    /// Computes the wanted rows.
    ///
    /// @return the caller's; has the batch's rows, of which the wanted ones are defined
    abstract Column evaluate(Rows rows);

    /// Keeps the rows for which a predicate is true.
    ///
    /// @param kept room for all wanted rows; may be their selection itself
    /// @return     how many were kept
    int select(Rows rows, int[] kept) {
        Column answers = evaluate(rows);
        try {
            return keepTrue(answers, rows, kept);
        } finally {
            answers.release();
        }
    }

    /// Keeps the rows in which a BOOLEAN column is true.
    static int keepTrue(Column answers, Rows rows, int[] kept) {
        if (answers.physical() == Physical.NONE) {
            return 0;
        }
        if (answers.isConstant()) {
            if (answers.isNull(0) || !Bitmap.get(answers.values(), 0)) {
                return 0;
            }
            rows.copyTo(kept);
            return rows.count();
        }
        int size = Selections.withBit(answers.values(), rows.selection(), rows.count(), kept);
        return answers.validity() == null ? size : Selections.withBit(answers.validity(), kept, size, kept);
    }

    /// The column of a constant, borrowed, or null where this is none: flat, with one row.
    Column constantValue() {
        return null;
    }

    /// Gives back what is kept between batches.
    void close() {}
}
