package dev.chert.operator.aggregate;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.PackedColumn;
import dev.chert.expression.Projection;
import dev.chert.function.aggregate.StateMemory;
import dev.chert.memory.Allocator;
import dev.chert.operator.Sink;
import java.util.Arrays;

/// One worker's groups: evaluates keys, arguments and filters of a batch, finds the groups, updates their states.
///
/// Memory grows with the groups that this worker meets, and with the distinct tuples of its DISTINCT aggregates, until
/// they are spilled.
final class HashAggregateSink implements Sink {
    private final Aggregation aggregation;
    private final Projection projection;
    private final WorkerGroups state;
    private final StateMemory memory;
    private final RowChoice choice = new RowChoice();
    private final PackedColumn argument = new PackedColumn();
    private int[] allRows = {};
    private long[] places = {};

    /// @param projection of the aggregation's expressions
    /// @param state      the breaker's
    HashAggregateSink(Aggregation aggregation, Projection projection, WorkerGroups state, Allocator allocator) {
        this.aggregation = aggregation;
        this.projection = projection;
        this.state = state;
        this.memory = new StateMemory(allocator.account().manager(), state.table()::heapOf);
    }

    @Override
    public void accept(Batch batch) {
        int count = batch.selectedRows();
        if (count > 0) {
            Column[] columns = projection.evaluate(batch);
            int[] rows = batch.selection() != null ? batch.selection() : allRows(count);
            if (places.length < count) {
                places = new long[count];
            }
            state.work(
                    () -> { // may spill what came before
                        add(columns, rows, count);
                        state.grown();
                    });
            for (Column column : columns) {
                column.release();
            }
        }
        batch.close();
    }

    private void add(Column[] columns, int[] rows, int count) {
        state.groups().find(columns, rows, count, places);
        for (Aggregation.Update update : aggregation.updates()) {
            update(update, columns, rows, count);
        }
        for (int i = 0; i < aggregation.distincts().size(); i++) {
            addDistinct(aggregation.distincts().get(i), state.sets().get(i), columns, rows, count);
        }
    }

    private int[] allRows(int count) {
        if (allRows.length < count) {
            allRows = new int[count];
            Arrays.setAll(allRows, row -> row);
        }
        return allRows;
    }

    private void update(Aggregation.Update update, Column[] columns, int[] rows, int count) {
        choice.chooseAll(rows, places, count);
        if (update.filter() >= 0) {
            choice.keepTrue(columns[update.filter()]);
        }
        for (int index : update.arguments()) {
            if (update.skipNulls()) {
                choice.keepPresent(columns[index]);
            }
        }
        if (choice.count() == 0) {
            return;
        }
        PackedColumn packed = null;
        if (update.readsValues()) {
            packed = argument;
            packed.pack(columns[update.arguments().getLast()], choice.rows(), choice.count());
        }
        for (Aggregation.State state : update.states()) {
            state.function().update(packed, choice.count(), choice.places(), state.offset(), memory);
        }
    }

    private void addDistinct(Aggregation.Distinct distinct, DistinctSet set, Column[] columns, int[] rows, int count) {
        choice.chooseAll(rows, places, count);
        if (distinct.filter() >= 0) {
            choice.keepTrue(columns[distinct.filter()]);
        }
        for (int index : distinct.arguments()) {
            choice.keepPresent(columns[index]);
        }
        if (choice.count() > 0) {
            set.add(columns, choice.rows(), choice.count());
        }
    }

    @Override
    public void finish() {
        projection.close(); // the groups have been the breaker's since it made this sink
    }
}
