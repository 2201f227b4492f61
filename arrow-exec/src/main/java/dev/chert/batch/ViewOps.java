package dev.chert.batch;

import dev.chert.memory.Allocator;
import java.lang.foreign.MemorySegment;

/// Strings and byte strings: a row has the 16-byte view, the row's table a copy of the bytes of a long one.
final class ViewOps extends TypeOps {
    private static final int INLINE_BYTES = 12;

    ViewOps(DataType type) {
        super(type, 16);
    }

    @Override
    long[] hashesByCode(PackedColumn values) {
        return values.dictionaryHashes();
    }

    @Override
    long[] bits(PackedColumn values) {
        if (!values.wide()) {
            return values.low(); // nothing but NULLs
        }
        long[] bits = values.scratch();
        HashLoops.viewBits(values, bits);
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
        MemorySegment[] from = values.slabs();
        int offset = field.offset();
        for (int i = 0; i < count; i++) {
            int p = positions[i];
            MemorySegment slab = RowPlace.slab(slabs, places[p]);
            int at = RowPlace.offset(places[p]) + offset;
            int length = (int) low[p];
            if (length <= INLINE_BYTES) {
                slab.set(Layouts.LONG, at + 8, high[p]);
            } else {
                heap.reserve(length); // where that fails, the row has an empty string, which can be written
                MemorySegment.copy(from[(int) high[p]], high[p] >>> 32, heap.segment(), heap.place(), length);
                slab.set(Layouts.INT, at + 8, heap.slab());
                slab.set(Layouts.INT, at + 12, heap.slabOffset());
            }
            slab.set(Layouts.LONG, at, low[p]);
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
        MemorySegment[] from = values.slabs();
        int offset = field.offset();
        int kept = 0;
        int lost = droppedCount;
        for (int i = 0; i < count; i++) {
            int p = candidates[i];
            MemorySegment slab = RowPlace.slab(slabs, places[p]);
            int at = RowPlace.offset(places[p]) + offset;
            boolean equal = slab.get(Layouts.LONG, at) == low[p];
            if (equal) {
                long stored = slab.get(Layouts.LONG, at + 8);
                equal = stored == high[p]
                        || (int) low[p] > INLINE_BYTES && sameBytes(from, high[p], slabs, stored, (int) low[p]);
            }
            if (equal) {
                candidates[kept++] = p;
            } else {
                dropped[lost++] = p;
            }
        }
        return kept;
    }

    /// @param length more than 12
    private static boolean sameBytes(MemorySegment[] slabsA, long a, MemorySegment[] slabsB, long b, int length) {
        MemorySegment bytesA = slabsA[(int) a];
        MemorySegment bytesB = slabsB[(int) b];
        long fromA = a >>> 32;
        long fromB = b >>> 32;
        int last = length - 8;
        for (int i = 0; i < last; i += 8) {
            if (bytesA.get(Layouts.LONG, fromA + i) != bytesB.get(Layouts.LONG, fromB + i)) {
                return false;
            }
        }
        return bytesA.get(Layouts.LONG, fromA + last) == bytesB.get(Layouts.LONG, fromB + last);
    }

    @Override
    ColumnWriter loadValues(
            long[] places, int from, int count, int offset, MemorySegment[] slabs, Allocator allocator) {
        ColumnWriter out = new ColumnWriter(type(), count, allocator);
        for (int i = 0; i < count; i++) {
            MemorySegment slab = RowPlace.slab(slabs, places[from + i]);
            int at = RowPlace.offset(places[from + i]) + offset;
            out.values().set(Layouts.LONG, 16L * i, slab.get(Layouts.LONG, at));
            out.values().set(Layouts.LONG, 16L * i + 8, slab.get(Layouts.LONG, at + 8));
        }
        return out;
    }

    @Override
    public int compare(Column a, int rowA, Column b, int rowB) {
        StringView left = new StringView().at(a.valueColumn(), a.valueRow(rowA));
        return left.compareTo(new StringView().at(b.valueColumn(), b.valueRow(rowB)));
    }
}
