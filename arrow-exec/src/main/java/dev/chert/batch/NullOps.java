package dev.chert.batch;

import dev.chert.memory.Allocator;
import java.lang.foreign.MemorySegment;

/// The type of NULL: no value at all, so nothing in a row but its null bit.
final class NullOps extends TypeOps {
    NullOps(DataType type) {
        super(type, 0);
    }

    @Override
    long[] bits(PackedColumn values) {
        return values.low();
    }

    @Override
    public void store(
            PackedColumn values,
            int[] positions,
            int count,
            RowField field,
            long[] places,
            MemorySegment[] slabs,
            StringHeap heap) {
        // nothing is stored
    }

    @Override
    public int match(
            PackedColumn values,
            int[] candidates,
            int count,
            RowField field,
            long[] places,
            MemorySegment[] slabs,
            int[] dropped,
            int droppedCount) {
        return count;
    }

    @Override
    ColumnWriter loadValues(
            long[] places, int from, int count, int offset, MemorySegment[] slabs, Allocator allocator) {
        return new ColumnWriter(type(), count, allocator);
    }

    @Override
    public int compare(Column a, int rowA, Column b, int rowB) {
        return 0;
    }
}
