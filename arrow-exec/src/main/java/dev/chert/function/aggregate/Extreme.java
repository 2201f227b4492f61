package dev.chert.function.aggregate;

import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.PackedColumn;
import dev.chert.batch.RowPlace;
import dev.chert.batch.RowString;
import dev.chert.memory.Allocator;
import dev.chert.memory.Counted;
import java.lang.foreign.MemorySegment;

/// MIN and MAX: the state is the value so far, as [ValueResult] draws it. Of BOOLEANs they are BOOL_AND and
/// BOOL_OR.
///
/// NaN is above all other numbers.
final class Extreme extends AggregateFunction {
    private static final int HIGH = ValueResult.VALUE + 8;

    /// How values are ordered.
    private enum Order {
        WHOLE,
        REAL,
        DOUBLE,
        DECIMAL,
        UUID,
        STRING
    }

    private final Order order;
    private final boolean max;
    private final ValueResult result;

    Extreme(DataType type, boolean max) {
        super(type, ValueResult.stateBytes(type));
        this.max = max;
        this.result = new ValueResult(type);
        this.order = switch (type.kind()) {
            case REAL -> Order.REAL;
            case DOUBLE -> Order.DOUBLE;
            case DECIMAL -> stateBytes() == 16 ? Order.WHOLE : Order.DECIMAL;
            case UUID -> Order.UUID;
            case CHAR, VARCHAR, VARBINARY -> Order.STRING;
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_LTZ,
                    INTERVAL_YEAR_MONTH,
                    INTERVAL_DAY_TIME,
                    NULL,
                    ARRAY,
                    MAP,
                    ROW,
                    OPAQUE -> Order.WHOLE;
        };
    }

    @Override
    public Object stateKind() {
        return max ? "max" : "min";
    }

    @Override
    public RowString string(int offset) {
        return result.string(offset);
    }

    @Override
    public void update(PackedColumn argument, int count, long[] places, int offset, StateMemory memory) {
        switch (order) {
            case WHOLE -> updateWhole(argument.low(), count, places, offset, memory.slabs());
            case REAL -> updateReals(argument.low(), count, places, offset, memory.slabs());
            case DOUBLE -> updateDoubles(argument.low(), count, places, offset, memory.slabs());
            case DECIMAL, UUID -> updateWide(argument, count, places, offset, memory.slabs());
            case STRING -> updateStrings(argument, count, places, offset, memory);
        }
    }

    private void updateWhole(long[] values, int count, long[] places, int offset, MemorySegment[] slabs) {
        boolean wantMax = max;
        for (int i = 0; i < count; i++) {
            MemorySegment slab = RowPlace.slab(slabs, places[i]);
            int at = RowPlace.offset(places[i]) + offset;
            long before = slab.get(Layouts.LONG, at + ValueResult.VALUE);
            boolean better = wantMax ? values[i] > before : values[i] < before;
            if (better || slab.get(Layouts.INT, at) == 0) {
                slab.set(Layouts.INT, at, ValueResult.PRESENT);
                slab.set(Layouts.LONG, at + ValueResult.VALUE, values[i]);
            }
        }
    }

    private void updateReals(long[] bits, int count, long[] places, int offset, MemorySegment[] slabs) {
        for (int i = 0; i < count; i++) {
            MemorySegment slab = RowPlace.slab(slabs, places[i]);
            int at = RowPlace.offset(places[i]) + offset;
            float before = slab.get(Layouts.FLOAT, at + ValueResult.VALUE);
            int comparison = Float.compare(Float.intBitsToFloat((int) bits[i]) + 0.0f, before + 0.0f);
            if ((max ? comparison > 0 : comparison < 0) || slab.get(Layouts.INT, at) == 0) {
                slab.set(Layouts.INT, at, ValueResult.PRESENT);
                slab.set(Layouts.LONG, at + ValueResult.VALUE, bits[i]);
            }
        }
    }

    private void updateDoubles(long[] bits, int count, long[] places, int offset, MemorySegment[] slabs) {
        for (int i = 0; i < count; i++) {
            MemorySegment slab = RowPlace.slab(slabs, places[i]);
            int at = RowPlace.offset(places[i]) + offset;
            double before = slab.get(Layouts.DOUBLE, at + ValueResult.VALUE);
            int comparison = Double.compare(Double.longBitsToDouble(bits[i]) + 0.0, before + 0.0);
            if ((max ? comparison > 0 : comparison < 0) || slab.get(Layouts.INT, at) == 0) {
                slab.set(Layouts.INT, at, ValueResult.PRESENT);
                slab.set(Layouts.LONG, at + ValueResult.VALUE, bits[i]);
            }
        }
    }

