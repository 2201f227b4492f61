package dev.chert.expression;

import dev.chert.batch.Column;
import dev.chert.expression.Expression.Literal;
import dev.chert.memory.Allocator;

/// A constant, written once.
final class ConstantEvaluation extends Evaluation {
    private final Column value;

    /// @param value given; flat, with one row
    ConstantEvaluation(Column value) {
        super(value.type());
        this.value = value;
    }

    static ConstantEvaluation of(Literal literal, Allocator allocator) {
        Column constant = LiteralWriter.constant(literal, 1, allocator);
        try {
            return new ConstantEvaluation(constant.firstRow());
        } finally {
            constant.release();
        }
    }

    @Override
    Column evaluate(Rows rows) {
        value.retain();
        return Column.constant(value, rows.rowCount());
    }

    @Override
    Column constantValue() {
        return value;
    }

    @Override
    void close() {
        value.release();
    }
}
