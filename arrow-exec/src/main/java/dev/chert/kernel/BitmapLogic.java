package dev.chert.kernel;

import dev.chert.batch.Bitmap;
import dev.chert.batch.Layouts;
import java.lang.foreign.MemorySegment;

/// Kernels over whole bitmaps, 64 bits at a time.
///
/// A bitmap may be no longer than its bits need; bits after the last are left as the operation makes them.
public final class BitmapLogic {
    private BitmapLogic() {}

    /// Ands `bits` into `into`.
    public static void and(MemorySegment into, MemorySegment bits, int count) {
        int words = count >>> 6;
        for (int w = 0; w < words; w++) {
            into.setAtIndex(Layouts.LONG, w, into.getAtIndex(Layouts.LONG, w) & bits.getAtIndex(Layouts.LONG, w));
        }
        for (int i = words << 6; i < count; i++) {
            Bitmap.put(into, i, Bitmap.get(into, i) && Bitmap.get(bits, i));
        }
    }

    /// Ors `bits` into `into`.
    public static void or(MemorySegment into, MemorySegment bits, int count) {
        int words = count >>> 6;
        for (int w = 0; w < words; w++) {
            into.setAtIndex(Layouts.LONG, w, into.getAtIndex(Layouts.LONG, w) | bits.getAtIndex(Layouts.LONG, w));
        }
        for (int i = words << 6; i < count; i++) {
            Bitmap.put(into, i, Bitmap.get(into, i) || Bitmap.get(bits, i));
        }
    }

    /// Clears in `into` what is set in `bits`.
    public static void andNot(MemorySegment into, MemorySegment bits, int count) {
        int words = count >>> 6;
        for (int w = 0; w < words; w++) {
            into.setAtIndex(Layouts.LONG, w, into.getAtIndex(Layouts.LONG, w) & ~bits.getAtIndex(Layouts.LONG, w));
        }
        for (int i = words << 6; i < count; i++) {
            Bitmap.put(into, i, Bitmap.get(into, i) && !Bitmap.get(bits, i));
        }
    }

    /// Writes the contrary of `bits`.
    public static void not(MemorySegment into, MemorySegment bits, int count) {
        int words = count >>> 6;
        for (int w = 0; w < words; w++) {
            into.setAtIndex(Layouts.LONG, w, ~bits.getAtIndex(Layouts.LONG, w));
        }
        for (int i = words << 6; i < count; i++) {
            Bitmap.put(into, i, !Bitmap.get(bits, i));
        }
    }
}
