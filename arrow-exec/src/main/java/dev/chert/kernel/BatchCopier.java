package dev.chert.kernel;

import dev.chert.batch.Batch;
import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.batch.StringView;
import dev.chert.error.TableException;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Copies the selected rows of batches into batches that share no memory with them: what leaves a query, and what
/// a table in memory keeps.
///
/// A copy has no selection, and the bytes of its long strings lie together. A dictionary is copied once for all
/// batches that have it, as long as it is not much longer than they are. Not thread-safe. Memory: the copies, and
/// the last few dictionaries until [#close()].
public final class BatchCopier implements AutoCloseable {
    /// How many dictionaries of a column are remembered: about one a worker that reads ahead.
    private static final int REMEMBERED = 4;
    /// A dictionary of more values than this for each row that is copied is dropped.
    private static final int MOST_VALUES_A_ROW = 2;
    /// Long strings of a batch lie in one buffer up to this size, in several beyond it.
    private static final long MOST_BYTES_TOGETHER = 1 << 20;

    private static final int INLINE_BYTES = 12;

    private final Allocator allocator;
    private final StringView string = new StringView();
    private DictionaryCopies[] dictionaries = {};

    /// @param allocator what the copies are charged to
    public BatchCopier(Allocator allocator) {
        this.allocator = allocator;
    }

    /// Copies the selected rows of one batch.
    ///
    /// @param batch borrowed
    /// @return      the caller's
    public Batch copy(Batch batch) {
        remember(batch.columnCount());
        int count = batch.selectedRows();
        Column[] copies = new Column[batch.columnCount()];
        for (int c = 0; c < copies.length; c++) {
            copies[c] = copy(batch.column(c), batch.selection(), count, dictionaries[c]);
        }
        return new Batch(copies, count);
    }

    /// Makes one batch of the selected rows of several, in their order; its columns are flat.
    ///
    /// @param batches borrowed; at least one, all of the same types
    /// @return        the caller's
    public Batch concatenate(List<Batch> batches) {
        int count = batches.stream().mapToInt(Batch::selectedRows).sum();
        Column[] copies = new Column[batches.getFirst().columnCount()];
        for (int c = 0; c < copies.length; c++) {
            int index = c;
            DataType type = batches.getFirst().column(c).type();
            Physical physical = physical(batches, c);
            if (physical == Physical.NONE) {
                copies[c] = Column.flat(type, physical, count, null, null, null, null);
                continue;
            }
            ColumnWriter writer = writer(type, physical, count);
            long longBytes = physical == Physical.VIEW
                    ? batches.stream()
                            .mapToLong(b -> longBytes(b.column(index), b.selection(), b.selectedRows()))
                            .sum()
                    : 0;
            StringTarget strings = new StringTarget(writer, longBytes);
            int at = 0;
            for (Batch batch : batches) {
                append(batch.column(c), batch.selection(), batch.selectedRows(), writer, strings, at);
                at += batch.selectedRows();
            }
            copies[c] = writer.seal(count);
        }
        return new Batch(copies, count);
    }

    /// Forgets the dictionaries; copies that have them keep them.
    @Override
    public void close() {
        for (DictionaryCopies copies : dictionaries) {
            copies.close();
        }
        dictionaries = new DictionaryCopies[0];
    }

    private void remember(int columns) {
        if (dictionaries.length == 0) {
            dictionaries = new DictionaryCopies[columns];
            for (int c = 0; c < columns; c++) {
                dictionaries[c] = new DictionaryCopies();
            }
        }
    }

    private Column copy(Column from, int[] selection, int count, DictionaryCopies known) {
        if (from.physical() == Physical.NONE) {
            return Column.flat(from.type(), Physical.NONE, count, null, null, null, null);
        }
        if (from.isConstant()) {
            return Column.constant(copyFlat(from, null, 1), count);
        }
        if (from.isDictionary() && from.dictionary().rowCount() <= (long) count * MOST_VALUES_A_ROW) {
            return copyCodes(from, selection, count, known);
        }
        return copyFlat(from, selection, count);
    }

    private Column copyFlat(Column from, int[] selection, int count) {
        ColumnWriter writer = writer(from.type(), from.physical(), count);
        long longBytes = from.physical() == Physical.VIEW ? longBytes(from, selection, count) : 0;
        append(from, selection, count, writer, new StringTarget(writer, longBytes), 0);
        return writer.seal(count);
    }

    private Column copyCodes(Column from, int[] selection, int count, DictionaryCopies known) {
        Column dictionary = known.copyOf(from.dictionary());
        Buffer codes = allocator.allocate(Math.max(64, Layouts.padded(4L * count)));
        MemorySegment to = codes.segment();
        for (int i = 0; i < count; i++) {
            int row = selection == null ? i : selection[i];
            to.setAtIndex(Layouts.INT, i, from.values().getAtIndex(Layouts.INT, row));
        }
        dictionary.retain();
        if (from.validity() == null) {
            return Column.dictionary(count, to, null, dictionary, codes);
        }
        Buffer validity = allocator.allocateZeroed(Math.max(64, Bitmap.paddedBytes(count)));
        for (int i = 0; i < count; i++) {
            int row = selection == null ? i : selection[i];
            Bitmap.put(validity.segment(), i, Bitmap.get(from.validity(), row));
        }
        return Column.dictionary(count, to, validity.segment(), dictionary, codes, validity);
    }

    private ColumnWriter writer(DataType type, Physical physical, int count) {
        if (type.kind().isNested() || physical == Physical.HANDLE) {
            throw new TableException("a column of type " + type
                    + " cannot be kept beyond its query yet; select its parts instead of the whole");
        }
        return new ColumnWriter(type, physical, count, allocator);
    }

