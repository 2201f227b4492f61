package dev.chert.operator.limit;

import dev.chert.batch.Batch;
import dev.chert.batch.SelectionPool;
import dev.chert.batch.Step;
import dev.chert.operator.Operator;

/// Lets the rows of a [RowWindow] through and ends as soon as it is exhausted.
///
/// Streams and keeps the order of each worker's input. With one worker the window is over its order; with several
/// it is over the order in which their batches arrive, as SQL allows where there is no ORDER BY. Memory: nothing.
public final class LimitOperator implements Operator {
    private final Operator input;
    private final RowWindow window;
    private final SelectionPool selections;

    public LimitOperator(Operator input, RowWindow window, SelectionPool selections) {
        this.input = input;
        this.window = window;
        this.selections = selections;
    }

    @Override
    public Step next() {
        while (!window.isExhausted()) {
            Step step = input.next();
            if (!(step instanceof Batch batch)) {
                return step;
            }
            long before = window.advance(batch.selectedRows());
            int from = Math.clamp(window.offset() - before, 0, batch.selectedRows());
            int to = Math.clamp(window.end() - before, 0, batch.selectedRows());
            if (from < to) {
                keep(batch, from, to);
                return batch;
            }
            batch.close();
        }
        return Step.END;
    }

    private void keep(Batch batch, int from, int to) {
        batch.truncate(to);
        if (from == 0) {
            return;
        }
        int[] present = batch.selection();
        int[] kept = selections.take(to - from);
        for (int i = from; i < to; i++) {
            kept[i - from] = present == null ? i : present[i];
        }
        batch.select(kept, to - from, selections);
    }

    @Override
    public void close() {
        input.close();
    }
}
