package dev.chert.batch;

import dev.chert.memory.Allocator;
import java.lang.foreign.MemorySegment;

/// Types whose values fit 64 bits; a BOOLEAN takes a byte of a row.
final class NumberOps extends TypeOps {
    NumberOps(DataType type) {
        super(type, type.physical() == Physical.BIT ? 1 : type.physical().byteWidth());
    }

    @Override
    long[] bits(PackedColumn values) {
        return switch (type().kind()) {
            case REAL -> {
                long[] bits = values.scratch();
                HashLoops.realBits(values, bits);
                yield bits;
            }
            case DOUBLE -> {
                long[] bits = values.scratch();
                HashLoops.doubleBits(values, bits);
                yield bits;
            }
            default -> values.low();
        };
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
        int offset = field.offset();
        switch (rowBytes()) {
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    int p = positions[i];
                    long place = places[p];
                    RowPlace.slab(slabs, place).set(Layouts.BYTE, RowPlace.offset(place) + offset, (byte) low[p]);
                }
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    int p = positions[i];
                    long place = places[p];
                    RowPlace.slab(slabs, place).set(Layouts.SHORT, RowPlace.offset(place) + offset, (short) low[p]);
                }
            }
            case 4 -> {
                for (int i = 0; i < count; i++) {
                    int p = positions[i];
                    long place = places[p];
                    RowPlace.slab(slabs, place).set(Layouts.INT, RowPlace.offset(place) + offset, (int) low[p]);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    int p = positions[i];
                    long place = places[p];
                    RowPlace.slab(slabs, place).set(Layouts.LONG, RowPlace.offset(place) + offset, low[p]);
                }
            }
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
        int offset = field.offset();
        long[] low = values.low();
        return switch (type().kind()) {
            case REAL -> matchReals(low, candidates, count, offset, places, slabs, dropped, droppedCount);
            case DOUBLE -> matchDoubles(low, candidates, count, offset, places, slabs, dropped, droppedCount);
            default ->
                switch (rowBytes()) {
                    case 1 -> matchBytes(low, candidates, count, offset, places, slabs, dropped, droppedCount);
                    case 2 -> matchShorts(low, candidates, count, offset, places, slabs, dropped, droppedCount);
                    case 4 -> matchInts(low, candidates, count, offset, places, slabs, dropped, droppedCount);
                    default -> matchLongs(low, candidates, count, offset, places, slabs, dropped, droppedCount);
                };
        };
    }

    private static int matchBytes(
            long[] low,
            int[] candidates,
            int count,
            int offset,
            long[] places,
            MemorySegment[] slabs,
            int[] dropped,
            int droppedCount) {
        int kept = 0;
        int lost = droppedCount;
        for (int i = 0; i < count; i++) {
            int p = candidates[i];
            long place = places[p];
            if (RowPlace.slab(slabs, place).get(Layouts.BYTE, RowPlace.offset(place) + offset) == low[p]) {
                candidates[kept++] = p;
            } else {
                dropped[lost++] = p;
            }
        }
        return kept;
    }

    private static int matchShorts(
            long[] low,
            int[] candidates,
            int count,
            int offset,
            long[] places,
            MemorySegment[] slabs,
            int[] dropped,
            int droppedCount) {
        int kept = 0;
        int lost = droppedCount;
        for (int i = 0; i < count; i++) {
            int p = candidates[i];
            long place = places[p];
            if (RowPlace.slab(slabs, place).get(Layouts.SHORT, RowPlace.offset(place) + offset) == low[p]) {
                candidates[kept++] = p;
            } else {
                dropped[lost++] = p;
            }
        }
        return kept;
    }

    private static int matchInts(
            long[] low,
            int[] candidates,
            int count,
            int offset,
            long[] places,
            MemorySegment[] slabs,
            int[] dropped,
            int droppedCount) {
        int kept = 0;
        int lost = droppedCount;
        for (int i = 0; i < count; i++) {
            int p = candidates[i];
            long place = places[p];
            if (RowPlace.slab(slabs, place).get(Layouts.INT, RowPlace.offset(place) + offset) == low[p]) {
                candidates[kept++] = p;
            } else {
                dropped[lost++] = p;
            }
        }
        return kept;
    }

    private static int matchLongs(
            long[] low,
            int[] candidates,
            int count,
            int offset,
            long[] places,
            MemorySegment[] slabs,
            int[] dropped,
            int droppedCount) {
        int kept = 0;
        int lost = droppedCount;
        for (int i = 0; i < count; i++) {
            int p = candidates[i];
            long place = places[p];
            if (RowPlace.slab(slabs, place).get(Layouts.LONG, RowPlace.offset(place) + offset) == low[p]) {
                candidates[kept++] = p;
            } else {
                dropped[lost++] = p;
            }
        }
        return kept;
    }

    private static int matchReals(
            long[] low,
            int[] candidates,
            int count,
            int offset,
            long[] places,
            MemorySegment[] slabs,
            int[] dropped,
            int droppedCount) {
        int kept = 0;
        int lost = droppedCount;
        for (int i = 0; i < count; i++) {
            int p = candidates[i];
            long place = places[p];
            float stored = RowPlace.slab(slabs, place).get(Layouts.FLOAT, RowPlace.offset(place) + offset);
            float value = Float.intBitsToFloat((int) low[p]);
            if (stored == value || stored != stored && value != value) {
                candidates[kept++] = p;
            } else {
                dropped[lost++] = p;
            }
        }
        return kept;
    }

    private static int matchDoubles(
            long[] low,
            int[] candidates,
            int count,
            int offset,
            long[] places,
            MemorySegment[] slabs,
            int[] dropped,
            int droppedCount) {
        int kept = 0;
        int lost = droppedCount;
        for (int i = 0; i < count; i++) {
            int p = candidates[i];
            long place = places[p];
            double stored = RowPlace.slab(slabs, place).get(Layouts.DOUBLE, RowPlace.offset(place) + offset);
            double value = Double.longBitsToDouble(low[p]);
            if (stored == value || stored != stored && value != value) {
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
        ColumnWriter out = new ColumnWriter(type(), count, allocator);
        if (count == 0) {
            return out;
        }
        MemorySegment values = out.values();
        switch (rowBytes()) {
            case 1 -> {
                if (out.physical() == Physical.BIT) {
                    loadBits(places, from, count, offset, slabs, values);
                    break;
                }
                for (int i = 0; i < count; i++) {
                    long place = places[from + i];
                    byte value = RowPlace.slab(slabs, place).get(Layouts.BYTE, RowPlace.offset(place) + offset);
                    values.set(Layouts.BYTE, i, value);
                }
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    long place = places[from + i];
                    short value = RowPlace.slab(slabs, place).get(Layouts.SHORT, RowPlace.offset(place) + offset);
                    values.setAtIndex(Layouts.SHORT, i, value);
                }
            }
            case 4 -> {
                for (int i = 0; i < count; i++) {
                    long place = places[from + i];
                    int value = RowPlace.slab(slabs, place).get(Layouts.INT, RowPlace.offset(place) + offset);
                    values.setAtIndex(Layouts.INT, i, value);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    long place = places[from + i];
                    long value = RowPlace.slab(slabs, place).get(Layouts.LONG, RowPlace.offset(place) + offset);
                    values.setAtIndex(Layouts.LONG, i, value);
                }
            }
        }
        return out;
    }

    private static void loadBits(
            long[] places, int from, int count, int offset, MemorySegment[] slabs, MemorySegment bits) {
        for (int first = 0; first < count; first += 8) {
            int eight = 0;
            int end = Math.min(8, count - first);
            for (int i = 0; i < end; i++) {
                long place = places[from + first + i];
                eight |= RowPlace.slab(slabs, place).get(Layouts.BYTE, RowPlace.offset(place) + offset) << i;
            }
            bits.set(Layouts.BYTE, first >>> 3, (byte) eight);
        }
    }

    @Override
    public int compare(Column a, int rowA, Column b, int rowB) {
        return switch (type().kind()) {
            case REAL ->
                Float.compare(
                        a.valueColumn().values().getAtIndex(Layouts.FLOAT, a.valueRow(rowA)) + 0.0f,
                        b.valueColumn().values().getAtIndex(Layouts.FLOAT, b.valueRow(rowB)) + 0.0f);
            case DOUBLE ->
                Double.compare(
                        a.valueColumn().values().getAtIndex(Layouts.DOUBLE, a.valueRow(rowA)) + 0.0,
                        b.valueColumn().values().getAtIndex(Layouts.DOUBLE, b.valueRow(rowB)) + 0.0);
            default -> Long.compare(value(a, rowA), value(b, rowB));
        };
    }

    private static long value(Column column, int row) {
        MemorySegment values = column.valueColumn().values();
        int at = column.valueRow(row);
        return switch (column.physical()) {
            case BIT -> Bitmap.get(values, at) ? 1 : 0;
            case INT8 -> values.get(Layouts.BYTE, at);
            case INT16 -> values.getAtIndex(Layouts.SHORT, at);
            case INT32 -> values.getAtIndex(Layouts.INT, at);
            case INT64 -> values.getAtIndex(Layouts.LONG, at);
            case INT128 -> values.get(Layouts.LONG, 16L * at); // a DECIMAL of at most 18 digits
            case FLOAT32, FLOAT64, VIEW, LIST, MAP, STRUCT, NONE, HANDLE -> throw new AssertionError(column);
        };
    }
}
