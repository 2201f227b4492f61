package dev.chert.operator.join;

import dev.chert.batch.Batch;
import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.ScalarType;
import dev.chert.expression.Evaluators;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.Literal;
import dev.chert.expression.Projection;
import dev.chert.expression.RowFilter;
import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;
import java.util.Arrays;
import java.util.List;

/// A condition over pairs of rows, given as batches of left columns, then right columns. Not thread-safe.
final class PairCondition {
    private final Expression condition;
    private final QueryContext query;
    private final Allocator allocator;
    private RowFilter filter;
    private Projection projection;
    private byte[] outcome = {};

    /// @param condition null where every pair satisfies it
    PairCondition(Expression condition, QueryContext query, Allocator allocator) {
        this.condition = condition == null || condition.equals(Literal.TRUE) ? null : condition;
        this.query = query;
        this.allocator = allocator;
    }

    boolean isAlwaysTrue() {
        return condition == null;
    }

    /// Narrows a batch of pairs to those for which the condition is true.
    void narrow(Batch pairs) {
        if (condition != null) {
            if (filter == null) {
                filter = Evaluators.filter(condition, query, allocator);
            }
            filter.narrow(pairs);
        }
    }

    /// Tells pairs for which the condition is true from those for which it is unknown.
    ///
    /// @param pairs borrowed
    /// @return      an [Outcome] number a selected row of the batch, in order, until the next call
    byte[] decide(Batch pairs) {
        int count = pairs.selectedRows();
        if (outcome.length < count) {
            outcome = new byte[Math.max(count, query.batchSize())];
        }
        if (condition == null) {
            Arrays.fill(outcome, 0, count, Outcome.TRUE);
            return outcome;
        }
        if (projection == null) {
            assert condition.type().equals(ScalarType.BOOLEAN);
            projection = Evaluators.project(List.of(condition), query, allocator);
        }
        Column result = projection.evaluate(pairs)[0];
        int[] selection = pairs.selection();
        for (int i = 0; i < count; i++) {
            int row = selection == null ? i : selection[i];
            outcome[i] = result.isNull(row)
                    ? Outcome.UNKNOWN
                    : Bitmap.get(result.valueColumn().values(), result.valueRow(row)) ? Outcome.TRUE : Outcome.FALSE;
        }
        result.release();
        return outcome;
    }

    void close() {
        if (filter != null) {
            filter.close();
        }
        if (projection != null) {
            projection.close();
        }
    }

    /// What a condition says of a pair, ordered so that the outcome over several pairs is the greatest.
    static final class Outcome {
        static final byte FALSE = 0;
        static final byte UNKNOWN = 1;
        static final byte TRUE = 2;

        private Outcome() {}
    }
}
