package dev.chert.operator.sort;

import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.batch.ScalarType;
import dev.chert.error.TableException;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.expression.SortKey;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Where each sort key lies in an entry, and how it is written there.
///
/// ```text
/// entry   | part | part | ... | zeros up to 8 |  source : 32, row : 32  |
/// part    | 1 byte: NULL or not | value, most significant byte first, inverted where descending |
///
/// integers, dates, times    sign bit flipped
/// REAL, DOUBLE              IEEE 754 total order, -0.0 as 0.0, NaN above all
/// DECIMAL                   8 bytes up to 18 digits, 16 above, sign bit flipped
/// strings                   12 bytes, the rest zero, and their length, 13 standing for every longer one
/// UUID                      its 16 bytes
/// ```
///
/// Two entries compare as their bytes do, except where they agree in a string part of length 13: the whole
/// strings decide there, before any later part ([EntryOrder]).
final class KeyLayout {
    /// Entries are read in words whose unsigned order is that of their bytes.
    static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final ValueLayout.OfInt BE_INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort BE_SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final int PREFIX_BYTES = 12;
    private static final int LONGER = PREFIX_BYTES + 1;
    private static final int VIEW_BYTES = 16;

    /// One key's place.
    ///
    /// @param key    its number among the sort keys
    /// @param offset of its NULL byte in the entry
    /// @param bytes  of its value, which begins one byte after
    /// @param column the column of a source that has the whole strings, or -1 for what is not a string
    record Part(int key, int offset, int bytes, boolean ascending, boolean nullsFirst, int column) {
        /// The first byte after it.
        int end() {
            return offset + 1 + bytes;
        }

        byte present() {
            return (byte) (nullsFirst ? 1 : 0);
        }

        byte absent() {
            return (byte) (nullsFirst ? 0 : 1);
        }

        /// The length byte of a string that its part does not hold whole.
        byte longer() {
            return (byte) (ascending ? LONGER : ~LONGER);
        }
    }

    private final List<DataType> types;
    private final Part[] parts;
    private final Part[] strings;
    private final List<Integer> computed = new ArrayList<>();
    private final int words;

    /// @param keys         the order asked for
    /// @param inputColumns columns of the batches to be sorted
    /// @throws TableException if a key's type has no order
    KeyLayout(List<SortKey> keys, int inputColumns) {
        types = keys.stream().map(key -> key.expression().type()).toList();
        parts = new Part[keys.size()];
        List<Part> withStrings = new ArrayList<>();
        int offset = 0;
        for (int i = 0; i < parts.length; i++) {
            SortKey key = keys.get(i);
            int column = -1;
            if (types.get(i).physical() == Physical.VIEW) {
                if (key.expression() instanceof InputColumn input) {
                    column = input.index();
                } else {
                    column = inputColumns + computed.size();
                    computed.add(i);
                }
            }
            parts[i] = new Part(i, offset, valueBytes(types.get(i)), key.ascending(), key.nullsFirst(), column);
            if (column >= 0) {
                withStrings.add(parts[i]);
            }
            offset = parts[i].end();
        }
        strings = withStrings.toArray(Part[]::new);
        words = (offset + 7) >>> 3;
    }

    private static int valueBytes(DataType type) {
        return switch (type.kind()) {
            case NULL -> 0;
            case BOOLEAN, TINYINT -> 1;
            case SMALLINT -> 2;
            case INTEGER, DATE, INTERVAL_YEAR_MONTH, REAL -> 4;
            case BIGINT, DOUBLE, TIME, TIMESTAMP, TIMESTAMP_LTZ, INTERVAL_DAY_TIME -> 8;
            case DECIMAL -> ((ScalarType) type).precision() <= ScalarType.MAX_LONG_PRECISION ? 8 : 16;
            case UUID -> 16;
            case CHAR, VARCHAR, VARBINARY -> PREFIX_BYTES + 1;
            case ARRAY, MAP, ROW, OPAQUE ->
                throw new TableException("ORDER BY cannot compare values of type " + type + "; order by a part of it");
        };
    }

    /// Words of an entry's key.
    int words() {
        return words;
    }

