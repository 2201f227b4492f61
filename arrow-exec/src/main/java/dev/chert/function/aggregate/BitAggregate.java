package dev.chert.function.aggregate;

import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.PackedColumn;
import dev.chert.batch.RowPlace;
import dev.chert.memory.Allocator;
import dev.chert.memory.Counted;
import java.lang.foreign.MemorySegment;

/// BIT_AND, BIT_OR and BIT_XOR of integers. State: 1 once there is a value, then the value, each an int64.
final class BitAggregate extends AggregateFunction {
    enum Operation {
        AND,
        OR,
        XOR
    }

    private final Operation operation;
    private final ValueResult result;

    BitAggregate(DataType type, Operation operation) {
        super(type, 16);
        this.operation = operation;
        this.result = new ValueResult(type);
    }

    @Override
    public void update(PackedColumn argument, int count, long[] places, int offset, StateMemory memory) {
        MemorySegment[] slabs = memory.slabs();
        long[] values = argument.low();
        for (int i = 0; i < count; i++) {
            take(RowPlace.slab(slabs, places[i]), RowPlace.offset(places[i]) + offset, values[i]);
        }
    }

    private void take(MemorySegment slab, int at, long value) {
        long before = slab.get(Layouts.LONG, at + ValueResult.VALUE);
        boolean first = slab.get(Layouts.LONG, at) == 0;
        slab.set(Layouts.LONG, at, ValueResult.PRESENT);
        slab.set(
                Layouts.LONG,
                at + ValueResult.VALUE,
                first
                        ? value
                        : switch (operation) {
                            case AND -> before & value;
                            case OR -> before | value;
                            case XOR -> before ^ value;
                        });
    }

    @Override
    public void merge(long[] from, long[] into, int count, int offset, StateMemory memory) {
        MemorySegment[] slabs = memory.slabs();
        for (int i = 0; i < count; i++) {
            MemorySegment other = RowPlace.slab(slabs, from[i]);
            int otherAt = RowPlace.offset(from[i]) + offset;
            if (other.get(Layouts.LONG, otherAt) != 0) {
                take(
                        RowPlace.slab(slabs, into[i]),
                        RowPlace.offset(into[i]) + offset,
                        other.get(Layouts.LONG, otherAt + ValueResult.VALUE));
            }
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
        return result.load(places, first, count, offset, slabs, allocator);
    }
}
