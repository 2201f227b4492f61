package dev.chert.formats.parquet;

import static dev.chert.batch.Layouts.BYTE;
import static dev.chert.batch.Layouts.INT;
import static dev.chert.batch.Layouts.LONG;

import java.lang.foreign.MemorySegment;

/// Loops that make views of byte strings that stay where they lie in a page.
final class Views {
    private static final int VIEW_BYTES = 16;
    private static final int INLINE_BYTES = 12;

    private Views() {}

    /// Makes views of `count` strings, each after its length in 4 bytes.
    ///
    /// @param page       borrowed; whoever holds the views keeps its buffer
    /// @param at         byte of the page at which the first length lies
    /// @param slab       number of the page's slab
    /// @param slabOffset where in its slab the page begins
    /// @param views      room for `count` views
    /// @return           the byte after the last string, or `-1 - byte` of a length that the page cannot hold
    static long ofPlain(MemorySegment page, long at, int slab, int slabOffset, MemorySegment views, int count) {
        long end = page.byteSize();
        long position = at;
        for (int i = 0; i < count; i++) {
            if (end - position < Integer.BYTES) {
                return -1 - position;
            }
            int length = page.get(INT, position);
            if (length < 0 || length > end - position - Integer.BYTES) {
                return -1 - position;
            }
            position += Integer.BYTES;
            put(page, position, length, slab, slabOffset, views, i);
            position += length;
        }
        return position;
    }

    /// Makes views of `count` strings of `length` bytes each, from byte `at` of the page on.
    static void ofFixed(
            MemorySegment page, long at, int length, int slab, int slabOffset, MemorySegment views, int count) {
        for (int i = 0; i < count; i++) {
            put(page, at + (long) length * i, length, slab, slabOffset, views, i);
        }
    }

    private static void put(
            MemorySegment page, long at, int length, int slab, int slabOffset, MemorySegment views, int row) {
        long view = (long) row * VIEW_BYTES;
        views.set(INT, view, length);
        if (length > INLINE_BYTES) {
            views.set(INT, view + 4, page.get(INT, at));
            views.set(INT, view + 8, slab);
            views.set(INT, view + 12, (int) (slabOffset + at));
        } else if (page.byteSize() - at >= INLINE_BYTES) {
            // reads 12 bytes, keeps `length` of them: no loop over bytes
            long low = page.get(LONG, at);
            int high = page.get(INT, at + 8);
            long lowMask = length >= 8 ? -1L : (1L << 8 * length) - 1;
            int highMask = length <= 8 ? 0 : (int) ((1L << 8 * (length - 8)) - 1);
            views.set(LONG, view + 4, low & lowMask);
            views.set(INT, view + 12, high & highMask);
        } else {
            views.set(LONG, view + 4, 0);
            views.set(INT, view + 12, 0);
            for (int i = 0; i < length; i++) {
                views.set(BYTE, view + 4 + i, page.get(BYTE, at + i));
            }
        }
    }
}
