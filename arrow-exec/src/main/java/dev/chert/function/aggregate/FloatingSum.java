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

/// SUM and AVG of REAL and DOUBLE. State: row count, an int64, then the sum, a double.
final class FloatingSum extends AggregateFunction {
    private static final int SUM = 8;

    private final boolean real;
    private final boolean average;
    private final boolean emptyIsZero;

    /// @param real        whether the argument is REAL
    /// @param emptyIsZero whether the sum of no values is 0, instead of NULL
    FloatingSum(boolean real, boolean average, boolean emptyIsZero) {
        super(ScalarType.DOUBLE, 16);
        this.real = real;
        this.average = average;
        this.emptyIsZero = emptyIsZero;
    }

    @Override
    public Object stateKind() {
        return FloatingSum.class;
    }

    @Override
    public void update(PackedColumn argument, int count, long[] places, int offset, StateMemory memory) {
        MemorySegment[] slabs = memory.slabs();
        long[] bits = argument.low();
        if (real) {
            for (int i = 0; i < count; i++) {
                double value = Float.intBitsToFloat((int) bits[i]);
                add(RowPlace.slab(slabs, places[i]), RowPlace.offset(places[i]) + offset, 1, value);
            }
        } else {
            for (int i = 0; i < count; i++) {
                double value = Double.longBitsToDouble(bits[i]);
                add(RowPlace.slab(slabs, places[i]), RowPlace.offset(places[i]) + offset, 1, value);
            }
        }
    }

    private static void add(MemorySegment slab, int at, long rows, double value) {
        slab.set(Layouts.LONG, at, slab.get(Layouts.LONG, at) + rows);
        slab.set(Layouts.DOUBLE, at + SUM, slab.get(Layouts.DOUBLE, at + SUM) + value);
    }

    @Override
    public void merge(long[] from, long[] into, int count, int offset, StateMemory memory) {
        MemorySegment[] slabs = memory.slabs();
        for (int i = 0; i < count; i++) {
            MemorySegment other = RowPlace.slab(slabs, from[i]);
            int otherAt = RowPlace.offset(from[i]) + offset;
            add(
                    RowPlace.slab(slabs, into[i]),
                    RowPlace.offset(into[i]) + offset,
                    other.get(Layouts.LONG, otherAt),
                    other.get(Layouts.DOUBLE, otherAt + SUM));
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
            MemorySegment slab = RowPlace.slab(slabs, places[first + i]);
            int at = RowPlace.offset(places[first + i]) + offset;
            long rows = slab.get(Layouts.LONG, at);
            double sum = slab.get(Layouts.DOUBLE, at + SUM);
            out.values().setAtIndex(Layouts.DOUBLE, i, average ? sum / rows : sum);
            if (rows == 0 && !emptyIsZero) {
                out.setNull(i);
            }
        }
        return out.seal(count);
    }
}
