package dev.chert.expression;

import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.kernel.ColumnGather;
import dev.chert.kernel.Selections;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// What a call gives for each value of the dictionary that was seen last.
///
/// Knows the dictionary by identity only and does not keep it alive. Results that are NULL are folded into the
/// validity of the rows, since values of a dictionary are never NULL.
final class DictionaryResults {
    private Column known;
    private Column results;
    private Column values;
    private boolean[] answers;

    boolean knows(Column dictionary) {
        return known == dictionary;
    }

    /// False where the dictionary that is known was refused.
    boolean areUsable() {
        return results != null;
    }

    /// @param computed given: a row a value of the dictionary
    void remember(Column dictionary, Column computed) {
        close();
        known = dictionary;
        results = computed;
        if (computed.validity() == null) {
            computed.retain();
            values = computed;
        } else {
            computed.retain();
            values = Column.flat(
                    computed.type(),
                    computed.physical(),
                    computed.rowCount(),
                    computed.values(),
                    null,
                    null,
                    computed.slabs(),
                    computed);
        }
    }

    void refuse(Column dictionary) {
        close();
        known = dictionary;
    }

    /// Gives the rows of a column over the known dictionary their results: a dictionary column, or, where they
    /// are BOOLEAN, a flat one.
    Column wrap(Column from, Rows rows, Allocator allocator) {
        Column wrapped = withResults(from, rows, allocator);
        if (values.physical() != Physical.BIT) {
            return wrapped;
        }
        try {
            return ColumnGather.flatten(wrapped, rows.selection(), rows.count(), allocator);
        } finally {
            wrapped.release();
        }
    }

    private Column withResults(Column from, Rows rows, Allocator allocator) {
        values.retain();
        from.retain();
        if (results.validity() == null) {
            return Column.dictionary(from.rowCount(), from.values(), from.validity(), values, from);
        }
        Buffer validity = allocator.allocateZeroed(Math.max(64, Bitmap.paddedBytes(from.rowCount())));
        MemorySegment bits = validity.segment();
        MemorySegment codes = from.values();
        for (int i = 0; i < rows.count(); i++) {
            int row = rows.row(i);
            boolean present = !from.isNull(row) && Bitmap.get(results.validity(), codes.getAtIndex(Layouts.INT, row));
            Bitmap.put(bits, row, present);
        }
        return Column.dictionary(from.rowCount(), codes, bits, values, from, validity);
    }

    /// Keeps the rows of a column over the known dictionary whose result is true.
    int select(Column from, Rows rows, int[] kept) {
        if (answers == null) {
            answers = new boolean[results.rowCount()];
            for (int i = 0; i < answers.length; i++) {
                answers[i] = !results.isNull(i) && Bitmap.get(results.values(), i);
            }
        }
        MemorySegment codes = from.values();
        boolean[] byCode = answers;
        int size = 0;
        for (int i = 0; i < rows.count(); i++) {
            int row = rows.row(i);
            kept[size] = row;
            size += byCode[codes.getAtIndex(Layouts.INT, row)] ? 1 : 0;
        }
        return from.validity() == null ? size : dropNulls(from.validity(), kept, size);
    }

    private static int dropNulls(MemorySegment validity, int[] kept, int count) {
        return Selections.withBit(validity, kept, count, kept);
    }

    void close() {
        if (results != null) {
            results.release();
            values.release();
        }
        known = null;
        results = null;
        values = null;
        answers = null;
    }
}
