package dev.chert.operator.table;

import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.RowField;
import dev.chert.batch.RowPlace;
import dev.chert.batch.RowString;
import dev.chert.batch.StringHeap;
import dev.chert.batch.TypeKind;
import dev.chert.batch.TypeOps;
import dev.chert.error.TableException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// How the values of a row lie in memory, one after the other, in a fixed number of bytes.
///
/// ```text
/// 0       8                                                            rowBytes, a multiple of 8
/// | hash  | null bits        | fields, widest first        | pad | extra bytes |
///           int32 words: bit i of word w is field 31 w + i; bit 31 of word 0: the row is dead
/// ```
///
/// A string is a 16-byte view whose long bytes lie in the heap of the row's pages. The extra bytes are the
/// caller's: accumulators of an aggregation, which may hold strings too, the link to the next row of a join. Keys
/// come first among the fields.
public final class RowLayout {
    /// Where the row's hash lies.
    public static final int HASH_OFFSET = 0;

    static final int NULLS_OFFSET = 8;

    /// In the first null word: the row counts no more, since another one took over.
    static final int DEAD = 1 << 31;

    /// In the view of a long string: the slab in which its bytes lie, and where.
    static final int VIEW_SLAB = 8;

    static final int VIEW_OFFSET = 12;

    private static final int FIELDS_PER_WORD = 31;

    private final TypeOps[] ops;
    private final RowField[] fields;
    private final int[] fixedFields;
    private final int[] stringFields;
    private final RowString[] strings;
    private final int nullWords;
    private final int extraOffset;
    private final int rowBytes;

    /// @param types      of the fields
    /// @param extraBytes how many bytes the caller wants beside the fields
    /// @throws TableException if a type cannot be stored or a row is too long for a page
    public RowLayout(List<DataType> types, int extraBytes) {
        this(types, extraBytes, List.of());
    }

    /// @param extraStrings where the extra bytes hold strings
    public RowLayout(List<DataType> types, int extraBytes, List<RowString> extraStrings) {
        int count = types.size();
        ops = types.stream().map(TypeOps::of).toArray(TypeOps[]::new);
        fields = new RowField[count];
        stringFields =
                IntStream.range(0, count).filter(i -> isString(types.get(i))).toArray();
        fixedFields =
                IntStream.range(0, count).filter(i -> !isString(types.get(i))).toArray();
        nullWords = Math.max(1, (count + FIELDS_PER_WORD - 1) / FIELDS_PER_WORD);
        int offset = NULLS_OFFSET + Integer.BYTES * nullWords;
        Integer[] widestFirst = new Integer[count];
        Arrays.setAll(widestFirst, i -> i);
        Arrays.sort(widestFirst, Comparator.comparing((Integer i) -> -ops[i].rowBytes()));
        for (int i : widestFirst) {
            int word = NULLS_OFFSET + i / FIELDS_PER_WORD * Integer.BYTES;
            fields[i] = RowField.nullable(offset, word, 1 << i % FIELDS_PER_WORD);
            offset += ops[i].rowBytes();
        }
        strings = Stream.concat(
                        Arrays.stream(stringFields).mapToObj(f -> RowString.ofField(fields[f])), extraStrings.stream())
                .toArray(RowString[]::new);
        extraOffset = (offset + 7) & ~7;
        rowBytes = (extraOffset + extraBytes + 7) & ~7;
        if (rowBytes > RowPlace.MAX_PAGE_BYTES) {
            throw new TableException("a row of " + count + " columns takes " + rowBytes + " bytes in a hash table, "
                    + RowPlace.MAX_PAGE_BYTES + " are possible; select fewer columns");
        }
    }

    private static boolean isString(DataType type) {
        return type.kind().isCharacter() || type.kind() == TypeKind.VARBINARY;
    }

    public int fieldCount() {
        return fields.length;
    }

    public RowField field(int i) {
        return fields[i];
    }

    public TypeOps ops(int i) {
        return ops[i];
    }

    /// The first of the caller's bytes, a multiple of 8.
    public int extraOffset() {
        return extraOffset;
    }

    public int rowBytes() {
        return rowBytes;
    }

    /// Every string that a row may hold: those of the fields, then those of the extra bytes.
    RowString[] strings() {
        return strings;
    }

    /// The length of a string whose bytes lie outside of its row; 0 for any other, and for NULL.
    ///
    /// @param slab in which the row lies, from `at` on
    static int longLength(RowString string, MemorySegment slab, int at) {
        RowField view = string.view();
        if ((slab.get(Layouts.INT, at + view.flagOffset()) & view.flagMask()) == view.nullFlag()) {
            return 0;
        }
        int length = slab.get(Layouts.INT, at + view.offset());
        return length > RowString.INLINE_BYTES ? length : 0;
    }

    int nullWords() {
        return nullWords;
    }

    /// Whether strings are among the first `fieldCount` fields.
    boolean hasStrings(int fieldCount) {
        return stringFields.length > 0 && stringFields[0] < fieldCount;
    }

    /// Stores null bits and all values but strings into rows.
    ///
    /// @param values    of the first fields
    /// @param positions which of the values, `count` of them
    /// @param places    the row of value `i` at `i`
    /// @param slabs     fetched after the rows were added
    void storeFixed(RowValues values, int[] positions, int count, long[] places, MemorySegment[] slabs) {
        if (values.hasNulls()) {
            for (int w = 0; w < nullWords; w++) {
                int[] words = values.nullWords(w);
                int offset = NULLS_OFFSET + Integer.BYTES * w;
                for (int i = 0; i < count; i++) {
                    int p = positions[i];
                    RowPlace.slab(slabs, places[p]).set(Layouts.INT, RowPlace.offset(places[p]) + offset, words[p]);
                }
            }
        }
        for (int f : fixedFields) {
            if (f < values.fieldCount()) {
                ops[f].store(values.column(f), positions, count, fields[f], places, slabs, null);
            }
        }
    }

    /// Stores strings into rows; else as [#storeFixed].
    ///
    /// @param heap takes the long ones
    void storeStrings(
            RowValues values, int[] positions, int count, long[] places, MemorySegment[] slabs, StringHeap heap) {
        for (int f : stringFields) {
            if (f < values.fieldCount()) {
                ops[f].store(values.column(f), positions, count, fields[f], places, slabs, heap);
            }
        }
    }

    /// The bits of null word `word` that belong to the first `fieldCount` fields.
    static int nullMask(int word, int fieldCount) {
        int bits = Math.clamp(fieldCount - (long) word * FIELDS_PER_WORD, 0, FIELDS_PER_WORD);
        return (1 << bits) - 1;
    }

    static int nullWordOf(int field) {
        return field / FIELDS_PER_WORD;
    }

    static int nullBitOf(int field) {
        return field % FIELDS_PER_WORD;
    }
}
