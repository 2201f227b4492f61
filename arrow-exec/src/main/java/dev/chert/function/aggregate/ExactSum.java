package dev.chert.function.aggregate;

import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.PackedColumn;
import dev.chert.batch.Physical;
import dev.chert.batch.RowPlace;
import dev.chert.error.SourcePosition;
import dev.chert.error.ValidationException;
import dev.chert.kernel.Int128;
import dev.chert.memory.Allocator;
import dev.chert.memory.Counted;
import java.lang.foreign.MemorySegment;

/// SUM and AVG of integers and decimals over one state, in 128 bits.
///
/// ```text
/// 0           8            16           24
/// | row count | lower half | upper half |
/// ```
///
/// So whether a sum of BIGINTs overflows is asked once, of the result, and does not depend on the order of the
/// rows.
final class ExactSum extends AggregateFunction {
    /// What is made of sum and count.
    enum Result {
        /// BIGINT, checked.
        INTEGER_SUM,
        /// DECIMAL(38, s), checked.
        DECIMAL_SUM,
        /// DOUBLE.
        INTEGER_AVERAGE,
        /// DECIMAL(38, max(s, 6)), half up.
        DECIMAL_AVERAGE
    }

    /// In the row count: the sum has left 128 bits behind, so the result is NULL.
    private static final long OVERFLOWED = 1L << 62;

    private static final int LOW = 8;
    private static final int HIGH = 16;
    private static final double TWO_TO_64 = 0x1p64;

    private final Result result;
    private final long averageFactor;
    private final boolean emptyIsZero;
    private final boolean overflowIsNull;
    private final SourcePosition position;

    /// @param averageFactor  what the sum of an average of decimals is scaled by; 1 otherwise
    /// @param emptyIsZero    whether the sum of no values is 0, instead of NULL
    /// @param overflowIsNull whether a sum that its type cannot hold is NULL, instead of an error
    ExactSum(
            DataType resultType,
            Result result,
            long averageFactor,
            boolean emptyIsZero,
            boolean overflowIsNull,
            SourcePosition position) {
        super(resultType, 24);
        this.result = result;
        this.averageFactor = averageFactor;
        this.emptyIsZero = emptyIsZero;
        this.overflowIsNull = overflowIsNull;
        this.position = position;
    }

    @Override
    public Object stateKind() {
        return ExactSum.class;
    }

    @Override
    public void update(PackedColumn argument, int count, long[] places, int offset, StateMemory memory) {
        if (argument.wide()) {
            updateWide(argument.low(), argument.high(), count, places, offset, memory.slabs());
        } else {
            updateNarrow(argument.low(), count, places, offset, memory.slabs());
        }
    }

    private static void updateNarrow(long[] values, int count, long[] places, int offset, MemorySegment[] slabs) {
        for (int i = 0; i < count; i++) {
            MemorySegment slab = RowPlace.slab(slabs, places[i]);
            int at = RowPlace.offset(places[i]) + offset;
            slab.set(Layouts.LONG, at, slab.get(Layouts.LONG, at) + 1);
            long value = values[i];
            long sum = slab.get(Layouts.LONG, at + LOW) + value;
            slab.set(Layouts.LONG, at + LOW, sum);
            long carry = (value >> 63) + (Long.compareUnsigned(sum, value) < 0 ? 1 : 0);
            if (carry != 0) {
                slab.set(Layouts.LONG, at + HIGH, slab.get(Layouts.LONG, at + HIGH) + carry);
            }
        }
    }

