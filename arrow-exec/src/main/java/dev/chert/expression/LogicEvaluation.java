package dev.chert.expression;

import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.ScalarType;
import dev.chert.kernel.Selections;
import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;
import java.util.List;

/// AND and OR: a later operand is evaluated only on the rows that earlier ones leave open.
///
/// AND is decided by a false operand, OR by a true one. As a filter, AND narrows step by step; OR collects the
/// rows that each operand keeps of those that no earlier one kept.
final class LogicEvaluation extends Evaluation {
    private final Evaluation[] operands;
    private final boolean decidedBy;
    private final QueryContext query;
    private final Allocator allocator;

    /// @param decidedBy false for AND, true for OR
    LogicEvaluation(List<Evaluation> operands, boolean decidedBy, QueryContext query, Allocator allocator) {
        super(ScalarType.BOOLEAN);
        this.operands = operands.toArray(Evaluation[]::new);
        this.decidedBy = decidedBy;
        this.query = query;
        this.allocator = allocator;
    }

    @Override
    Column evaluate(Rows rows) {
        ColumnWriter out = new ColumnWriter(ScalarType.BOOLEAN, rows.rowCount(), allocator);
        boolean[] unknown = null;
        int[] open = query.selections().take(rows.rowCount());
        try {
            rows.copyTo(open);
            int count = rows.count();
            for (Evaluation operand : operands) {
                if (count == 0) {
                    break;
                }
                Column answers = operand.evaluate(rows.narrowed(open, count));
                try {
                    if (answers.hasNulls() && unknown == null) {
                        unknown = new boolean[rows.rowCount()];
                    }
                    count = leaveOpen(answers, open, count, unknown, out);
                } finally {
                    answers.release();
                }
            }
            for (int i = 0; i < count; i++) {
                if (unknown != null && unknown[open[i]]) {
                    out.setNull(open[i]);
                } else {
                    out.putBoolean(open[i], !decidedBy);
                }
            }
        } finally {
            query.selections().give(open);
        }
        return out.seal(rows.rowCount());
    }

    /// Writes the rows that an operand decides and keeps the others in `open`.
    private int leaveOpen(Column answers, int[] open, int count, boolean[] unknown, ColumnWriter out) {
        Column values = answers.valueColumn();
        int size = 0;
        for (int i = 0; i < count; i++) {
            int row = open[i];
            if (answers.isNull(row)) {
                unknown[row] = true;
                open[size++] = row;
            } else if (Bitmap.get(values.values(), answers.valueRow(row)) == decidedBy) {
                out.putBoolean(row, decidedBy);
            } else {
                open[size++] = row;
            }
        }
        return size;
    }

    @Override
    int select(Rows rows, int[] kept) {
        return decidedBy ? selectAny(rows, kept) : selectEach(rows, kept);
    }

    private int selectEach(Rows rows, int[] kept) {
        Rows left = rows;
        for (Evaluation operand : operands) {
            int count = operand.select(left, kept);
            if (count == 0) {
                return 0;
            }
            left = rows.narrowed(kept, count);
        }
        return left.count();
    }

    private int selectAny(Rows rows, int[] kept) {
        int[] open = query.selections().take(rows.rowCount());
        int[] matched = query.selections().take(rows.rowCount());
        int[] found = query.selections().take(rows.rowCount());
        int[] merged = query.selections().take(rows.rowCount());
        try {
            rows.copyTo(open);
            int openCount = rows.count();
            int foundCount = 0;
            for (Evaluation operand : operands) {
                if (openCount == 0) {
                    break;
                }
                int count = operand.select(rows.narrowed(open, openCount), matched);
                if (count == 0) {
                    continue;
                }
                openCount = Selections.difference(open, openCount, matched, count, open);
                foundCount = Selections.union(found, foundCount, matched, count, merged);
                int[] swap = found;
                found = merged;
                merged = swap;
            }
            System.arraycopy(found, 0, kept, 0, foundCount);
            return foundCount;
        } finally {
            query.selections().give(open);
            query.selections().give(matched);
            query.selections().give(found);
            query.selections().give(merged);
        }
    }

    @Override
    void close() {
        for (Evaluation operand : operands) {
            operand.close();
        }
    }
}
