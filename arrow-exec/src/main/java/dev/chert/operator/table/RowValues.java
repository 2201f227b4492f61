package dev.chert.operator.table;

import dev.chert.batch.Column;
import dev.chert.batch.PackedColumn;
import dev.chert.batch.TypeOps;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Some rows, packed column by column for the first fields of a layout: ready to be hashed, looked up and stored.
///
/// Filled from a batch ([#pack]) or from stored rows ([#gather]). Value `i` of every column is of the same row.
/// Scratch of one worker; long strings stay where they are, so the batch or the rows must live until the values
/// are used up.
public final class RowValues {
    private final TypeOps[] ops;
    private final PackedColumn[] columns;
    private int[][] nullWords;
    private boolean hasNulls;
    private int count;

    /// @param fieldCount how many fields of the layout are filled, from the first on
    public RowValues(RowLayout layout, int fieldCount) {
        ops = new TypeOps[fieldCount];
        columns = new PackedColumn[fieldCount];
        for (int i = 0; i < fieldCount; i++) {
            ops[i] = layout.ops(i);
            columns[i] = new PackedColumn();
        }
        nullWords = new int[layout.nullWords()][0];
    }

    /// Packs rows of a batch.
    ///
    /// @param from one column a field, borrowed
    /// @param rows which rows, `size` of them
    public void pack(Column[] from, int[] rows, int size) {
        for (int i = 0; i < columns.length; i++) {
            columns[i].pack(from[i], rows, size);
        }
        count = size;
        packNullWords();
    }

    /// Packs fields of stored rows.
    ///
    /// @param layout of the rows; begins with the same fields
    public void gather(RowLayout layout, long[] places, int size, MemorySegment[] slabs) {
        for (int i = 0; i < columns.length; i++) {
            ops[i].gather(places, size, layout.field(i), slabs, columns[i]);
        }
        count = size;
        packNullWords();
    }

    private void packNullWords() {
        hasNulls = false;
        for (PackedColumn column : columns) {
            hasNulls |= column.hasNulls();
        }
        if (!hasNulls) {
            return;
        }
        for (int w = 0; w < nullWords.length; w++) {
            if (nullWords[w].length < count) {
                nullWords[w] = new int[count];
            } else {
                Arrays.fill(nullWords[w], 0, count, 0);
            }
        }
        for (int f = 0; f < columns.length; f++) {
            if (columns[f].hasNulls()) {
                int[] words = nullWords[RowLayout.nullWordOf(f)];
                int bit = RowLayout.nullBitOf(f);
                boolean[] nulls = columns[f].nulls();
                for (int i = 0; i < count; i++) {
                    words[i] |= nulls[i] ? 1 << bit : 0;
                }
            }
        }
    }

    /// Hashes the columns from `first` up to, not including, `end`; of no columns the hash is 0.
    ///
    /// @param hashes  receives one hash a row; the hashes so far where `combine`
    /// @param combine whether columns were hashed before
    public void hash(int first, int end, long[] hashes, boolean combine) {
        if (first == end && !combine) {
            Arrays.fill(hashes, 0, count, 0);
        }
        for (int i = first; i < end; i++) {
            ops[i].hash(columns[i], hashes, combine || i > first);
        }
    }

    /// Keeps the positions whose first `fieldCount` fields are all not NULL.
    ///
    /// @param positions `size` positions, narrowed in place
    /// @return          how many were kept
    public int keepPresent(int fieldCount, int[] positions, int size) {
        int kept = size;
        for (int f = 0; f < fieldCount; f++) {
            if (columns[f].hasNulls()) {
                boolean[] nulls = columns[f].nulls();
                int before = kept;
                kept = 0;
                for (int i = 0; i < before; i++) {
                    int position = positions[i];
                    positions[kept] = position;
                    kept += nulls[position] ? 0 : 1;
                }
            }
        }
        return kept;
    }

    /// How many rows there are.
    public int count() {
        return count;
    }

    public int fieldCount() {
        return columns.length;
    }

    public PackedColumn column(int i) {
        return columns[i];
    }

    /// Whether any value is NULL.
    public boolean hasNulls() {
        return hasNulls;
    }

    /// Null word `word` of each row; defined where [#hasNulls()].
    int[] nullWords(int word) {
        return nullWords[word];
    }
}
