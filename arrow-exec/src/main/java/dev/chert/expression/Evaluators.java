package dev.chert.expression;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;
import java.util.List;

/// Where an operator gets an expression with its consumer: a filter or a projection, for one worker.
public final class Evaluators {
    private Evaluators() {}

    /// Prepares a predicate that narrows selections.
    ///
    /// @param predicate BOOLEAN
    /// @param allocator for scratch columns, constants and what is remembered between batches
    public static RowFilter filter(Expression predicate, QueryContext query, Allocator allocator) {
        Evaluation evaluation = new Preparation(query, allocator).prepare(predicate);
        return new RowFilter() {
            @Override
            public void narrow(Batch batch) {
                Rows rows = Rows.selectedOf(batch);
                int[] kept = query.selections().take(batch.rowCount());
                int count = evaluation.select(rows, kept);
                if (count == batch.selectedRows()) {
                    query.selections().give(kept);
                } else {
                    batch.select(kept, count, query.selections());
                }
            }

            @Override
            public void close() {
                evaluation.close();
            }
        };
    }

    /// Prepares expressions that give columns.
    ///
    /// @param allocator for the columns, constants and what is remembered between batches
    public static Projection project(List<Expression> expressions, QueryContext query, Allocator allocator) {
        Preparation preparation = new Preparation(query, allocator);
        List<Evaluation> evaluations =
                expressions.stream().map(preparation::prepare).toList();
        return new Projection() {
            @Override
            public Column[] evaluate(Batch batch) {
                Rows rows = Rows.selectedOf(batch);
                Column[] columns = new Column[evaluations.size()];
                for (int i = 0; i < columns.length; i++) {
                    columns[i] = evaluations.get(i).evaluate(rows);
                }
                return columns;
            }

            @Override
            public void close() {
                evaluations.forEach(Evaluation::close);
            }
        };
    }
}