    /// Bytes of an entry: its key and its row's place.
    int entryBytes() {
        return 8 * words + 8;
    }

    /// Where in an entry its row's place lies: the source's number in the upper half, the row in the lower.
    int placeOffset() {
        return 8 * words;
    }

    /// The parts of strings, in the order of the keys.
    Part[] strings() {
        return strings;
    }

    /// The keys that a source must carry as further columns, since the strings of no input column decide their
    /// ties.
    List<Integer> computedStrings() {
        return computed;
    }

    /// Writes the keys of some rows.
    ///
    /// @param keys      a column a sort key
    /// @param selection the rows' numbers, or null for rows 0 to `count - 1`
    /// @param entries   written from byte `at` on; places are left alone
    /// @param scratch   room for `count` numbers
    void write(Column[] keys, int[] selection, int count, MemorySegment entries, long at, int[] scratch) {
        int entryBytes = entryBytes();
        if (words == 0) {
            return;
        }
        for (int i = 0; i < count; i++) {
            entries.set(WORD, at + (long) i * entryBytes + 8L * (words - 1), 0); // the padding
        }
        for (Part part : parts) {
            Column column = keys[part.key()];
            valueRows(column, selection, count, scratch);
            byte present = part.present();
            for (int i = 0; i < count; i++) {
                entries.set(Layouts.BYTE, at + (long) i * entryBytes + part.offset(), present);
            }
            writeValues(part, column.valueColumn(), scratch, count, entries, at + part.offset() + 1);
            if (column.hasNulls()) {
                writeNulls(part, column, selection, count, entries, at + part.offset());
            }
        }
    }

    private static void valueRows(Column column, int[] selection, int count, int[] rows) {
        switch (column.form()) {
            case FLAT -> {
                for (int i = 0; i < count; i++) {
                    rows[i] = selection == null ? i : selection[i];
                }
            }
            case CONSTANT -> Arrays.fill(rows, 0, count, 0);
            case DICTIONARY -> {
                MemorySegment codes = column.values();
                for (int i = 0; i < count; i++) {
                    rows[i] = codes.getAtIndex(Layouts.INT, selection == null ? i : selection[i]);
                }
            }
        }
    }

    private void writeNulls(Part part, Column column, int[] selection, int count, MemorySegment entries, long at) {
        int entryBytes = entryBytes();
        byte absent = part.absent();
        for (int i = 0; i < count; i++) {
            if (column.isNull(selection == null ? i : selection[i])) {
                long to = at + (long) i * entryBytes;
                entries.set(Layouts.BYTE, to, absent);
                for (int b = 1; b <= part.bytes(); b++) {
                    entries.set(Layouts.BYTE, to + b, (byte) 0);
                }
            }
        }
    }