    private void updateWide(long[] low, long[] high, int count, long[] places, int offset, MemorySegment[] slabs) {
        for (int i = 0; i < count; i++) {
            MemorySegment slab = RowPlace.slab(slabs, places[i]);
            int at = RowPlace.offset(places[i]) + offset;
            add(slab, at, 1, low[i], high[i]);
        }
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
                    other.get(Layouts.LONG, otherAt + LOW),
                    other.get(Layouts.LONG, otherAt + HIGH));
        }
    }

    private void add(MemorySegment slab, int at, long rows, long low, long high) {
        long rowsBefore = slab.get(Layouts.LONG, at);
        long overflowed = (rowsBefore | rows) & OVERFLOWED;
        slab.set(Layouts.LONG, at, (rowsBefore & ~OVERFLOWED) + (rows & ~OVERFLOWED) | overflowed);
        long sumLow = slab.get(Layouts.LONG, at + LOW) + low;
        long before = slab.get(Layouts.LONG, at + HIGH);
        long carry = Long.compareUnsigned(sumLow, low) < 0 ? 1 : 0;
        long sumHigh = before + high + carry;
        if (((before ^ sumHigh) & (high ^ sumHigh)) < 0) {
            if (!overflowIsNull) {
                throw overflow(); // two values of 38 digits may be too much for 128 bits
            }
            slab.set(Layouts.LONG, at, slab.get(Layouts.LONG, at) | OVERFLOWED);
        }
        slab.set(Layouts.LONG, at + LOW, sumLow);
        slab.set(Layouts.LONG, at + HIGH, sumHigh);
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
        return switch (result) {
            case INTEGER_SUM -> finishIntegers(places, first, count, offset, slabs, allocator);
            case INTEGER_AVERAGE -> finishDoubles(places, first, count, offset, slabs, allocator);
            case DECIMAL_SUM, DECIMAL_AVERAGE -> finishDecimals(places, first, count, offset, slabs, allocator);
        };
    }

    private Column finishIntegers(
            long[] places, int first, int count, int offset, MemorySegment[] slabs, Allocator allocator) {
        ColumnWriter out = new ColumnWriter(resultType(), count, allocator);
        for (int i = 0; i < count; i++) {
            MemorySegment slab = RowPlace.slab(slabs, places[first + i]);
            int at = RowPlace.offset(places[first + i]) + offset;
            long low = slab.get(Layouts.LONG, at + LOW);
            boolean fits = slab.get(Layouts.LONG, at + HIGH) == low >> 63;
            if (!fits && !overflowIsNull) {
                throw overflow();
            }
            out.values().setAtIndex(Layouts.LONG, i, low);
            if (!fits || slab.get(Layouts.LONG, at) == 0 && !emptyIsZero) {
                out.setNull(i);
            }
        }
        return out.seal(count);
    }

    private Column finishDoubles(
            long[] places, int first, int count, int offset, MemorySegment[] slabs, Allocator allocator) {
        ColumnWriter out = new ColumnWriter(resultType(), count, allocator);
        for (int i = 0; i < count; i++) {
            MemorySegment slab = RowPlace.slab(slabs, places[first + i]);
            int at = RowPlace.offset(places[first + i]) + offset;
            long rows = slab.get(Layouts.LONG, at);
            long low = slab.get(Layouts.LONG, at + LOW);
            long high = slab.get(Layouts.LONG, at + HIGH);
            double sum = high == low >> 63 ? low : high * TWO_TO_64 + unsigned(low);
            out.values().setAtIndex(Layouts.DOUBLE, i, sum / rows);
            if (rows == 0) {
                out.setNull(i);
            }
        }
        return out.seal(count);
    }

    private static double unsigned(long bits) {
        return bits >= 0 ? bits : bits + TWO_TO_64;
    }

    private Column finishDecimals(
            long[] places, int first, int count, int offset, MemorySegment[] slabs, Allocator allocator) {
        long[] low = new long[count];
        long[] high = new long[count];
        boolean[] nulls = new boolean[count];
        boolean allFit64 = true;
        Int128 number = new Int128();
        for (int i = 0; i < count; i++) {
            MemorySegment slab = RowPlace.slab(slabs, places[first + i]);
            int at = RowPlace.offset(places[first + i]) + offset;
            long rows = slab.get(Layouts.LONG, at);
            low[i] = slab.get(Layouts.LONG, at + LOW);
            high[i] = slab.get(Layouts.LONG, at + HIGH);
            boolean overflowed = rows >= OVERFLOWED;
            if (rows != 0 && !overflowed && result == Result.DECIMAL_AVERAGE) {
                divide(low, high, i, rows, number);
            }
            overflowed |= !number.set(high[i], low[i]).fitsDigits(Int128.MAX_DIGITS);
            if (overflowed && !overflowIsNull) {
                throw overflow();
            }
            low[i] = overflowed ? 0 : low[i];
            high[i] = overflowed ? 0 : high[i];
            nulls[i] = overflowed || rows == 0 && !emptyIsZero;
            allFit64 &= high[i] == low[i] >> 63;
        }
        ColumnWriter out =
                new ColumnWriter(resultType(), allFit64 ? Physical.INT64 : Physical.INT128, count, allocator);
        for (int i = 0; i < count; i++) {
            if (allFit64) {
                out.values().setAtIndex(Layouts.LONG, i, low[i]);
            } else {
                out.values().setAtIndex(Layouts.LONG, 2L * i, low[i]);
                out.values().setAtIndex(Layouts.LONG, 2L * i + 1, high[i]);
            }
            if (nulls[i]) {
                out.setNull(i);
            }
        }
        return out.seal(count);
    }

    /// Replaces sum `i` by the average, half up (away from zero).
    private void divide(long[] low, long[] high, int i, long rows, Int128 number) {
        long scaled = low[i] * averageFactor;
        if (high[i] == low[i] >> 63 && Math.multiplyHigh(low[i], averageFactor) == scaled >> 63) {
            long quotient = scaled / rows;
            long rest = Math.abs(scaled % rows);
            quotient += rest >= rows - rest ? Long.signum(scaled) : 0;
            low[i] = quotient;
            high[i] = quotient >> 63;
            return;
        }
        try {
            Int128.multiplyDivideHalfUp(number.set(high[i], low[i]), averageFactor, rows, number);
            low[i] = number.low();
            high[i] = number.high();
        } catch (ArithmeticException e) {
            low[i] = 0;
            high[i] = Long.MAX_VALUE; // more than any 38 digits
        }
    }

    private ValidationException overflow() {
        String message = switch (result) {
            case INTEGER_SUM -> "SUM overflowed BIGINT; cast the argument to DECIMAL(38, 0)";
            case DECIMAL_SUM -> "SUM overflowed " + resultType() + "; cast the argument to DOUBLE";
            case INTEGER_AVERAGE, DECIMAL_AVERAGE -> "AVG overflowed " + resultType() + "; cast the argument to DOUBLE";
        };
        return new ValidationException(message, position);
    }
}
