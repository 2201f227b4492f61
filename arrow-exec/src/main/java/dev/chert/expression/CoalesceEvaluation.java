package dev.chert.expression;

import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;
import java.util.List;

/// COALESCE: a later operand is evaluated only on the rows in which all earlier ones are NULL.
final class CoalesceEvaluation extends Evaluation {
    private final Evaluation[] operands;
    private final QueryContext query;
    private final Allocator allocator;

    CoalesceEvaluation(DataType type, List<Evaluation> operands, QueryContext query, Allocator allocator) {
        super(type);
        this.operands = operands.toArray(Evaluation[]::new);
        this.query = query;
        this.allocator = allocator;
    }

    @Override
    Column evaluate(Rows rows) {
        PieceWriter pieces = new PieceWriter(type(), query);
        int[] open = query.selections().take(rows.rowCount());
        int[] present = query.selections().take(rows.rowCount());
        try {
            rows.copyTo(open);
            int openCount = rows.count();
            for (int k = 0; k < operands.length; k++) {
                Column column = operands[k].evaluate(rows.narrowed(open, openCount));
                boolean last = k == operands.length - 1;
                if (last || !column.hasNulls()) {
                    pieces.add(column, open, openCount);
                    break;
                }
                int presentCount = 0;
                int nullCount = 0;
                for (int i = 0; i < openCount; i++) {
                    int row = open[i];
                    if (column.isNull(row)) {
                        open[nullCount++] = row;
                    } else {
                        present[presentCount++] = row;
                    }
                }
                if (presentCount > 0 || (nullCount == 0)) {
                    pieces.add(column, present, presentCount);
                } else {
                    column.release();
                }
                openCount = nullCount;
                if (openCount == 0) {
                    break;
                }
            }
        } finally {
            query.selections().give(open);
            query.selections().give(present);
        }
        return pieces.finish(rows.rowCount(), allocator);
    }

    @Override
    void close() {
        for (Evaluation operand : operands) {
            operand.close();
        }
    }
}
