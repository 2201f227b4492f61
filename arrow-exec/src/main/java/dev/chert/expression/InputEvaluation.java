package dev.chert.expression;

import dev.chert.batch.Column;
import dev.chert.batch.DataType;

/// A column of the batch, as it is.
final class InputEvaluation extends Evaluation {
    private final int index;

    InputEvaluation(int index, DataType type) {
        super(type);
        this.index = index;
    }

    @Override
    Column evaluate(Rows rows) {
        Column column = rows.batch().column(index);
        column.retain();
        return column;
    }
}
