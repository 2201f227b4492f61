package dev.chert.kernel;

import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Takes rows of a column into a new column.
///
/// Long strings stay where they are: the new column keeps the old one alive. Only scalar columns yet.
public final class ColumnGather {
    private ColumnGather() {}

    /// Makes a column whose row `i` is row `rows[i]` of `from`; a negative row number gives NULL.
    ///
    /// A constant stays a constant and a dictionary column a dictionary column where no row number is negative.
    ///
    /// @param from borrowed
    /// @return     the caller's
    public static Column take(Column from, int[] rows, int count, Allocator allocator) {
        boolean absent = hasNegative(rows, count);
        if (from.physical() == Physical.NONE) {
            return Column.flat(from.type(), Physical.NONE, count, null, null, null, null);
        }
        if (!absent && from.isConstant()) {
            return constantOf(from, count);
        }
        if (!absent && from.isDictionary()) {
            return takeCodes(from, rows, count, allocator);
        }
        ColumnWriter out = new ColumnWriter(from.type(), from.physical(), count, allocator);
        if (absent) {
            MemorySegment validity = out.validity();
            for (int i = 0; i < count; i++) {
                if (rows[i] < 0 || from.isNull(rows[i])) {
                    Bitmap.clear(validity, i);
                }
            }
            int[] places = new int[count];
            for (int i = 0; i < count; i++) {
                places[i] = rows[i] < 0 ? 0 : from.valueRow(rows[i]);
            }
            if (from.rowCount() > 0) {
                takeValues(from.valueColumn(), places, count, out);
            }
        } else {
            if (from.validity() != null) {
                takeBits(from.validity(), rows, count, out.validity());
            }
            takeValues(from, rows, count, out);
        }
        return out.seal(count);
    }

    /// Makes a flat column of the same rows; a flat column itself, retained.
    public static Column flatten(Column from, Allocator allocator) {
        return flatten(from, null, from.rowCount(), allocator);
    }

    /// Makes a flat column in which the selected rows have their values.
    ///
    /// @param selection rows, or null for rows 0 to `count - 1`
    /// @return          the caller's
    public static Column flatten(Column from, int[] selection, int count, Allocator allocator) {
        if (from.isFlat()) {
            from.retain();
            return from;
        }
        ColumnWriter out = new ColumnWriter(from.type(), from.physical(), from.rowCount(), allocator);
        if (from.validity() != null) {
            if (from.isConstant()) {
                if (from.isNull(0)) {
                    out.validity().fill((byte) 0);
                }
            } else {
                MemorySegment.copy(from.validity(), 0, out.validity(), 0, (from.rowCount() + 7L) >>> 3);
            }
        }
        copyValues(from, selection, count, out);
        return out.seal(from.rowCount());
    }

    /// Copies selected rows of `from`, values and NULLs, to the same rows of `out`, whose physical form is the
    /// same or [Physical#INT128] over [Physical#INT64].
    ///
    /// @param selection rows, or null for rows 0 to `count - 1`
    public static void copy(Column from, int[] selection, int count, ColumnWriter out) {
        if (from.hasNulls()) {
            for (int i = 0; i < count; i++) {
                int row = selection == null ? i : selection[i];
                if (from.isNull(row)) {
                    out.setNull(row);
                }
            }
        }
        boolean allNull = from.physical() == Physical.NONE || (from.isConstant() && from.isNull(0));
        if (!allNull) {
            copyValues(from, selection, count, out);
        } else if (out.physical().byteWidth() > 0) {
            zero(selection, count, out);
        }
    }

    /// Makes rows readable that have no value.
    private static void zero(int[] selection, int count, ColumnWriter out) {
        int width = out.physical().byteWidth();
        for (int i = 0; i < count; i++) {
            long row = selection == null ? i : selection[i];
            out.values().asSlice(row * width, width).fill((byte) 0);
        }
    }

    private static Column constantOf(Column from, int count) {
        Column value =
                Column.flat(from.type(), from.physical(), 1, from.values(), from.validity(), null, from.slabs(), from);
        from.retain();
        return Column.constant(value, count);
    }

    private static Column takeCodes(Column from, int[] rows, int count, Allocator allocator) {
        Buffer codes = allocator.allocate(paddedTo64(4L * count));
        takeInts(from.values(), rows, count, codes.segment());
        from.dictionary().retain();
        if (from.validity() == null) {
            return Column.dictionary(count, codes.segment(), null, from.dictionary(), codes);
        }
        Buffer validity = allocator.allocateZeroed(Math.max(64, Bitmap.paddedBytes(count)));
        takeBits(from.validity(), rows, count, validity.segment());
        return Column.dictionary(count, codes.segment(), validity.segment(), from.dictionary(), codes, validity);
    }

    private static long paddedTo64(long bytes) {
        return Math.max(64, Layouts.padded(bytes));
    }

    private static boolean hasNegative(int[] rows, int count) {
        int any = 0;
        for (int i = 0; i < count; i++) {
            any |= rows[i];
        }
        return any < 0;
    }

    private static void takeBits(MemorySegment from, int[] rows, int count, MemorySegment to) {
        for (int i = 0; i < count; i++) {
            Bitmap.put(to, i, Bitmap.get(from, rows[i]));
        }
    }

