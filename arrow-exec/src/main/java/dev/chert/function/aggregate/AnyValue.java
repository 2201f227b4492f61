package dev.chert.function.aggregate;

import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.PackedColumn;
import dev.chert.batch.RowPlace;
import dev.chert.batch.RowString;
import dev.chert.error.SourcePosition;
import dev.chert.error.ValidationException;
import dev.chert.memory.Allocator;
import dev.chert.memory.Counted;
import java.lang.foreign.MemorySegment;

/// ANY_VALUE, FIRST and SINGLE_VALUE: the value of one row, as [ValueResult] draws it; bit 1 of the flags says
/// that a row was seen, whose value may be NULL.
final class AnyValue extends AggregateFunction {
    /// Which row.
    enum Pick {
        /// The first that is not NULL.
        ANY,
        /// The first.
        FIRST,
        /// The only one; a second is an error.
        SINGLE
    }

    private static final int SEEN = 2;
    private static final int HIGH = ValueResult.VALUE + 8;

    private final Pick pick;
    private final SourcePosition position;
    private final ValueResult result;

    AnyValue(DataType type, Pick pick, SourcePosition position) {
        super(type, ValueResult.stateBytes(type));
        this.pick = pick;
        this.position = position;
        this.result = new ValueResult(type);
    }

    @Override
    public boolean seesNulls() {
        return pick != Pick.ANY;
    }

    @Override
    public RowString string(int offset) {
        return result.string(offset);
    }

    @Override
    public void update(PackedColumn argument, int count, long[] places, int offset, StateMemory memory) {
        MemorySegment[] slabs = memory.slabs();
        for (int i = 0; i < count; i++) {
            MemorySegment slab = RowPlace.slab(slabs, places[i]);
            int at = RowPlace.offset(places[i]) + offset;
            if (slab.get(Layouts.INT, at) != 0) {
                if (pick == Pick.SINGLE) {
                    throw moreThanOneRow();
                }
                continue;
            }
            if (argument.isNull(i)) {
                slab.set(Layouts.INT, at, SEEN);
                continue;
            }
            slab.set(Layouts.INT, at, SEEN | ValueResult.PRESENT);
            long low = argument.low()[i];
            if (result.ofStrings()) {
                if (StringState.put(places[i], offset, low, argument.high()[i], argument.slabs(), slabs, memory)) {
                    slabs = memory.slabs();
                }
            } else {
                slab.set(Layouts.LONG, at + ValueResult.VALUE, low);
                if (stateBytes() > HIGH) {
                    slab.set(Layouts.LONG, at + HIGH, argument.wide() ? argument.high()[i] : low >> 63);
                }
            }
        }
    }

    @Override
    public void merge(long[] from, long[] into, int count, int offset, StateMemory memory) {
        MemorySegment[] slabs = memory.slabs();
        for (int i = 0; i < count; i++) {
            MemorySegment other = RowPlace.slab(slabs, from[i]);
            int otherAt = RowPlace.offset(from[i]) + offset;
            if (other.get(Layouts.INT, otherAt) == 0) {
                continue;
            }
            MemorySegment slab = RowPlace.slab(slabs, into[i]);
            int at = RowPlace.offset(into[i]) + offset;
            if (slab.get(Layouts.INT, at) != 0) {
                if (pick == Pick.SINGLE) {
                    throw moreThanOneRow();
                }
            } else if (!result.ofStrings()) {
                MemorySegment.copy(other, otherAt, slab, at, stateBytes());
            } else if (StringState.copy(from[i], into[i], offset, slabs, memory)) {
                slabs = memory.slabs();
            }
        }
    }

    private ValidationException moreThanOneRow() {
        return new ValidationException(
                "a scalar subquery returned more than one row; restrict it, or aggregate, or add LIMIT 1", position);
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
        return result.load(places, first, count, offset, slabs, allocator, stringOwners);
    }
}
