package dev.chert.formats.parquet;

import static dev.chert.batch.Layouts.BYTE;
import static dev.chert.batch.Layouts.INT;
import static dev.chert.batch.Layouts.LONG;
import static dev.chert.batch.Layouts.SHORT;

import dev.chert.batch.Bitmap;
import java.lang.foreign.MemorySegment;

/// Loops that move values to their rows: spread over NULLs, gathered from a dictionary.
final class Rows {
    private Rows() {}

    /// Moves values that lie side by side apart, so that each valid row has its own; a NULL row gets 0.
    ///
    /// @param values   `valid` values from its begin, room for `count`
    /// @param width    bytes of a value: 1, 2, 4, 8 or 16
    /// @param validity has the rows' bits from `firstBit` on
    static void spread(MemorySegment values, int width, MemorySegment validity, int firstBit, int count, int valid) {
        switch (width) {
            case 1 -> spreadBytes(values, validity, firstBit, count, valid);
            case 2 -> spreadShorts(values, validity, firstBit, count, valid);
            case 4 -> spreadInts(values, validity, firstBit, count, valid);
            case 8 -> spreadLongs(values, validity, firstBit, count, valid);
            default -> spreadLongPairs(values, validity, firstBit, count, valid);
        }
    }

    // These loops run from the end: a value moves right, over values that have moved before.

    private static void spreadBytes(MemorySegment values, MemorySegment validity, int firstBit, int count, int valid) {
        int from = valid;
        for (int row = count - 1; row >= 0; row--) {
            boolean isValid = Bitmap.get(validity, firstBit + row);
            from -= isValid ? 1 : 0;
            values.set(BYTE, row, isValid ? values.get(BYTE, from) : 0);
        }
    }

    private static void spreadShorts(MemorySegment values, MemorySegment validity, int firstBit, int count, int valid) {
        int from = valid;
        for (int row = count - 1; row >= 0; row--) {
            boolean isValid = Bitmap.get(validity, firstBit + row);
            from -= isValid ? 1 : 0;
            values.setAtIndex(SHORT, row, isValid ? values.getAtIndex(SHORT, from) : 0);
        }
    }

    private static void spreadInts(MemorySegment values, MemorySegment validity, int firstBit, int count, int valid) {
        int from = valid;
        for (int row = count - 1; row >= 0; row--) {
            boolean isValid = Bitmap.get(validity, firstBit + row);
            from -= isValid ? 1 : 0;
            values.setAtIndex(INT, row, isValid ? values.getAtIndex(INT, from) : 0);
        }
    }

    private static void spreadLongs(MemorySegment values, MemorySegment validity, int firstBit, int count, int valid) {
        int from = valid;
        for (int row = count - 1; row >= 0; row--) {
            boolean isValid = Bitmap.get(validity, firstBit + row);
            from -= isValid ? 1 : 0;
            values.setAtIndex(LONG, row, isValid ? values.getAtIndex(LONG, from) : 0);
        }
    }

    private static void spreadLongPairs(
            MemorySegment values, MemorySegment validity, int firstBit, int count, int valid) {
        int from = valid;
        for (int row = count - 1; row >= 0; row--) {
            boolean isValid = Bitmap.get(validity, firstBit + row);
            from -= isValid ? 1 : 0;
            values.setAtIndex(LONG, 2L * row, isValid ? values.getAtIndex(LONG, 2L * from) : 0);
            values.setAtIndex(LONG, 2L * row + 1, isValid ? values.getAtIndex(LONG, 2L * from + 1) : 0);
        }
    }

    /// As [#spread], for values of one bit from `firstRow` on.
    static void spreadBits(MemorySegment values, int firstRow, MemorySegment validity, int count, int valid) {
        int from = valid;
        for (int row = count - 1; row >= 0; row--) {
            boolean isValid = Bitmap.get(validity, firstRow + row);
            from -= isValid ? 1 : 0;
            Bitmap.put(values, firstRow + row, isValid && Bitmap.get(values, firstRow + from));
        }
    }

    /// Makes the views of NULL rows empty strings.
    static void clearViews(MemorySegment views, MemorySegment validity, int count) {
        for (int row = 0; row < count; row++) {
            if (!Bitmap.get(validity, row)) {
                views.setAtIndex(LONG, 2L * row, 0);
                views.setAtIndex(LONG, 2L * row + 1, 0);
            }
        }
    }

    /// Copies `dictionary[codes[i]]` to `values[i]`; the codes are valid.
    ///
    /// @param width bytes of a value: 1, 2, 4, 8 or 16
    static void gather(MemorySegment codes, MemorySegment dictionary, int width, MemorySegment values, int count) {
        switch (width) {
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    values.set(BYTE, i, dictionary.get(BYTE, codes.getAtIndex(INT, i)));
                }
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    values.setAtIndex(SHORT, i, dictionary.getAtIndex(SHORT, codes.getAtIndex(INT, i)));
                }
            }
            case 4 -> {
                for (int i = 0; i < count; i++) {
                    values.setAtIndex(INT, i, dictionary.getAtIndex(INT, codes.getAtIndex(INT, i)));
                }
            }
            case 8 -> {
                for (int i = 0; i < count; i++) {
                    values.setAtIndex(LONG, i, dictionary.getAtIndex(LONG, codes.getAtIndex(INT, i)));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    long at = 2L * codes.getAtIndex(INT, i);
                    values.setAtIndex(LONG, 2L * i, dictionary.getAtIndex(LONG, at));
                    values.setAtIndex(LONG, 2L * i + 1, dictionary.getAtIndex(LONG, at + 1));
                }
            }
        }
    }

    /// The largest of `count` codes as unsigned numbers, or 0.
    static long largestCode(MemorySegment codes, int count) {
        int largest = Integer.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            largest = Math.max(largest, codes.getAtIndex(INT, i) ^ Integer.MIN_VALUE);
        }
        return (largest ^ Integer.MIN_VALUE) & 0xFFFFFFFFL;
    }
}
