package dev.chert.function.aggregate;

import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.PackedColumn;
import dev.chert.batch.RowPlace;
import dev.chert.batch.ScalarType;
import dev.chert.memory.Allocator;
import dev.chert.memory.Counted;
import java.lang.foreign.MemorySegment;

/// Variances and standard deviations of any numbers, as DOUBLE.
///
/// ```text
/// 0           8      16                                  24
/// | row count | mean | sum of squares of the differences |
/// ```
///
/// Source: B. P. Welford, "Note on a Method for Calculating Corrected Sums of Squares and Products" (1962);
/// merging after Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing Sample
/// Variances" (1979).
final class Variance extends AggregateFunction {
    private static final int MEAN = 8;
    private static final int SQUARES = 16;

    private final DataType argumentType;
    private final boolean sample;
    private final boolean root;

    /// @param sample divides by one less than the rows
    /// @param root   gives the standard deviation
    Variance(DataType argumentType, boolean sample, boolean root) {
        super(ScalarType.DOUBLE, 24);
        this.argumentType = argumentType;
        this.sample = sample;
        this.root = root;
    }

    @Override
    public Object stateKind() {
        return Variance.class;
    }

    @Override
    public void update(PackedColumn argument, int count, long[] places, int offset, StateMemory memory) {
        MemorySegment[] slabs = memory.slabs();
        double[] values = doubles(argument, count);
        for (int i = 0; i < count; i++) {
            MemorySegment slab = RowPlace.slab(slabs, places[i]);
            int at = RowPlace.offset(places[i]) + offset;
            long rows = slab.get(Layouts.LONG, at) + 1;
            double mean = slab.get(Layouts.DOUBLE, at + MEAN);
            double difference = values[i] - mean;
            double newMean = mean + difference / rows;
            slab.set(Layouts.LONG, at, rows);
            slab.set(Layouts.DOUBLE, at + MEAN, newMean);
            double squares = slab.get(Layouts.DOUBLE, at + SQUARES);
            slab.set(Layouts.DOUBLE, at + SQUARES, squares + difference * (values[i] - newMean));
        }
    }

    private double[] doubles(PackedColumn argument, int count) {
        double[] values = new double[count];
        long[] low = argument.low();
        switch (argumentType.kind()) {
            case DOUBLE -> {
                for (int i = 0; i < count; i++) {
                    values[i] = Double.longBitsToDouble(low[i]);
                }
            }
            case REAL -> {
                for (int i = 0; i < count; i++) {
                    values[i] = Float.intBitsToFloat((int) low[i]);
                }
            }
            default -> {
                double unit = argumentType instanceof ScalarType scalar ? Math.pow(10, scalar.scale()) : 1;
                long[] high = argument.high();
                for (int i = 0; i < count; i++) {
                    double value = low[i];
                    if (argument.wide() && high[i] != low[i] >> 63) {
                        value = high[i] * 0x1p64 + (low[i] >= 0 ? value : value + 0x1p64);
                    }
                    values[i] = value / unit;
                }
            }
        }
        return values;
    }

    @Override
    public void merge(long[] from, long[] into, int count, int offset, StateMemory memory) {
        MemorySegment[] slabs = memory.slabs();
        for (int i = 0; i < count; i++) {
            MemorySegment other = RowPlace.slab(slabs, from[i]);
            int otherAt = RowPlace.offset(from[i]) + offset;
            MemorySegment slab = RowPlace.slab(slabs, into[i]);
            int at = RowPlace.offset(into[i]) + offset;
            long otherRows = other.get(Layouts.LONG, otherAt);
            if (otherRows == 0) {
                continue;
            }
            long rows = slab.get(Layouts.LONG, at);
            if (rows == 0) { // the formula below would make NaN of large values
                MemorySegment.copy(other, otherAt, slab, at, stateBytes());
                continue;
            }
            double mean = slab.get(Layouts.DOUBLE, at + MEAN);
            double difference = other.get(Layouts.DOUBLE, otherAt + MEAN) - mean;
            double all = (double) rows + otherRows;
            slab.set(Layouts.LONG, at, rows + otherRows);
            slab.set(Layouts.DOUBLE, at + MEAN, mean + difference * otherRows / all);
            slab.set(
                    Layouts.DOUBLE,
                    at + SQUARES,
                    slab.get(Layouts.DOUBLE, at + SQUARES)
                            + other.get(Layouts.DOUBLE, otherAt + SQUARES)
                            + difference * difference * rows * otherRows / all);
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
            long divisor = slab.get(Layouts.LONG, at) - (sample ? 1 : 0);
            double variance = slab.get(Layouts.DOUBLE, at + SQUARES) / divisor;
            out.values().setAtIndex(Layouts.DOUBLE, i, root ? Math.sqrt(variance) : variance);
            if (divisor <= 0) {
                out.setNull(i);
            }
        }
        return out.seal(count);
    }
}
