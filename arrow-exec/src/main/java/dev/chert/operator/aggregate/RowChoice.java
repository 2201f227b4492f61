package dev.chert.operator.aggregate;

import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.Layouts;
import java.lang.foreign.MemorySegment;

/// The rows of a batch that one aggregate is shown, with the places of their groups. Scratch of one worker.
final class RowChoice {
    private int[] rows;
    private long[] places;
    private int count;
    private int[] ownRows = {};
    private long[] ownPlaces = {};

    /// Begins with all rows of the batch.
    ///
    /// @param allRows   row numbers, borrowed, not changed
    /// @param allPlaces the group's row of each, borrowed, not changed
    void chooseAll(int[] allRows, long[] allPlaces, int size) {
        rows = allRows;
        places = allPlaces;
        count = size;
    }

    /// Keeps the rows where a BOOLEAN column is true.
    void keepTrue(Column condition) {
        keepPresent(condition);
        MemorySegment bits = condition.valueColumn().values();
        switch (condition.form()) {
            case CONSTANT -> count = count > 0 && Bitmap.get(bits, 0) ? count : 0;
            case FLAT -> {
                begin();
                int kept = 0;
                for (int i = 0; i < count; i++) {
                    int row = rows[i];
                    ownRows[kept] = row;
                    ownPlaces[kept] = places[i];
                    kept += bits.get(Layouts.BYTE, row >>> 3) >>> (row & 7) & 1;
                }
                end(kept);
            }
            case DICTIONARY -> {
                begin();
                int kept = 0;
                for (int i = 0; i < count; i++) {
                    int row = rows[i];
                    ownRows[kept] = row;
                    ownPlaces[kept] = places[i];
                    kept += Bitmap.get(bits, condition.valueRow(row)) ? 1 : 0;
                }
                end(kept);
            }
        }
    }

    /// Keeps the rows where a column is not NULL.
    void keepPresent(Column column) {
        if (!column.hasNulls()) {
            return;
        }
        MemorySegment validity = column.validity();
        if (validity == null) {
            count = 0; // the type of NULL
            return;
        }
        if (column.isConstant()) {
            count = column.isNull(0) ? 0 : count;
            return;
        }
        begin();
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            ownRows[kept] = row;
            ownPlaces[kept] = places[i];
            kept += validity.get(Layouts.BYTE, row >>> 3) >>> (row & 7) & 1;
        }
        end(kept);
    }

    private void begin() {
        if (ownRows.length < count) {
            ownRows = new int[count];
            ownPlaces = new long[count];
        }
    }

    private void end(int kept) {
        rows = ownRows; // rows only move to the left, so they may be narrowed in place from now on
        places = ownPlaces;
        count = kept;
    }

    int[] rows() {
        return rows;
    }

    long[] places() {
        return places;
    }

    int count() {
        return count;
    }
}
