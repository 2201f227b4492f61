package dev.chert.batch;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The values of some rows of one column, moved together into Java arrays: what hashing, comparing, storing and
/// aggregating loops read, so that each is written once and not once a column form. Scratch of one worker, reused
/// batch by batch.
///
/// ```text
/// value          low                                  high
/// BOOLEAN        0 or 1                               -
/// integers, ...  the value, sign extended             -
/// REAL, DOUBLE   the raw bits (REAL's as an int)      -
/// DECIMAL        the lower half                       the upper half, where wide(), else low's sign
/// UUID           bytes 0 to 7                         bytes 8 to 15
/// strings        bytes 0 to 7 of the view             bytes 8 to 15 of the view
/// NULL           0                                    0
/// ```
public final class PackedColumn {
    /// Larger dictionaries are read value by value, since few of their values may be wanted.
    private static final int MOST_DICTIONARY_HASHES = 1 << 14;

    private static final long[] NO_VALUES = {};

    private long[] low = NO_VALUES;
    private long[] high = NO_VALUES;
    private boolean[] nulls = {};
    private boolean hasNulls;
    private boolean wide;
    private int count;
    private MemorySegment[] slabs;
    private int[] codes = {};
    private Column dictionary;
    private Column hashedDictionary;
    private long[] dictionaryHashes = NO_VALUES;
    private long[] scratch = NO_VALUES;

    /// Packs the values of the first `size` of `rows`.
    ///
    /// @param column scalar, borrowed; the strings of the result are its strings
    /// @param rows   row numbers of `column`, in any order
    public void pack(Column column, int[] rows, int size) {
        begin(size);
        slabs = column.slabs();
        Column.Form form = column.form();
        if (column.physical() == Physical.NONE) {
            setAllNull();
            return;
        }
        switch (form) {
            case FLAT -> packFlat(column, rows);
            case CONSTANT -> packConstant(column);
            case DICTIONARY -> {
                if (codes.length < size) {
                    codes = new int[Math.max(size, low.length)];
                }
                MemorySegment values = column.values();
                int[] into = codes;
                for (int i = 0; i < size; i++) {
                    into[i] = values.getAtIndex(Layouts.INT, rows[i]);
                }
                packFlat(column.dictionary(), codes);
                dictionary = column.dictionary();
            }
        }
        if (column.validity() != null && form != Column.Form.CONSTANT) {
            packNulls(column.validity(), rows);
        }
    }

    private void begin(int size) {
        count = size;
        hasNulls = false;
        wide = false;
        dictionary = null;
        if (low.length < size) {
            low = new long[size];
            nulls = new boolean[size];
        }
    }

    private void widen() {
        wide = true;
        if (high.length < count) {
            high = new long[low.length];
        }
    }

    private void setAllNull() {
        Arrays.fill(low, 0, count, 0);
        Arrays.fill(nulls, 0, count, true);
        if (wide) {
            Arrays.fill(high, 0, count, 0);
        }
        hasNulls = count > 0;
    }

    private void packFlat(Column column, int[] rows) {
        MemorySegment values = column.values();
        long[] into = low;
        int size = count;
        switch (column.physical()) {
            case BIT -> {
                for (int i = 0; i < size; i++) {
                    into[i] = values.get(Layouts.BYTE, rows[i] >>> 3) >>> (rows[i] & 7) & 1;
                }
            }
            case INT8 -> {
                for (int i = 0; i < size; i++) {
                    into[i] = values.get(Layouts.BYTE, rows[i]);
                }
            }
            case INT16 -> {
                for (int i = 0; i < size; i++) {
                    into[i] = values.getAtIndex(Layouts.SHORT, rows[i]);
                }
            }
            case INT32, FLOAT32 -> {
                for (int i = 0; i < size; i++) {
                    into[i] = values.getAtIndex(Layouts.INT, rows[i]);
                }
            }
            case INT64, FLOAT64 -> {
                for (int i = 0; i < size; i++) {
                    into[i] = values.getAtIndex(Layouts.LONG, rows[i]);
                }
            }
            case INT128, VIEW -> {
                widen();
                long[] intoHigh = high;
                for (int i = 0; i < size; i++) {
                    long at = (long) rows[i] << 4;
                    into[i] = values.get(Layouts.LONG, at);
                    intoHigh[i] = values.get(Layouts.LONG, at + 8);
                }
            }
            case LIST, MAP, STRUCT, NONE, HANDLE -> throw new AssertionError(column);
        }
    }

    private void packConstant(Column column) {
        int size = count;
        if (size == 0) {
            return;
        }
        if (column.isNull(0)) {
            if (column.physical().byteWidth() == 16) {
                widen();
            }
            setAllNull();
            return;
        }
        count = 1;
        packFlat(column, new int[1]);
        count = size;
        Arrays.fill(low, 0, size, low[0]);
        if (wide) {
            long only = high[0];
            widen();
            Arrays.fill(high, 0, size, only);
        }
    }

