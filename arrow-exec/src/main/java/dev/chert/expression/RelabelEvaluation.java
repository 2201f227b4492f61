package dev.chert.expression;

import dev.chert.batch.Column;
import dev.chert.batch.DataType;

/// A conversion that changes no value: the column gets another type.
final class RelabelEvaluation extends Evaluation {
    private final Evaluation input;

    RelabelEvaluation(Evaluation input, DataType type) {
        super(type);
        this.input = input;
    }

    @Override
    Column evaluate(Rows rows) {
        Column column = input.evaluate(rows);
        try {
            if (!column.isDictionary()) {
                return column.as(type());
            }
            Column dictionary = column.dictionary().as(type());
            column.retain();
            return Column.dictionary(column.rowCount(), column.values(), column.validity(), dictionary, column);
        } finally {
            column.release();
        }
    }

    @Override
    void close() {
        input.close();
    }
}
