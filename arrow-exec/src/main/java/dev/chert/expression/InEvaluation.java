package dev.chert.expression;

import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.Physical;
import dev.chert.batch.ScalarType;
import dev.chert.expression.Expression.Literal;
import dev.chert.memory.Allocator;
import java.util.List;

/// IN and NOT IN over constants. A NULL among them makes what is not found unknown.
final class InEvaluation extends Evaluation {
    private final Evaluation input;
    private final Membership members;
    private final boolean hasNull;
    private final boolean negated;
    private final Allocator allocator;
    private boolean[] found = {};
    private Column knownDictionary;
    private boolean[] foundInDictionary;

    InEvaluation(Evaluation input, List<Literal> values, boolean negated, Allocator allocator) {
        super(ScalarType.BOOLEAN);
        this.input = input;
        this.members = new Membership(
                input.type(), values.stream().filter(value -> !value.isNull()).toList());
        this.hasNull = values.stream().anyMatch(Literal::isNull);
        this.negated = negated;
        this.allocator = allocator;
    }

    @Override
    Column evaluate(Rows rows) {
        Column column = input.evaluate(rows);
        try {
            boolean same = column.isConstant() || column.physical() == Physical.NONE;
            Rows tested = same ? Rows.single() : rows;
            test(column, tested);
            ColumnWriter out = new ColumnWriter(ScalarType.BOOLEAN, tested.rowCount(), allocator);
            for (int i = 0; i < tested.count(); i++) {
                int row = tested.row(i);
                if (column.isNull(row) || (hasNull && !found[row])) {
                    out.setNull(row);
                } else {
                    out.putBoolean(row, found[row] != negated);
                }
            }
            Column answers = out.seal(tested.rowCount());
            return same ? Column.constant(answers, rows.rowCount()) : answers;
        } finally {
            column.release();
        }
    }

    @Override
    int select(Rows rows, int[] kept) {
        Column column = input.evaluate(rows);
        try {
            if (column.isConstant() || (hasNull && negated)) {
                return super.select(rows, kept);
            }
            test(column, rows);
            int size = 0;
            for (int i = 0; i < rows.count(); i++) {
                int row = rows.row(i);
                kept[size] = row;
                size += found[row] != negated && !column.isNull(row) ? 1 : 0;
            }
            return size;
        } finally {
            column.release();
        }
    }

    private void test(Column column, Rows rows) {
        if (found.length < column.rowCount()) {
            found = new boolean[column.rowCount()];
        }
        if (column.physical() == Physical.NONE) {
            return;
        }
        if (!column.isDictionary() || column.dictionary().rowCount() > rows.count()) {
            members.test(column, rows, found);
            return;
        }
        Column dictionary = column.dictionary();
        if (knownDictionary != dictionary) {
            int size = dictionary.rowCount();
            foundInDictionary = new boolean[size];
            members.test(dictionary, new Rows(null, size, null, size), foundInDictionary);
            knownDictionary = dictionary;
        }
        for (int i = 0; i < rows.count(); i++) {
            int row = rows.row(i);
            found[row] = foundInDictionary[column.valueRow(row)];
        }
    }

    @Override
    void close() {
        input.close();
    }
}
