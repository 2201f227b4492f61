package dev.chert.operator.aggregate;

import dev.chert.batch.Column;
import dev.chert.memory.Allocator;
import dev.chert.operator.table.RowLayout;
import dev.chert.operator.table.RowTable;
import java.util.Arrays;

/// The one group of an aggregation without keys, which exists also where there are no rows.
final class SingleGroup implements Groups {
    private final RowTable table;
    private final long place;

    SingleGroup(RowLayout layout, Allocator allocator) {
        table = new RowTable(layout, 0, 1, allocator);
        place = table.pages(0).add(0);
    }

    @Override
    public void find(Column[] columns, int[] rows, int count, long[] places) {
        Arrays.fill(places, 0, count, place);
    }

    /// The row of the group.
    long place() {
        return place;
    }

    @Override
    public RowTable table() {
        return table;
    }
}
