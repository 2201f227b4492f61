package dev.chert.kernel;

import dev.chert.batch.Batch;
import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.error.TableException;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Makes one batch of rows that lie in many. Not thread-safe.
///
/// Copies values and views. The bytes of long strings stay where they are, and the new columns hold counts on the
/// columns they came from, unless the gather is to give strings of its own: for rows that are kept and would keep
/// alive much more than themselves. Where all rows come from one dictionary, codes are copied and the result has
/// it, too.
public final class BatchGather {
    private static final int INLINE_BYTES = 12;

    /// Where strings are copied, a dictionary of more values than this for each row is dropped.
    private static final int MOST_VALUES_A_ROW = 2;

    private final List<DataType> types;
    private final Allocator allocator;
    private final boolean ownStrings;
    private final DistinctSources touched = new DistinctSources();
    private MemorySegment[] values = new MemorySegment[16];
    private int[] valueRows = new int[16];

    /// @param types      of the columns that every source has
    /// @param ownStrings whether long strings are copied, too
    /// @throws TableException if rows with such columns cannot be moved
    public BatchGather(List<DataType> types, boolean ownStrings, Allocator allocator) {
        for (DataType type : types) {
            if (type.kind().isNested()) {
                throw new TableException("rows with a column of type " + type
                        + " cannot be ordered or joined yet; select its parts instead of the whole");
            }
        }
        this.types = types;
        this.allocator = allocator;
        this.ownStrings = ownStrings;
    }

    /// Gathers the first `columns` columns of `count` rows.
    ///
    /// @param sources  borrowed
    /// @param sourceOf which source the row comes from
    /// @param rowOf    its number there
    /// @return         the caller's
    public Batch gather(Batch[] sources, int[] sourceOf, int[] rowOf, int count, int columns) {
        return new Batch(gatherColumns(sources, sourceOf, rowOf, count, columns), count);
    }

    /// Gathers as [#gather], giving the columns; the caller's.
    public Column[] gatherColumns(Batch[] sources, int[] sourceOf, int[] rowOf, int count, int columns) {
        touched.find(sourceOf, count, sources.length);
        if (values.length < sources.length) {
            values = new MemorySegment[sources.length];
        }
        if (valueRows.length < count) {
            valueRows = new int[count];
        }
        Column[] gathered = new Column[columns];
        for (int c = 0; c < columns; c++) {
            gathered[c] = gatherColumn(c, sources, sourceOf, rowOf, count);
        }
        return gathered;
    }

    private Column gatherColumn(int c, Batch[] sources, int[] sourceOf, int[] rowOf, int count) {
        DataType type = types.get(c);
        if (type.physical() == Physical.NONE) {
            return Column.flat(type, Physical.NONE, count, null, null, null, null);
        }
        Column dictionary = commonDictionary(c, sources, count);
        if (dictionary != null) {
            return gatherCodes(c, dictionary, sources, sourceOf, rowOf, count);
        }
        Physical physical = type.physical();
        boolean flat = true;
        boolean nulls = false;
        boolean wide = false;
        for (int t = 0; t < touched.count(); t++) {
            Column column = sources[touched.get(t)].column(c);
            values[touched.get(t)] = column.valueColumn().values();
            flat &= column.isFlat();
            nulls |= column.hasNulls();
            wide |= column.physical() == Physical.INT128;
        }
        if (physical == Physical.INT64 || physical == Physical.INT128) {
            physical = wide ? Physical.INT128 : Physical.INT64; // a DECIMAL may be either
        }
        ColumnWriter writer = new ColumnWriter(type, physical, count, allocator);
        int[] rows = rowOf;
        if (!flat) {
            rows = valueRows;
            for (int i = 0; i < count; i++) {
                rows[i] = sources[sourceOf[i]].column(c).valueRow(rowOf[i]);
            }
        }
        copyValues(c, writer, sources, sourceOf, rows, count);
        if (nulls) {
            for (int i = 0; i < count; i++) {
                if (sources[sourceOf[i]].column(c).isNull(rowOf[i])) {
                    writer.setNull(i);
                    if (physical == Physical.VIEW) {
                        writer.values().asSlice(16L * i, 16).fill((byte) 0); // a dictionary's NULL has a code
                    }
                }
            }
        }
        return writer.seal(count);
    }

    /// The dictionary that column `c` of every source touched has, or null.
    private Column commonDictionary(int c, Batch[] sources, int count) {
        Column common = null;
        for (int t = 0; t < touched.count(); t++) {
            Column column = sources[touched.get(t)].column(c);
            if (!column.isDictionary() || common != null && column.dictionary() != common) {
                return null;
            }
            common = column.dictionary();
        }
        return ownStrings && common != null && common.rowCount() > (long) count * MOST_VALUES_A_ROW ? null : common;
    }

