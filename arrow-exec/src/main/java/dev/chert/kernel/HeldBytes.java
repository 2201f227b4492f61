package dev.chert.kernel;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import java.lang.foreign.MemorySegment;

/// Estimates how much memory comes back when a batch is closed.
///
/// Counts values, validity and the bytes of long strings; dictionaries are left out, since other batches share them.
public final class HeldBytes {
    private static final int INLINE_BYTES = 12;

    private HeldBytes() {}

    public static long of(Batch batch) {
        long bytes = 0;
        for (Column column : batch.columns()) {
            bytes += of(column);
        }
        return bytes;
    }

    private static long of(Column column) {
        return switch (column.form()) {
            case CONSTANT -> 0;
            case DICTIONARY ->
                column.values().byteSize()
                        + (column.validity() == null ? 0 : column.validity().byteSize());
            case FLAT -> column.byteSize() + (column.physical() == Physical.VIEW ? longBytes(column) : 0);
        };
    }

    private static long longBytes(Column column) {
        MemorySegment views = column.values();
        long bytes = 0;
        for (int row = 0; row < column.rowCount(); row++) {
            int length = views.get(Layouts.INT, 16L * row);
            bytes += length > INLINE_BYTES ? length : 0;
        }
        return bytes;
    }
}
