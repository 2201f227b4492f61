package dev.chert.kernel;

import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.memory.Allocator;
import java.lang.foreign.MemorySegment;

/// Widens columns of decimals from 64 to 128 bits and narrows them again.
public final class DecimalWidth {
    private DecimalWidth() {}

    /// Makes a 128-bit column of a 64-bit one, flat or constant; one that is wide already is returned, retained.
    ///
    /// @param selection rows that need a value, or null for rows 0 to `count - 1`
    public static Column widen(Column from, int[] selection, int count, Allocator allocator) {
        if (from.physical() == Physical.INT128) {
            from.retain();
            return from;
        }
        int rows = from.isConstant() ? 1 : from.rowCount();
        ColumnWriter out = new ColumnWriter(from.type(), Physical.INT128, rows, allocator);
        if (from.isConstant()) {
            ColumnGather.copy(from, null, 1, out);
            return Column.constant(out.seal(1), from.rowCount());
        }
        ColumnGather.copy(from, selection, count, out);
        return out.seal(rows);
    }

    /// Makes a 64-bit column of a flat 128-bit one whose selected values all fit, and releases it; otherwise
    /// returns it.
    ///
    /// @param from given
    public static Column narrow(Column from, int[] selection, int count, Allocator allocator) {
        MemorySegment values = from.values();
        long misfit = 0;
        for (int i = 0; i < count; i++) {
            long at = (long) (selection == null ? i : selection[i]) << 4;
            misfit |= values.get(Layouts.LONG, at) >> 63 ^ values.get(Layouts.LONG, at + 8);
        }
        if (misfit != 0) {
            return from;
        }
        ColumnWriter out = new ColumnWriter(from.type(), Physical.INT64, from.rowCount(), allocator);
        if (from.validity() != null) {
            MemorySegment.copy(from.validity(), 0, out.validity(), 0, (from.rowCount() + 7L) >>> 3);
        }
        MemorySegment to = out.values();
        for (int i = 0; i < count; i++) {
            int row = selection == null ? i : selection[i];
            to.setAtIndex(Layouts.LONG, row, values.get(Layouts.LONG, (long) row << 4));
        }
        Column narrowed = out.seal(from.rowCount());
        from.release();
        return narrowed;
    }
}