    private Column gatherCodes(int c, Column dictionary, Batch[] sources, int[] sourceOf, int[] rowOf, int count) {
        boolean nulls = false;
        for (int t = 0; t < touched.count(); t++) {
            Column column = sources[touched.get(t)].column(c);
            values[touched.get(t)] = column.values();
            nulls |= column.hasNulls();
        }
        Buffer codes = allocator.allocate(Math.max(64, Layouts.padded(4L * count)));
        MemorySegment to = codes.segment();
        for (int i = 0; i < count; i++) {
            to.set(Layouts.INT, 4L * i, values[sourceOf[i]].get(Layouts.INT, 4L * rowOf[i]));
        }
        to.asSlice(4L * count).fill((byte) 0);
        dictionary.retain();
        if (!nulls) {
            return Column.dictionary(count, to, null, dictionary, codes);
        }
        Buffer validity = allocator.allocate(Math.max(64, Bitmap.paddedBytes(count)));
        Bitmap.fillOnes(validity.segment(), count);
        for (int i = 0; i < count; i++) {
            if (sources[sourceOf[i]].column(c).isNull(rowOf[i])) {
                Bitmap.clear(validity.segment(), i);
            }
        }
        return Column.dictionary(count, to, validity.segment(), dictionary, codes, validity);
    }

    private void copyValues(int c, ColumnWriter writer, Batch[] sources, int[] sourceOf, int[] rows, int count) {
        MemorySegment to = writer.values();
        MemorySegment[] from = values;
        switch (writer.physical()) {
            case BIT -> {
                for (int i = 0; i < count; i++) {
                    if (Bitmap.get(from[sourceOf[i]], rows[i])) {
                        Bitmap.set(to, i);
                    }
                }
            }
            case INT8 -> {
                for (int i = 0; i < count; i++) {
                    to.set(Layouts.BYTE, i, from[sourceOf[i]].get(Layouts.BYTE, rows[i]));
                }
            }
            case INT16 -> {
                for (int i = 0; i < count; i++) {
                    to.set(Layouts.SHORT, 2L * i, from[sourceOf[i]].get(Layouts.SHORT, 2L * rows[i]));
                }
            }
            case INT32, FLOAT32, HANDLE -> {
                for (int i = 0; i < count; i++) {
                    to.set(Layouts.INT, 4L * i, from[sourceOf[i]].get(Layouts.INT, 4L * rows[i]));
                }
            }
            case INT64, FLOAT64 -> {
                for (int i = 0; i < count; i++) {
                    to.set(Layouts.LONG, 8L * i, from[sourceOf[i]].get(Layouts.LONG, 8L * rows[i]));
                }
            }
            case INT128 -> {
                for (int i = 0; i < count; i++) {
                    int source = sourceOf[i];
                    if (sources[source].column(c).physical() == Physical.INT64) {
                        long value = from[source].get(Layouts.LONG, 8L * rows[i]);
                        to.set(Layouts.LONG, 16L * i, value);
                        to.set(Layouts.LONG, 16L * i + 8, value >> 63);
                    } else {
                        to.set(Layouts.LONG, 16L * i, from[source].get(Layouts.LONG, 16L * rows[i]));
                        to.set(Layouts.LONG, 16L * i + 8, from[source].get(Layouts.LONG, 16L * rows[i] + 8));
                    }
                }
            }
            case VIEW -> {
                for (int i = 0; i < count; i++) {
                    to.set(Layouts.LONG, 16L * i, from[sourceOf[i]].get(Layouts.LONG, 16L * rows[i]));
                    to.set(Layouts.LONG, 16L * i + 8, from[sourceOf[i]].get(Layouts.LONG, 16L * rows[i] + 8));
                }
                if (ownStrings) {
                    copyLongStrings(c, writer, sources, sourceOf, count);
                } else {
                    for (int t = 0; t < touched.count(); t++) {
                        writer.borrow(sources[touched.get(t)].column(c).valueColumn());
                    }
                }
            }
            case LIST, MAP, STRUCT, NONE -> throw new AssertionError(writer.type());
        }
    }

    /// Replaces the places of views that were copied by ones in the new column's heap.
    private static void copyLongStrings(int c, ColumnWriter writer, Batch[] sources, int[] sourceOf, int count) {
        MemorySegment views = writer.values();
        for (int i = 0; i < count; i++) {
            int length = views.get(Layouts.INT, 16L * i);
            if (length > INLINE_BYTES) {
                int slab = views.get(Layouts.INT, 16L * i + 8);
                long offset = Integer.toUnsignedLong(views.get(Layouts.INT, 16L * i + 12));
                writer.putBytes(i, sources[sourceOf[i]].column(c).slabs()[slab], offset, length);
            }
        }
    }
}
