package dev.chert.expression;

import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.kernel.Selections;
import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;
import java.util.List;

/// CASE: each condition is evaluated on the rows that are still open, each result on the rows that take it.
final class CaseEvaluation extends Evaluation {
    private final Evaluation[] conditions;
    private final Evaluation[] results;
    private final Evaluation otherwise;
    private final QueryContext query;
    private final Allocator allocator;

    CaseEvaluation(
            DataType type,
            List<Evaluation> conditions,
            List<Evaluation> results,
            Evaluation otherwise,
            QueryContext query,
            Allocator allocator) {
        super(type);
        this.conditions = conditions.toArray(Evaluation[]::new);
        this.results = results.toArray(Evaluation[]::new);
        this.otherwise = otherwise;
        this.query = query;
        this.allocator = allocator;
    }

    @Override
    Column evaluate(Rows rows) {
        PieceWriter pieces = new PieceWriter(type(), query);
        int[] open = query.selections().take(rows.rowCount());
        int[] matched = query.selections().take(rows.rowCount());
        try {
            rows.copyTo(open);
            int openCount = rows.count();
            for (int i = 0; i < conditions.length && openCount > 0; i++) {
                int count = conditions[i].select(rows.narrowed(open, openCount), matched);
                if (count > 0) {
                    pieces.add(results[i].evaluate(rows.narrowed(matched, count)), matched, count);
                    openCount = Selections.difference(open, openCount, matched, count, open);
                }
            }
            if (openCount > 0 || rows.count() == 0) {
                pieces.add(otherwise.evaluate(rows.narrowed(open, openCount)), open, openCount);
            }
        } finally {
            query.selections().give(open);
            query.selections().give(matched);
        }
        return pieces.finish(rows.rowCount(), allocator);
    }

    @Override
    void close() {
        for (int i = 0; i < conditions.length; i++) {
            conditions[i].close();
            results[i].close();
        }
        otherwise.close();
    }
}