    private void updateWide(PackedColumn argument, int count, long[] places, int offset, MemorySegment[] slabs) {
        long[] low = argument.low();
        long[] high = argument.high();
        boolean wide = argument.wide();
        for (int i = 0; i < count; i++) {
            MemorySegment slab = RowPlace.slab(slabs, places[i]);
            int at = RowPlace.offset(places[i]) + offset;
            takeWide(slab, at, low[i], wide ? high[i] : low[i] >> 63);
        }
    }

    private void takeWide(MemorySegment slab, int at, long low, long high) {
        if (slab.get(Layouts.INT, at) != 0) {
            int comparison = compareWide(
                    low, high, slab.get(Layouts.LONG, at + ValueResult.VALUE), slab.get(Layouts.LONG, at + HIGH));
            if (max ? comparison <= 0 : comparison >= 0) {
                return;
            }
        }
        slab.set(Layouts.INT, at, ValueResult.PRESENT);
        slab.set(Layouts.LONG, at + ValueResult.VALUE, low);
        slab.set(Layouts.LONG, at + HIGH, high);
    }

    private int compareWide(long lowA, long highA, long lowB, long highB) {
        if (order == Order.UUID) { // bytes in text order, so big-endian
            int upper = Long.compareUnsigned(Long.reverseBytes(lowA), Long.reverseBytes(lowB));
            return upper != 0 ? upper : Long.compareUnsigned(Long.reverseBytes(highA), Long.reverseBytes(highB));
        }
        return highA != highB ? Long.compare(highA, highB) : Long.compareUnsigned(lowA, lowB);
    }

    private void updateStrings(PackedColumn argument, int count, long[] places, int offset, StateMemory memory) {
        long[] low = argument.low();
        long[] high = argument.high();
        MemorySegment[] from = argument.slabs();
        MemorySegment[] slabs = memory.slabs();
        for (int i = 0; i < count; i++) {
            MemorySegment slab = RowPlace.slab(slabs, places[i]);
            int at = RowPlace.offset(places[i]) + offset;
            if (!isBetterString(low[i], high[i], from, slab, at, slabs)) {
                continue;
            }
            slab.set(Layouts.INT, at, ValueResult.PRESENT);
            if (StringState.put(places[i], offset, low[i], high[i], from, slabs, memory)) {
                slabs = memory.slabs();
            }
        }
    }

    private boolean isBetterString(
            long low, long high, MemorySegment[] from, MemorySegment slab, int at, MemorySegment[] slabs) {
        if (slab.get(Layouts.INT, at) == 0) {
            return true;
        }
        int comparison = StringState.compare(
                low,
                high,
                from,
                slab.get(Layouts.LONG, at + ValueResult.VALUE),
                slab.get(Layouts.LONG, at + HIGH),
                slabs);
        return max ? comparison > 0 : comparison < 0;
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
            if (slab.get(Layouts.INT, at) != 0 && !isBetter(other, otherAt, slab, at, slabs)) {
                continue;
            }
            if (order != Order.STRING) {
                MemorySegment.copy(other, otherAt, slab, at, stateBytes());
                continue;
            }
            if (StringState.copy(from[i], into[i], offset, slabs, memory)) {
                slabs = memory.slabs();
            }
        }
    }

    private boolean isBetter(MemorySegment a, int atA, MemorySegment b, int atB, MemorySegment[] slabs) {
        long low = a.get(Layouts.LONG, atA + ValueResult.VALUE);
        long other = b.get(Layouts.LONG, atB + ValueResult.VALUE);
        int comparison = switch (order) {
            case WHOLE -> Long.compare(low, other);
            case REAL ->
                Float.compare(Float.intBitsToFloat((int) low) + 0.0f, Float.intBitsToFloat((int) other) + 0.0f);
            case DOUBLE -> Double.compare(Double.longBitsToDouble(low) + 0.0, Double.longBitsToDouble(other) + 0.0);
            case DECIMAL, UUID ->
                compareWide(low, a.get(Layouts.LONG, atA + HIGH), other, b.get(Layouts.LONG, atB + HIGH));
            case STRING ->
                StringState.compare(
                        low, a.get(Layouts.LONG, atA + HIGH), slabs, other, b.get(Layouts.LONG, atB + HIGH), slabs);
        };
        return max ? comparison > 0 : comparison < 0;
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
