package dev.chert.batch;

import dev.chert.memory.Allocator;
import java.lang.foreign.MemorySegment;

/// DECIMAL of more than 18 digits, and UUID: 16 bytes of a row.
final class WideOps extends TypeOps {
    WideOps(DataType type) {
        super(type, 16);
    }

    @Override
    long[] bits(PackedColumn values) {
        if (!values.wide()) {
            return values.low();
        }
        long[] bits = values.scratch();
        HashLoops.wideBits(values, bits);
        return bits;
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
        long[] low = values.low();
        long[] high = values.high();
        boolean wide = values.wide();
        int offset = field.offset();
        for (int i = 0; i < count; i++) {
            int p = positions[i];
            MemorySegment slab = RowPlace.slab(slabs, places[p]);
            int at = RowPlace.offset(places[p]) + offset;
            slab.set(Layouts.LONG, at, low[p]);
            slab.set(Layouts.LONG, at + 8, wide ? high[p] : low[p] >> 63);
        }
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
        long[] low = values.low();
        long[] high = values.high();
        boolean wide = values.wide();
        int offset = field.offset();
        int kept = 0;
        int lost = droppedCount;
        for (int i = 0; i < count; i++) {
            int p = candidates[i];
            MemorySegment slab = RowPlace.slab(slabs, places[p]);
            int at = RowPlace.offset(places[p]) + offset;
            if (slab.get(Layouts.LONG, at) == low[p]
                    && slab.get(Layouts.LONG, at + 8) == (wide ? high[p] : low[p] >> 63)) {
                candidates[kept++] = p;
            } else {
                dropped[lost++] = p;
            }
        }
        return kept;
    }

    @Override
    ColumnWriter loadValues(
            long[] places, int from, int count, int offset, MemorySegment[] slabs, Allocator allocator) {
        if (type().kind() == TypeKind.DECIMAL && allFit64(places, from, count, offset, slabs)) {
            ColumnWriter out = new ColumnWriter(type(), Physical.INT64, count, allocator);
            for (int i = 0; i < count; i++) {
                long place = places[from + i];
                long value = RowPlace.slab(slabs, place).get(Layouts.LONG, RowPlace.offset(place) + offset);
                out.values().setAtIndex(Layouts.LONG, i, value);
            }
            return out;
        }
        ColumnWriter out = new ColumnWriter(type(), Physical.INT128, count, allocator);
        for (int i = 0; i < count; i++) {
            MemorySegment slab = RowPlace.slab(slabs, places[from + i]);
            int at = RowPlace.offset(places[from + i]) + offset;
            out.values().set(Layouts.LONG, 16L * i, slab.get(Layouts.LONG, at));
            out.values().set(Layouts.LONG, 16L * i + 8, slab.get(Layouts.LONG, at + 8));
        }
        return out;
    }

    private static boolean allFit64(long[] places, int from, int count, int offset, MemorySegment[] slabs) {
        for (int i = from; i < from + count; i++) {
            MemorySegment slab = RowPlace.slab(slabs, places[i]);
            int at = RowPlace.offset(places[i]) + offset;
            if (slab.get(Layouts.LONG, at + 8) != slab.get(Layouts.LONG, at) >> 63) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int compare(Column a, int rowA, Column b, int rowB) {
        if (type().kind() == TypeKind.UUID) { // bytes in text order, so big-endian
            int upper = Long.compareUnsigned(Long.reverseBytes(low(a, rowA)), Long.reverseBytes(low(b, rowB)));
            return upper != 0
                    ? upper
                    : Long.compareUnsigned(Long.reverseBytes(high(a, rowA)), Long.reverseBytes(high(b, rowB)));
        }
        int upper = Long.compare(high(a, rowA), high(b, rowB));
        return upper != 0 ? upper : Long.compareUnsigned(low(a, rowA), low(b, rowB));
    }

    private static long low(Column column, int row) {
        MemorySegment values = column.valueColumn().values();
        return values.get(
                Layouts.LONG, (long) column.valueRow(row) * column.physical().byteWidth());
    }

    private static long high(Column column, int row) {
        return column.physical() == Physical.INT64
                ? low(column, row) >> 63
                : column.valueColumn().values().get(Layouts.LONG, 16L * column.valueRow(row) + 8);
    }
}
