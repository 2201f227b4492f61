package dev.chert.operator.table;

import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.RowField;
import dev.chert.batch.RowPlace;
import dev.chert.batch.StringHeap;
import dev.chert.batch.TypeOps;
import dev.chert.error.TableException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// How the values of a row lie in memory, one after the other, in a fixed number of bytes.
///
/// ```text
/// 0       8                                                            rowBytes, a multiple of 8
/// | hash  | null bits        | fields, widest first        | pad | extra bytes |
///           int32 words: bit i of word w is field 31 w + i; bit 31 of word 0: the row is dead
/// ```
///
/// A string is a 16-byte view whose long bytes lie in the heap of the row's table. The extra bytes are the
/// caller's: accumulators of an aggregation, the link to the next row of a join. Keys come first among the
/// fields.
public final class RowLayout {
    /// Where the row's hash lies.
    public static final int HASH_OFFSET = 0;

    static final int NULLS_OFFSET = 8;

    /// In the first null word: the row counts no more, since another one took over.
    static final int DEAD = 1 << 31;

    private static final int FIELDS_PER_WORD = 31;

    private final TypeOps[] ops;
    private final RowField[] fields;
    private final int nullWords;
    private final int extraOffset;
    private final int rowBytes;

    /// @param types      of the fields
    /// @param extraBytes how many bytes the caller wants beside the fields
    /// @throws TableException if a type cannot be stored or a row is too long for a page
    public RowLayout(List<DataType> types, int extraBytes) {
        int count = types.size();
        ops = types.stream().map(TypeOps::of).toArray(TypeOps[]::new);
        fields = new RowField[count];
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
        extraOffset = (offset + 7) & ~7;
        rowBytes = (extraOffset + extraBytes + 7) & ~7;
        if (rowBytes > RowPlace.MAX_PAGE_BYTES) {
            throw new TableException("a row of " + count + " columns takes " + rowBytes + " bytes in a hash table, "
                    + RowPlace.MAX_PAGE_BYTES + " are possible; select fewer columns");
        }
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

    int nullWords() {
        return nullWords;
    }

    /// Stores values and null bits into rows.
    ///
    /// @param values    of the first fields
    /// @param positions which of the values, `count` of them
    /// @param places    the row of value `i` at `i`
    /// @param slabs     fetched after the rows were added
    /// @param heap      takes the long strings
    void store(RowValues values, int[] positions, int count, long[] places, MemorySegment[] slabs, StringHeap heap) {
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
        for (int f = 0; f < values.fieldCount(); f++) {
            ops[f].store(values.column(f), positions, count, fields[f], places, slabs, heap);
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
