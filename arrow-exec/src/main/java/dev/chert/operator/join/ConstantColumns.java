package dev.chert.operator.join;

import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.Physical;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.memory.Counted;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Makes constant columns without copying: of one row of a column, and of NULL. Not thread-safe.
///
/// A value is a slice of the column that has it. Bits cannot be sliced, so there are three small buffers for them
/// and for NULLs of any type.
final class ConstantColumns {
    private static final int WIDEST = 64;

    private final Allocator allocator;
    private Buffer zeros;
    private Buffer one;

    ConstantColumns(Allocator allocator) {
        this.allocator = allocator;
    }

    /// A column whose every row is row `row` of `from`; the caller's.
    Column ofRow(Column from, int row, int rowCount) {
        if (from.isNull(row)) {
            return nulls(from.type(), rowCount);
        }
        Column values = from.valueColumn();
        if (values.physical() == Physical.BIT) {
            Buffer bit = Bitmap.get(values.values(), from.valueRow(row)) ? one() : zeros();
            bit.retain();
            return constant(from.type(), Physical.BIT, bit.segment(), null, null, rowCount, bit);
        }
        int width = values.physical().byteWidth();
        values.retain();
        MemorySegment slice = values.values().asSlice((long) from.valueRow(row) * width, width);
        return constant(from.type(), values.physical(), slice, null, from.slabs(), rowCount, values);
    }

    /// A column of NULLs; the caller's.
    Column nulls(DataType type, int rowCount) {
        if (type.physical() == Physical.NONE) {
            return Column.flat(type, Physical.NONE, rowCount, null, null, null, null);
        }
        Buffer bytes = zeros();
        bytes.retain();
        return constant(type, type.physical(), bytes.segment(), bytes.segment(), new MemorySegment[0], rowCount, bytes);
    }

    /// Constant columns of all columns of one row; the caller's.
    List<Column> ofRow(List<Column> columns, int row, int rowCount) {
        List<Column> constants = new ArrayList<>();
        columns.forEach(column -> constants.add(ofRow(column, row, rowCount)));
        return constants;
    }

    /// Constant columns of NULLs; the caller's.
    List<Column> nulls(List<DataType> types, int rowCount) {
        List<Column> constants = new ArrayList<>();
        types.forEach(type -> constants.add(nulls(type, rowCount)));
        return constants;
    }

    void close() {
        if (zeros != null) {
            zeros.release();
            zeros = null;
        }
        if (one != null) {
            one.release();
            one = null;
        }
    }

    private static Column constant(
            DataType type,
            Physical physical,
            MemorySegment value,
            MemorySegment validity,
            MemorySegment[] slabs,
            int rowCount,
            Counted owner) {
        return Column.constant(Column.flat(type, physical, 1, value, validity, null, slabs, owner), rowCount);
    }

    private Buffer zeros() {
        if (zeros == null) {
            zeros = allocator.allocateZeroed(WIDEST);
        }
        return zeros;
    }

    private Buffer one() {
        if (one == null) {
            one = allocator.allocateZeroed(WIDEST);
            Bitmap.set(one.segment(), 0);
        }
        return one;
    }
}
