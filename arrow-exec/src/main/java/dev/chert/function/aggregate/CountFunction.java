package dev.chert.function.aggregate;

import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.Layouts;
import dev.chert.batch.PackedColumn;
import dev.chert.batch.RowPlace;
import dev.chert.batch.ScalarType;
import dev.chert.memory.Allocator;
import dev.chert.memory.Counted;
import java.lang.foreign.MemorySegment;

/// COUNT: the rows that it is shown. State: an int64.
final class CountFunction extends AggregateFunction {
    CountFunction() {
        super(ScalarType.BIGINT, 8);
    }

    @Override
    public boolean readsValues() {
        return false;
    }

    @Override
    public Object stateKind() {
        return CountFunction.class;
    }

    @Override
    public void update(PackedColumn argument, int count, long[] places, int offset, StateMemory memory) {
        MemorySegment[] slabs = memory.slabs();
        for (int i = 0; i < count; i++) {
            MemorySegment slab = RowPlace.slab(slabs, places[i]);
            int at = RowPlace.offset(places[i]) + offset;
            slab.set(Layouts.LONG, at, slab.get(Layouts.LONG, at) + 1);
        }
    }

    @Override
    public void merge(long[] from, long[] into, int count, int offset, StateMemory memory) {
        MemorySegment[] slabs = memory.slabs();
        for (int i = 0; i < count; i++) {
            long more = RowPlace.slab(slabs, from[i]).get(Layouts.LONG, RowPlace.offset(from[i]) + offset);
            MemorySegment slab = RowPlace.slab(slabs, into[i]);
            int at = RowPlace.offset(into[i]) + offset;
            slab.set(Layouts.LONG, at, slab.get(Layouts.LONG, at) + more);
        }
    }

    @Override
    public Column finish(
            long[] places,
            int first,
            int count,
            int offset,
            MemorySegment[] slabs,
            Allocator allocator,
            Counted... stringOwners) {
        ColumnWriter out = new ColumnWriter(resultType(), count, allocator);
        for (int i = 0; i < count; i++) {
            long place = places[first + i];
            long rows = RowPlace.slab(slabs, place).get(Layouts.LONG, RowPlace.offset(place) + offset);
            out.values().setAtIndex(Layouts.LONG, i, rows);
        }
        return out.seal(count);
    }
}