    private void packNulls(MemorySegment validity, int[] rows) {
        int size = count;
        boolean any = false;
        for (int i = 0; i < size; i++) {
            boolean isNull = !Bitmap.get(validity, rows[i]);
            nulls[i] = isNull;
            any |= isNull;
        }
        hasNulls = any;
        if (!any) {
            return;
        }
        for (int i = 0; i < size; i++) {
            low[i] = nulls[i] ? 0 : low[i];
        }
        if (wide) {
            for (int i = 0; i < size; i++) {
                high[i] = nulls[i] ? 0 : high[i];
            }
        }
    }

    /// Packs values out of stored rows.
    ///
    /// @param rowBytes 1, 2, 4, 8 or 16: the value's bytes in a row; 0 where every value is NULL
    /// @param memory   the slabs in which the rows and their strings lie
    void gather(long[] places, int size, RowField field, int rowBytes, MemorySegment[] memory) {
        begin(size);
        slabs = memory;
        int offset = field.offset();
        long[] into = low;
        switch (rowBytes) {
            case 0 -> setAllNull();
            case 1 -> {
                for (int i = 0; i < size; i++) {
                    into[i] = RowPlace.slab(memory, places[i]).get(Layouts.BYTE, RowPlace.offset(places[i]) + offset);
                }
            }
            case 2 -> {
                for (int i = 0; i < size; i++) {
                    into[i] = RowPlace.slab(memory, places[i]).get(Layouts.SHORT, RowPlace.offset(places[i]) + offset);
                }
            }
            case 4 -> {
                for (int i = 0; i < size; i++) {
                    into[i] = RowPlace.slab(memory, places[i]).get(Layouts.INT, RowPlace.offset(places[i]) + offset);
                }
            }
            case 8 -> {
                for (int i = 0; i < size; i++) {
                    into[i] = RowPlace.slab(memory, places[i]).get(Layouts.LONG, RowPlace.offset(places[i]) + offset);
                }
            }
            default -> {
                widen();
                long[] intoHigh = high;
                for (int i = 0; i < size; i++) {
                    MemorySegment slab = RowPlace.slab(memory, places[i]);
                    int at = RowPlace.offset(places[i]) + offset;
                    into[i] = slab.get(Layouts.LONG, at);
                    intoHigh[i] = slab.get(Layouts.LONG, at + 8);
                }
            }
        }
        if (rowBytes > 0) {
            gatherNulls(places, field, memory);
        }
    }

    private void gatherNulls(long[] places, RowField field, MemorySegment[] memory) {
        int size = count;
        int nullOffset = field.flagOffset();
        int mask = field.flagMask();
        int nullFlag = field.nullFlag();
        boolean any = false;
        for (int i = 0; i < size; i++) {
            int word = RowPlace.slab(memory, places[i]).get(Layouts.INT, RowPlace.offset(places[i]) + nullOffset);
            boolean isNull = (word & mask) == nullFlag;
            nulls[i] = isNull;
            any |= isNull;
        }
        hasNulls = any;
    }

    /// How many values there are.
    public int count() {
        return count;
    }

    /// Value `i`, or its lower half, at `i`; the array may be longer than [#count()].
    public long[] low() {
        return low;
    }

    /// The upper halves; defined where [#wide()].
    public long[] high() {
        return high;
    }

    /// Whether the values have 128 bits.
    public boolean wide() {
        return wide;
    }

    /// Whether value `i` is NULL, at `i`; defined where [#hasNulls()].
    public boolean[] nulls() {
        return nulls;
    }

    /// Whether any of the values is NULL.
    public boolean hasNulls() {
        return hasNulls;
    }

    public boolean isNull(int i) {
        return hasNulls && nulls[i];
    }

    /// The slabs in which long strings lie.
    public MemorySegment[] slabs() {
        return slabs;
    }

    /// The dictionary codes; defined while they are those of a dictionary column.
    public int[] codes() {
        return codes;
    }

    /// Room for a number a value, with undefined contents.
    long[] scratch() {
        if (scratch.length < count) {
            scratch = new long[low.length];
        }
        return scratch;
    }

    /// The bits of strings that are hashed, worked out once for each value of the present dictionary.
    ///
    /// @return a value a code, or null where there is no dictionary or it is too large to be worth it
    long[] dictionaryHashes() {
        if (dictionary == null || dictionary.rowCount() > MOST_DICTIONARY_HASHES) {
            return null;
        }
        if (dictionary != hashedDictionary) {
            int size = dictionary.rowCount();
            if (dictionaryHashes.length < size) {
                dictionaryHashes = new long[size];
            }
            PackedColumn values = new PackedColumn();
            int[] all = new int[size];
            Arrays.setAll(all, i -> i);
            values.pack(dictionary, all, size);
            HashLoops.viewBits(values, dictionaryHashes);
            hashedDictionary = dictionary;
        }
        return dictionaryHashes;
    }
}