    /// Writes the values at `rows`, the first at byte `at`; what is under a NULL is written, too.
    private void writeValues(Part part, Column column, int[] rows, int count, MemorySegment entries, long at) {
        MemorySegment values = column.values();
        long inversion = part.ascending() ? 0 : -1;
        int entryBytes = entryBytes();
        long to = at;
        switch (column.physical()) {
            case BIT -> {
                for (int i = 0; i < count; i++, to += entryBytes) {
                    int row = rows[i];
                    int bit = values.get(Layouts.BYTE, row >>> 3) >>> (row & 7) & 1;
                    entries.set(Layouts.BYTE, to, (byte) (bit ^ inversion));
                }
            }
            case INT8 -> {
                int flip = (int) inversion ^ 0x80;
                for (int i = 0; i < count; i++, to += entryBytes) {
                    entries.set(Layouts.BYTE, to, (byte) (values.get(Layouts.BYTE, rows[i]) ^ flip));
                }
            }
            case INT16 -> {
                int flip = (int) inversion ^ 0x8000;
                for (int i = 0; i < count; i++, to += entryBytes) {
                    entries.set(BE_SHORT, to, (short) (values.get(Layouts.SHORT, 2L * rows[i]) ^ flip));
                }
            }
            case INT32 -> {
                int flip = (int) inversion ^ Integer.MIN_VALUE;
                for (int i = 0; i < count; i++, to += entryBytes) {
                    entries.set(BE_INT, to, values.get(Layouts.INT, 4L * rows[i]) ^ flip);
                }
            }
            case INT64 -> {
                long flip = inversion ^ Long.MIN_VALUE;
                if (part.bytes() == 16) {
                    for (int i = 0; i < count; i++, to += entryBytes) {
                        long value = values.get(Layouts.LONG, 8L * rows[i]);
                        entries.set(WORD, to, value >> 63 ^ flip);
                        entries.set(WORD, to + 8, value ^ inversion);
                    }
                } else {
                    for (int i = 0; i < count; i++, to += entryBytes) {
                        entries.set(WORD, to, values.get(Layouts.LONG, 8L * rows[i]) ^ flip);
                    }
                }
            }
            case FLOAT32 -> {
                for (int i = 0; i < count; i++, to += entryBytes) {
                    int bits = Float.floatToIntBits(values.get(Layouts.FLOAT, 4L * rows[i]) + 0.0f);
                    entries.set(BE_INT, to, bits ^ (bits >> 31 | Integer.MIN_VALUE) ^ (int) inversion);
                }
            }
            case FLOAT64 -> {
                for (int i = 0; i < count; i++, to += entryBytes) {
                    long bits = Double.doubleToLongBits(values.get(Layouts.DOUBLE, 8L * rows[i]) + 0.0);
                    entries.set(WORD, to, bits ^ (bits >> 63 | Long.MIN_VALUE) ^ inversion);
                }
            }
            case INT128 -> writeWide(part, column, rows, count, entries, at);
            case VIEW -> writeStrings(part, column, rows, count, entries, at);
            case NONE -> {} // every row is NULL
            case LIST, MAP, STRUCT, HANDLE -> throw new AssertionError(column);
        }
    }

    private void writeWide(Part part, Column column, int[] rows, int count, MemorySegment entries, long at) {
        MemorySegment values = column.values();
        long inversion = part.ascending() ? 0 : -1;
        int entryBytes = entryBytes();
        long to = at;
        switch (column.type().kind()) {
            case UUID -> {
                for (int i = 0; i < count; i++, to += entryBytes) {
                    entries.set(WORD, to, values.get(WORD, 16L * rows[i]) ^ inversion);
                    entries.set(WORD, to + 8, values.get(WORD, 16L * rows[i] + 8) ^ inversion);
                }
            }
            default -> {
                long flip = inversion ^ Long.MIN_VALUE;
                for (int i = 0; i < count; i++, to += entryBytes) {
                    long low = values.get(Layouts.LONG, 16L * rows[i]);
                    if (part.bytes() == 16) {
                        entries.set(WORD, to, values.get(Layouts.LONG, 16L * rows[i] + 8) ^ flip);
                        entries.set(WORD, to + 8, low ^ inversion);
                    } else {
                        entries.set(WORD, to, low ^ flip); // few digits: the high half is only the sign
                    }
                }
            }
        }
    }

    private void writeStrings(Part part, Column column, int[] rows, int count, MemorySegment entries, long at) {
        MemorySegment views = column.values();
        MemorySegment[] slabs = column.slabs();
        long inversion = part.ascending() ? 0 : -1;
        int entryBytes = entryBytes();
        long to = at;
        for (int i = 0; i < count; i++, to += entryBytes) {
            long from = (long) VIEW_BYTES * rows[i];
            int length = views.get(Layouts.INT, from);
            long rest;
            if (length <= PREFIX_BYTES) {
                rest = views.get(WORD, from + 8);
            } else {
                long place = Integer.toUnsignedLong(views.get(Layouts.INT, from + 12));
                rest = slabs[views.get(Layouts.INT, from + 8)].get(WORD, place + 4);
            }
            entries.set(BE_INT, to, views.get(BE_INT, from + 4) ^ (int) inversion);
            entries.set(WORD, to + 4, rest ^ inversion);
            entries.set(Layouts.BYTE, to + PREFIX_BYTES, (byte) (Math.min(length, LONGER) ^ inversion));
        }
    }
}
