package dev.chert.kernel;

import dev.chert.batch.Bitmap;
import dev.chert.batch.Layouts;
import java.lang.foreign.MemorySegment;

/// Kernels over selection vectors: ascending row numbers in the first `count` entries of an array.
public final class Selections {
    private Selections() {}

    /// Keeps the rows whose bit is set.
    ///
    /// @param selection rows to look at, or null for rows 0 to `count - 1`
    /// @param kept      room for `count` rows; may be `selection` itself
    /// @return          how many rows were kept
    public static int withBit(MemorySegment bits, int[] selection, int count, int[] kept) {
        if (selection == null) {
            return onesOf(bits, count, kept);
        }
        int size = 0;
        for (int i = 0; i < count; i++) {
            int row = selection[i];
            kept[size] = row;
            size += bits.get(Layouts.BYTE, row >>> 3) >>> (row & 7) & 1;
        }
        return size;
    }

    /// Keeps the rows whose bit is not set; else as [#withBit].
    public static int withoutBit(MemorySegment bits, int[] selection, int count, int[] kept) {
        int size = 0;
        for (int i = 0; i < count; i++) {
            int row = selection == null ? i : selection[i];
            kept[size] = row;
            size += ~(bits.get(Layouts.BYTE, row >>> 3) >>> (row & 7)) & 1;
        }
        return size;
    }

    private static int onesOf(MemorySegment bits, int count, int[] kept) {
        int size = 0;
        int row = 0;
        for (int words = count >>> 6, w = 0; w < words; w++, row += 64) {
            long word = bits.getAtIndex(Layouts.LONG, w);
            if (word == -1L) {
                for (int i = 0; i < 64; i++) {
                    kept[size + i] = row + i;
                }
                size += 64;
            } else {
                for (; word != 0; word &= word - 1) {
                    kept[size++] = row + Long.numberOfTrailingZeros(word);
                }
            }
        }
        for (; row < count; row++) {
            kept[size] = row;
            size += Bitmap.get(bits, row) ? 1 : 0;
        }
        return size;
    }

    /// Writes the rows of one selection that are not in another.
    ///
    /// @param from    rows, or null for rows 0 to `count - 1`
    /// @param without rows of `from`
    /// @param kept    room for `count` rows; neither of the two others, but may be `from`
    public static int difference(int[] from, int count, int[] without, int withoutCount, int[] kept) {
        int size = 0;
        int next = 0;
        for (int i = 0; i < count; i++) {
            int row = from == null ? i : from[i];
            if (next < withoutCount && without[next] == row) {
                next++;
            } else {
                kept[size++] = row;
            }
        }
        return size;
    }

    /// Merges two selections without a common row.
    ///
    /// @param merged room for both; neither of them
    public static int union(int[] left, int leftCount, int[] right, int rightCount, int[] merged) {
        int size = 0;
        int l = 0;
        int r = 0;
        while (l < leftCount && r < rightCount) {
            merged[size++] = left[l] < right[r] ? left[l++] : right[r++];
        }
        while (l < leftCount) {
            merged[size++] = left[l++];
        }
        while (r < rightCount) {
            merged[size++] = right[r++];
        }
        return size;
    }
}