    /// Row `i` of `out` becomes the value in row `rows[i]` of `from`, which is flat.
    private static void takeValues(Column from, int[] rows, int count, ColumnWriter out) {
        MemorySegment values = from.values();
        switch (out.physical()) {
            case BIT -> takeBits(values, rows, count, out.values());
            case INT8 -> takeBytes(values, rows, count, out.values());
            case INT16 -> takeShorts(values, rows, count, out.values());
            case INT32, FLOAT32, HANDLE -> takeInts(values, rows, count, out.values());
            case INT64, FLOAT64 -> takeLongs(values, rows, count, out.values());
            case INT128 -> takeWide(values, rows, count, out.values());
            case VIEW -> {
                takeWide(values, rows, count, out.values());
                out.borrow(from);
            }
            case LIST, MAP, STRUCT, NONE -> throw new IllegalArgumentException("not a scalar: " + from);
        }
    }

    private static void takeBytes(MemorySegment from, int[] rows, int count, MemorySegment to) {
        for (int i = 0; i < count; i++) {
            to.set(Layouts.BYTE, i, from.get(Layouts.BYTE, rows[i]));
        }
    }

    private static void takeShorts(MemorySegment from, int[] rows, int count, MemorySegment to) {
        for (int i = 0; i < count; i++) {
            to.setAtIndex(Layouts.SHORT, i, from.getAtIndex(Layouts.SHORT, rows[i]));
        }
    }

    private static void takeInts(MemorySegment from, int[] rows, int count, MemorySegment to) {
        for (int i = 0; i < count; i++) {
            to.setAtIndex(Layouts.INT, i, from.getAtIndex(Layouts.INT, rows[i]));
        }
    }

    private static void takeLongs(MemorySegment from, int[] rows, int count, MemorySegment to) {
        for (int i = 0; i < count; i++) {
            to.setAtIndex(Layouts.LONG, i, from.getAtIndex(Layouts.LONG, rows[i]));
        }
    }

    private static void takeWide(MemorySegment from, int[] rows, int count, MemorySegment to) {
        for (int i = 0; i < count; i++) {
            long source = (long) rows[i] << 4;
            long target = (long) i << 4;
            to.set(Layouts.LONG, target, from.get(Layouts.LONG, source));
            to.set(Layouts.LONG, target + 8, from.get(Layouts.LONG, source + 8));
        }
    }

    /// Row `r` of `out` becomes the value of row `r` of `from`, for selected rows.
    private static void copyValues(Column from, int[] selection, int count, ColumnWriter out) {
        MemorySegment values = from.valueColumn().values();
        MemorySegment to = out.values();
        if (from.physical() == Physical.INT64 && out.physical() == Physical.INT128) {
            for (int i = 0; i < count; i++) {
                int row = selection == null ? i : selection[i];
                long value = values.getAtIndex(Layouts.LONG, from.valueRow(row));
                to.set(Layouts.LONG, (long) row << 4, value);
                to.set(Layouts.LONG, ((long) row << 4) + 8, value >> 63);
            }
            return;
        }
        assert from.physical() == out.physical() : from + " to " + out.physical();
        switch (out.physical()) {
            case BIT -> {
                for (int i = 0; i < count; i++) {
                    int row = selection == null ? i : selection[i];
                    Bitmap.put(to, row, Bitmap.get(values, from.valueRow(row)));
                }
            }
            case INT8 -> {
                for (int i = 0; i < count; i++) {
                    int row = selection == null ? i : selection[i];
                    to.set(Layouts.BYTE, row, values.get(Layouts.BYTE, from.valueRow(row)));
                }
            }
            case INT16 -> {
                for (int i = 0; i < count; i++) {
                    int row = selection == null ? i : selection[i];
                    to.setAtIndex(Layouts.SHORT, row, values.getAtIndex(Layouts.SHORT, from.valueRow(row)));
                }
            }
            case INT32, FLOAT32, HANDLE -> {
                for (int i = 0; i < count; i++) {
                    int row = selection == null ? i : selection[i];
                    to.setAtIndex(Layouts.INT, row, values.getAtIndex(Layouts.INT, from.valueRow(row)));
                }
            }
            case INT64, FLOAT64 -> {
                for (int i = 0; i < count; i++) {
                    int row = selection == null ? i : selection[i];
                    to.setAtIndex(Layouts.LONG, row, values.getAtIndex(Layouts.LONG, from.valueRow(row)));
                }
            }
            case INT128, VIEW -> {
                for (int i = 0; i < count; i++) {
                    int row = selection == null ? i : selection[i];
                    long source = (long) from.valueRow(row) << 4;
                    long target = (long) row << 4;
                    to.set(Layouts.LONG, target, values.get(Layouts.LONG, source));
                    to.set(Layouts.LONG, target + 8, values.get(Layouts.LONG, source + 8));
                }
                if (out.physical() == Physical.VIEW) {
                    out.borrow(from);
                }
            }
            case LIST, MAP, STRUCT, NONE -> throw new IllegalArgumentException("not a scalar: " + from);
        }
    }
}
