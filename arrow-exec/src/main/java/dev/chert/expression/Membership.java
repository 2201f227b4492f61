package dev.chert.expression;

import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.ScalarType;
import dev.chert.batch.StringView;
import dev.chert.batch.TypeKind;
import dev.chert.expression.Expression.Literal;
import dev.chert.kernel.Int128;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// A set of constants that columns are looked up in: open addressing, one probe loop a physical form.
///
/// All values of up to 64 bits are one table of longs (of doubles, the bits of one NaN and one zero), strings one
/// of bytes, wider numbers a set of Java's.
final class Membership {
    private final DataType type;
    private final boolean padded;
    private final long[] longs;
    private final boolean[] taken;
    private final byte[][] strings;
    private final Set<BigInteger> wide = new HashSet<>();

    /// @param type   of the column
    /// @param values none of them NULL; of the column's type, but for the scale of a decimal
    Membership(DataType type, List<Literal> values) {
        int capacity = Integer.highestOneBit(Math.max(4, values.size() * 4 - 1));
        this.type = type;
        padded = type.kind() == TypeKind.CHAR;
        longs = new long[capacity];
        taken = new boolean[capacity];
        strings = new byte[capacity][];
        for (Literal literal : values) {
            add(literal);
        }
    }

    private void add(Literal literal) {
        switch (literal.value()) {
            case Long number -> addLong(number);
            case Boolean truth -> addLong(truth ? 1 : 0);
            case Double number -> addLong(bits(literal.type().kind() == TypeKind.REAL ? number.floatValue() : number));
            case BigDecimal decimal -> addDecimal(decimal);
            case UUID uuid ->
                addWide(new Int128(
                                Long.reverseBytes(uuid.getLeastSignificantBits()),
                                Long.reverseBytes(uuid.getMostSignificantBits()))
                        .toBigInteger());
            case String text ->
                addBytes(
                        literal.type().kind() == TypeKind.VARBINARY
                                ? HexFormat.of().parseHex(text)
                                : text.getBytes(StandardCharsets.UTF_8));
            default -> throw new AssertionError(literal);
        }
    }

    private void addLong(long value) {
        int at = slot(value);
        longs[at] = value;
        taken[at] = true;
    }

    /// A constant with more digits than the column's scale equals none of its values.
    private void addDecimal(BigDecimal decimal) {
        BigDecimal scaled = decimal.setScale(((ScalarType) type).scale(), RoundingMode.DOWN);
        if (scaled.compareTo(decimal) == 0) {
            addWide(scaled.unscaledValue());
        }
    }

    private void addWide(BigInteger value) {
        if (value.bitLength() < Long.SIZE) {
            addLong(value.longValue());
        } else {
            wide.add(value);
        }
    }

    private void addBytes(byte[] bytes) {
        int length = bytes.length;
        while (padded && length > 0 && bytes[length - 1] == ' ') {
            length--;
        }
        byte[] key = Arrays.copyOf(bytes, length);
        int at = hash(key) & strings.length - 1;
        while (strings[at] != null && !Arrays.equals(strings[at], key)) {
            at = at + 1 & strings.length - 1;
        }
        strings[at] = key;
    }

    private static int hash(byte[] bytes) {
        int hash = bytes.length;
        for (byte b : bytes) {
            hash = hash * 31 + b;
        }
        return hash ^ hash >>> 15;
    }

    /// Where a value is or would be.
    private int slot(long value) {
        long hash = value * 0x9E37_79B9_7F4A_7C15L;
        int at = (int) (hash >>> 40) & longs.length - 1;
        while (taken[at] && longs[at] != value) {
            at = at + 1 & longs.length - 1;
        }
        return at;
    }

    private boolean contains(long value) {
        return taken[slot(value)];
    }

    private static long bits(double value) {
        return Double.doubleToLongBits(value + 0.0);
    }

    /// Says of each wanted row whether the set has its value; what it says of a NULL row is undefined.
    ///
    /// @param column flat, constant or dictionary
    /// @param found  an entry a row of the column
    void test(Column column, Rows rows, boolean[] found) {
        MemorySegment values = column.valueColumn().values();
        int count = rows.count();
        switch (column.physical()) {
            case BIT -> {
                for (int i = 0; i < count; i++) {
                    found[rows.row(i)] = contains(Bitmap.get(values, column.valueRow(rows.row(i))) ? 1 : 0);
                }
            }
            case INT8 -> {
                for (int i = 0; i < count; i++) {
                    found[rows.row(i)] = contains(values.get(Layouts.BYTE, column.valueRow(rows.row(i))));
                }
            }
            case INT16 -> {
                for (int i = 0; i < count; i++) {
                    found[rows.row(i)] = contains(values.getAtIndex(Layouts.SHORT, column.valueRow(rows.row(i))));
                }
            }
            case INT32 -> {
                for (int i = 0; i < count; i++) {
                    found[rows.row(i)] = contains(values.getAtIndex(Layouts.INT, column.valueRow(rows.row(i))));
                }
            }
            case INT64 -> {
                for (int i = 0; i < count; i++) {
                    found[rows.row(i)] = contains(values.getAtIndex(Layouts.LONG, column.valueRow(rows.row(i))));
                }
            }
            case FLOAT32 -> {
                for (int i = 0; i < count; i++) {
                    found[rows.row(i)] = contains(bits(values.getAtIndex(Layouts.FLOAT, column.valueRow(rows.row(i)))));
                }
            }
            case FLOAT64 -> {
                for (int i = 0; i < count; i++) {
                    found[rows.row(i)] =
                            contains(bits(values.getAtIndex(Layouts.DOUBLE, column.valueRow(rows.row(i)))));
                }
            }
            case INT128 -> testWide(column, values, rows, found);
            case VIEW -> testStrings(column, values, rows, found);
            case LIST, MAP, STRUCT, NONE, HANDLE -> throw new AssertionError(column);
        }
    }

    private void testWide(Column column, MemorySegment values, Rows rows, boolean[] found) {
        Int128 value = new Int128();
        for (int i = 0; i < rows.count(); i++) {
            int row = rows.row(i);
            value.at(values, column.valueRow(row));
            found[row] = value.fitsLong() ? contains(value.low()) : wide.contains(value.toBigInteger());
        }
    }

    private void testStrings(Column column, MemorySegment values, Rows rows, boolean[] found) {
        StringView view = new StringView();
        MemorySegment[] slabs = column.slabs();
        for (int i = 0; i < rows.count(); i++) {
            int row = rows.row(i);
            found[row] = contains(view.at(values, slabs, column.valueRow(row)));
        }
    }

    private boolean contains(StringView view) {
        int length = view.length();
        while (padded && length > 0 && view.byteAt(length - 1) == ' ') {
            length--;
        }
        int hash = length;
        for (int i = 0; i < length; i++) {
            hash = hash * 31 + view.byteAt(i);
        }
        int at = (hash ^ hash >>> 15) & strings.length - 1;
        while (strings[at] != null) {
            if (sameBytes(strings[at], view, length)) {
                return true;
            }
            at = at + 1 & strings.length - 1;
        }
        return false;
    }

    private static boolean sameBytes(byte[] bytes, StringView view, int length) {
        if (bytes.length != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (bytes[i] != view.byteAt(i)) {
                return false;
            }
        }
        return true;
    }
}
