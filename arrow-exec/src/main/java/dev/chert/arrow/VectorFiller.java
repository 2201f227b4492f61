package dev.chert.arrow;

import dev.chert.batch.Batch;
import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.Layouts;
import dev.chert.batch.StringView;
import dev.chert.batch.TypeKind;
import java.lang.foreign.MemorySegment;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/// Writes a batch's selected rows into the vectors of a root, which allocate from the caller's allocator.
final class VectorFiller {
    private final ArrowBytes bytes = new ArrowBytes();
    private final StringView string = new StringView();

    /// @param batch borrowed
    void fill(Batch batch, VectorSchemaRoot root) {
        int count = batch.selectedRows();
        for (int c = 0; c < batch.columnCount(); c++) {
            fill(batch.column(c), batch.selection(), count, root.getVector(c));
        }
        root.setRowCount(count);
    }

    private void fill(Column column, int[] selection, int count, FieldVector vector) {
        switch (vector) {
            case NullVector _ -> {
                // has a length and no values
            }
            case BaseVariableWidthVector strings -> fillStrings(column, selection, count, strings);
            case BaseFixedWidthVector fixed -> fillFixed(column, selection, count, fixed);
            default -> throw new AssertionError("no vector of this kind is made: " + vector.getClass());
        }
        vector.setValueCount(count);
    }

    private void fillFixed(Column column, int[] selection, int count, BaseFixedWidthVector vector) {
        vector.allocateNew(count);
        boolean plain = selection == null && column.isFlat() && !column.hasNulls();
        int width = vector.getTypeWidth();
        ArrowBuf values = vector.getDataBuffer();
        if (plain && width > 0 && width == column.physical().byteWidth()) {
            bytes.copyOut(column.values(), 0, values, 0, (long) count * width);
            setAllValid(vector.getValidityBuffer(), count);
            return;
        }
        MemorySegment from = column.valueColumn().values();
        for (int i = 0; i < count; i++) {
            int row = selection == null ? i : selection[i];
            if (column.isNull(row)) {
                continue;
            }
            setValid(vector.getValidityBuffer(), i);
            int at = column.valueRow(row);
            switch (column.physical()) {
                case BIT -> {
                    if (Bitmap.get(from, at)) {
                        setValid(values, i);
                    }
                }
                case INT8 -> values.setByte(i, from.get(Layouts.BYTE, at));
                case INT16 -> values.setShort(2L * i, from.getAtIndex(Layouts.SHORT, at));
                case INT32 -> values.setInt(4L * i, from.getAtIndex(Layouts.INT, at));
                case INT64 -> setLong(column, values, width, i, from.getAtIndex(Layouts.LONG, at));
                case FLOAT32 -> values.setFloat(4L * i, from.getAtIndex(Layouts.FLOAT, at));
                case FLOAT64 -> values.setDouble(8L * i, from.getAtIndex(Layouts.DOUBLE, at));
                case INT128 -> {
                    values.setLong(16L * i, from.get(Layouts.LONG, 16L * at));
                    values.setLong(16L * i + 8, from.get(Layouts.LONG, 16L * at + 8));
                }
                case VIEW, LIST, MAP, STRUCT, NONE, HANDLE -> throw new AssertionError(column);
            }
        }
    }

    /// A 64-bit value: also a DECIMAL that Arrow holds in 128 bits and a TIME that it holds in 32.
    private static void setLong(Column column, ArrowBuf values, int width, int i, long value) {
        if (width == 16) {
            values.setLong(16L * i, value);
            values.setLong(16L * i + 8, value >> 63);
        } else if (width == 4) {
            assert column.type().kind() == TypeKind.TIME;
            values.setInt(4L * i, (int) value);
        } else {
            values.setLong(8L * i, value);
        }
    }

    private void fillStrings(Column column, int[] selection, int count, BaseVariableWidthVector vector) {
        Column views = column.valueColumn();
        long total = 0;
        for (int i = 0; i < count; i++) {
            int row = selection == null ? i : selection[i];
            total += column.isNull(row)
                    ? 0
                    : string.at(views, column.valueRow(row)).length();
        }
        vector.allocateNew(total, count);
        ArrowBuf offsets = vector.getOffsetBuffer();
        ArrowBuf data = vector.getDataBuffer();
        int end = 0;
        offsets.setInt(0, 0);
        for (int i = 0; i < count; i++) {
            int row = selection == null ? i : selection[i];
            if (!column.isNull(row)) {
                setValid(vector.getValidityBuffer(), i);
                string.at(views, column.valueRow(row));
                bytes.copyOut(string.segment(), string.offset(), data, end, string.length());
                end += string.length();
            }
            offsets.setInt(4L * (i + 1), end);
        }
        vector.setLastSet(count - 1);
    }

    private static void setValid(ArrowBuf bits, int i) {
        long at = i >>> 3;
        bits.setByte(at, bits.getByte(at) | 1 << (i & 7));
    }

    private static void setAllValid(ArrowBuf bits, int count) {
        int whole = count >>> 3;
        bits.setOne(0, (long) whole);
        if ((count & 7) != 0) {
            bits.setByte(whole, (1 << (count & 7)) - 1);
        }
    }
}
