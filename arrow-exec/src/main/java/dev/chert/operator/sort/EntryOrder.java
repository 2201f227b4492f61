package dev.chert.operator.sort;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.Layouts;
import dev.chert.batch.StringView;
import dev.chert.operator.sort.KeyLayout.Part;
import java.lang.foreign.MemorySegment;

/// Compares entries, and reads the whole strings of their rows where the keys do not tell. Not thread-safe.
final class EntryOrder {
    private static final int ALL_AGREE = Integer.MAX_VALUE;

    private final KeyLayout layout;
    private final Part[] strings;
    private final int words;
    private final StringView left = new StringView();
    private final StringView right = new StringView();

    EntryOrder(KeyLayout layout) {
        this.layout = layout;
        this.strings = layout.strings();
        this.words = layout.words();
    }

    /// Compares the entry at byte `at` of `a` with the one at byte `bt` of `b`.
    ///
    /// @param aSources the sources that the places in `a` number
    int compare(MemorySegment a, long at, Batch[] aSources, MemorySegment b, long bt, Batch[] bSources) {
        for (int w = 0; w < words; w++) {
            long x = a.get(KeyLayout.WORD, at + 8L * w);
            long y = b.get(KeyLayout.WORD, bt + 8L * w);
            if (x != y) {
                int differing = 8 * w + (Long.numberOfLeadingZeros(x ^ y) >>> 3);
                int order = compareLongStrings(a, at, aSources, b, bt, bSources, differing);
                return order != 0 ? order : Long.compareUnsigned(x, y);
            }
        }
        return compareLongStrings(a, at, aSources, b, bt, bSources, ALL_AGREE);
    }

    /// True where entries that agree in all bytes before number `byteCount` may yet differ in a string among
    /// them.
    boolean hasLongString(MemorySegment entries, long at, int byteCount) {
        for (Part part : strings) {
            if (part.end() <= byteCount && entries.get(Layouts.BYTE, at + part.end() - 1) == part.longer()) {
                return true;
            }
        }
        return false;
    }

    private int compareLongStrings(
            MemorySegment a, long at, Batch[] aSources, MemorySegment b, long bt, Batch[] bSources, int differing) {
        for (Part part : strings) {
            if (part.end() > differing) {
                return 0;
            }
            if (a.get(Layouts.BYTE, at + part.end() - 1) == part.longer()) {
                pointTo(left, aSources, a.get(Layouts.LONG, at + layout.placeOffset()), part.column());
                pointTo(right, bSources, b.get(Layouts.LONG, bt + layout.placeOffset()), part.column());
                int order = left.compareTo(right);
                if (order != 0) {
                    return part.ascending() ? order : -order;
                }
            }
        }
        return 0;
    }

    private static void pointTo(StringView view, Batch[] sources, long place, int index) {
        Column column = sources[(int) (place >>> 32)].column(index);
        view.at(column.valueColumn().values(), column.slabs(), column.valueRow((int) place));
    }
}
