package dev.chert.operator.aggregate;

import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.batch.RowPlace;
import dev.chert.operator.table.RowTable;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Finds groups by an array where the keys of a batch have few possible values, and through a [GroupTable] else.
///
/// ```text
/// dictionary code, BOOLEAN, TINYINT or constant of each key -> code of the whole key -> place, unless unknown
///     yet size n + 1 (n is NULL)   3        257        1           mixed radix             ask the table, once a
///     code
/// ```
///
/// What codes mean changes with the dictionaries, and places change when rows move or are spilled, so the array is
/// forgotten then; the groups are the table's.
/// Memory: the table's and at most 128 KiB of Java arrays.
final class DirectGroups implements Groups {
    private static final int MOST_CODES = 1 << 14;

    /// Of a code that has been met in this batch and not looked up yet.
    private static final long PENDING = -2;

    private static final Object BOOLEANS = "BOOLEAN";
    private static final Object BYTES = "TINYINT";

    private final GroupTable groups;
    private final int keyCount;
    private final Object[] domains;
    private int moves;
    private long[] placeOfCode = {};
    private int[] codes = {};
    private int[] unknownRows = {};
    private int[] unknownCodes = {};
    private long[] unknownPlaces = {};

    DirectGroups(GroupTable groups, int keyCount) {
        this.groups = groups;
        this.keyCount = keyCount;
        this.domains = new Object[keyCount];
    }

    @Override
    public void find(Column[] columns, int[] rows, int count, long[] places) {
        int size = codeCount(columns);
        if (size > MOST_CODES) {
            groups.find(columns, rows, count, places);
            return;
        }
        forgetWhatChanged(columns, size);
        reserve(count);
        for (int key = 0; key < keyCount; key++) {
            addCodes(columns[key], rows, count, key == 0);
        }
        int unknown = 0;
        for (int i = 0; i < count; i++) {
            int code = codes[i];
            if (placeOfCode[code] == RowPlace.NONE) {
                placeOfCode[code] = PENDING;
                unknownRows[unknown] = rows[i];
                unknownCodes[unknown++] = code;
            }
        }
        if (unknown > 0) {
            groups.find(columns, unknownRows, unknown, unknownPlaces);
            for (int i = 0; i < unknown; i++) {
                placeOfCode[unknownCodes[i]] = unknownPlaces[i];
            }
        }
        for (int i = 0; i < count; i++) {
            places[i] = placeOfCode[codes[i]];
        }
    }

    /// How many keys are possible in a batch; more than [#MOST_CODES] where that is not known.
    private int codeCount(Column[] columns) {
        long count = 1;
        for (int key = 0; key < keyCount && count <= MOST_CODES; key++) {
            count *= codeCount(columns[key]);
        }
        return (int) Math.min(count, MOST_CODES + 1);
    }

    private static int codeCount(Column column) {
        return switch (column.form()) {
            case CONSTANT -> 1;
            case DICTIONARY -> column.dictionary().rowCount() + 1;
            case FLAT ->
                column.physical() == Physical.BIT ? 3 : column.physical() == Physical.INT8 ? 257 : MOST_CODES + 1;
        };
    }

    private void forgetWhatChanged(Column[] columns, int size) {
        int now = groups.splitIfLarge();
        boolean changed = now != moves;
        moves = now;
        for (int key = 0; key < keyCount; key++) {
            Column column = columns[key];
            Object domain = switch (column.form()) {
                case CONSTANT -> column;
                case DICTIONARY -> column.dictionary();
                case FLAT -> column.physical() == Physical.BIT ? BOOLEANS : BYTES;
            };
            changed |= domains[key] != domain;
            domains[key] = domain;
        }
        if (changed) {
            if (placeOfCode.length < size) {
                placeOfCode = new long[size];
            }
            Arrays.fill(placeOfCode, 0, size, RowPlace.NONE);
        }
    }

    private void reserve(int count) {
        if (codes.length < count) {
            codes = new int[count];
            unknownRows = new int[count];
            unknownCodes = new int[count];
            unknownPlaces = new long[count];
        }
    }

    private void addCodes(Column column, int[] rows, int count, boolean first) {
        int size = codeCount(column);
        int[] into = codes;
        if (first) {
            Arrays.fill(into, 0, count, 0);
        }
        MemorySegment values = column.values();
        switch (column.form()) {
            case CONSTANT -> {
                return; // adds the only code there is, 0
            }
            case DICTIONARY -> {
                for (int i = 0; i < count; i++) {
                    into[i] = into[i] * size + values.getAtIndex(Layouts.INT, rows[i]);
                }
            }
            case FLAT -> {
                if (column.physical() == Physical.BIT) {
                    for (int i = 0; i < count; i++) {
                        into[i] = into[i] * size + (Bitmap.get(values, rows[i]) ? 1 : 0);
                    }
                } else {
                    for (int i = 0; i < count; i++) {
                        into[i] = into[i] * size + (values.get(Layouts.BYTE, rows[i]) & 0xFF);
                    }
                }
            }
        }
        MemorySegment validity = column.validity();
        if (validity != null) {
            for (int i = 0; i < count; i++) {
                if (!Bitmap.get(validity, rows[i])) {
                    into[i] += size - 1 - into[i] % size; // NULL is the last code
                }
            }
        }
    }

    @Override
    public RowTable table() {
        return groups.table();
    }
}