    /// The form that holds the values of all batches: a DECIMAL may have either.
    private static Physical physical(List<Batch> batches, int c) {
        Physical physical = batches.getFirst().column(c).physical();
        for (Batch batch : batches) {
            if (batch.column(c).physical() == Physical.INT128) {
                physical = Physical.INT128;
            }
        }
        return physical;
    }

    private long longBytes(Column from, int[] selection, int count) {
        Column values = from.valueColumn();
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            int row = selection == null ? i : selection[i];
            if (!from.isNull(row)) {
                int length = string.at(values, from.valueRow(row)).length();
                bytes += length > INLINE_BYTES ? length : 0;
            }
        }
        return bytes;
    }

    /// Appends rows from row `at` of the writer on.
    private void append(Column from, int[] selection, int count, ColumnWriter writer, StringTarget strings, int at) {
        if (count == 0) {
            return; // the writer of a column without rows has no values
        }
        if (from.hasNulls()) {
            for (int i = 0; i < count; i++) {
                if (from.isNull(selection == null ? i : selection[i])) {
                    writer.setNull(at + i);
                }
            }
        }
        MemorySegment values = from.valueColumn().values();
        Physical physical = from.physical();
        int width = physical.byteWidth();
        if (physical == Physical.VIEW) {
            strings.append(from, selection, count, at);
        } else if (physical == Physical.BIT) {
            for (int i = 0; i < count; i++) {
                int row = selection == null ? i : selection[i];
                writer.putBoolean(at + i, Bitmap.get(values, from.valueRow(row)));
            }
        } else if (physical == Physical.INT64 && writer.physical() == Physical.INT128) {
            for (int i = 0; i < count; i++) {
                int row = selection == null ? i : selection[i];
                long value = values.getAtIndex(Layouts.LONG, from.valueRow(row));
                writer.values().set(Layouts.LONG, 16L * (at + i), value);
                writer.values().set(Layouts.LONG, 16L * (at + i) + 8, value >> 63);
            }
        } else if (from.isFlat() && selection == null) {
            MemorySegment.copy(values, 0, writer.values(), (long) at * width, (long) count * width);
        } else {
            copyFixed(from, selection, count, writer.values(), at);
        }
    }

    private static void copyFixed(Column from, int[] selection, int count, MemorySegment to, int at) {
        MemorySegment values = from.valueColumn().values();
        for (int i = 0; i < count; i++) {
            int place = from.valueRow(selection == null ? i : selection[i]);
            switch (from.physical()) {
                case INT8 -> to.set(Layouts.BYTE, at + i, values.get(Layouts.BYTE, place));
                case INT16 -> to.setAtIndex(Layouts.SHORT, at + i, values.getAtIndex(Layouts.SHORT, place));
                case INT32, FLOAT32 -> to.setAtIndex(Layouts.INT, at + i, values.getAtIndex(Layouts.INT, place));
                case INT64, FLOAT64 -> to.setAtIndex(Layouts.LONG, at + i, values.getAtIndex(Layouts.LONG, place));
                case INT128 -> {
                    to.set(Layouts.LONG, 16L * (at + i), values.get(Layouts.LONG, 16L * place));
                    to.set(Layouts.LONG, 16L * (at + i) + 8, values.get(Layouts.LONG, 16L * place + 8));
                }
                case BIT, VIEW, LIST, MAP, STRUCT, NONE, HANDLE -> throw new AssertionError(from);
            }
        }
    }

    /// Where the strings of one column go: the bytes of long ones into a buffer made for them.
    private final class StringTarget {
        private final ColumnWriter writer;
        private final Buffer block;
        private int used;

        /// @param longBytes bytes of all strings that are too long to lie in their views
        StringTarget(ColumnWriter writer, long longBytes) {
            this.writer = writer;
            if (longBytes == 0 || longBytes > MOST_BYTES_TOGETHER) {
                this.block = null;
            } else {
                this.block = allocator.allocate(longBytes);
                writer.borrow(block);
                block.release();
            }
        }

        void append(Column from, int[] selection, int count, int at) {
            Column views = from.valueColumn();
            for (int i = 0; i < count; i++) {
                int row = selection == null ? i : selection[i];
                if (from.isNull(row)) {
                    continue;
                }
                string.at(views, from.valueRow(row));
                int length = string.length();
                if (length <= INLINE_BYTES || block == null) {
                    writer.putBytes(at + i, string.segment(), string.offset(), length);
                    continue;
                }
                MemorySegment.copy(string.segment(), string.offset(), block.segment(), used, length);
                writer.putPlace(at + i, block.segment(), used, length, block.slab(), block.slabOffset() + used);
                used += length;
            }
        }
    }

    /// The dictionaries of one column that were copied last.
    private final class DictionaryCopies {
        private final Column[] originals = new Column[REMEMBERED];
        private final Column[] copies = new Column[REMEMBERED];
        private int next;

        /// @return borrowed
        Column copyOf(Column dictionary) {
            for (int i = 0; i < REMEMBERED; i++) {
                if (originals[i] == dictionary) {
                    return copies[i];
                }
            }
            Column copy = copyFlat(dictionary, null, dictionary.rowCount());
            if (copies[next] != null) {
                copies[next].release();
            }
            originals[next] = dictionary;
            copies[next] = copy;
            next = (next + 1) % REMEMBERED;
            return copy;
        }

        void close() {
            for (Column copy : copies) {
                if (copy != null) {
                    copy.release();
                }
            }
        }
    }
}
