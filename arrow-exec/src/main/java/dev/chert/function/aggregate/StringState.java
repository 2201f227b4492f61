package dev.chert.function.aggregate;

import dev.chert.batch.Layouts;
import dev.chert.batch.StringHeap;
import java.lang.foreign.MemorySegment;

/// Keeps a string in a state: a view whose long bytes lie in the table's heap, in room that a later string may
/// use again.
final class StringState {
    private static final int INLINE_BYTES = 12;

    private StringState() {}

    /// Replaces the string of a state.
    ///
    /// @param slab      in which the state lies, from `at` on
    /// @param low       bytes 0 to 7 of the new string's view
    /// @param high      bytes 8 to 15
    /// @param from      the slabs in which the new string lies
    /// @param slabs     the slabs in which the state's own string lies
    /// @return          whether the heap was asked for room, so that `slabs` must be fetched again
    static boolean put(
            MemorySegment slab,
            int at,
            long low,
            long high,
            MemorySegment[] from,
            MemorySegment[] slabs,
            StringHeap heap) {
        int length = (int) low;
        if (length <= INLINE_BYTES) {
            slab.set(Layouts.INT, at + ValueResult.ROOM, 0); // the view is overwritten, and with it the place
            slab.set(Layouts.LONG, at + ValueResult.VALUE, low);
            slab.set(Layouts.LONG, at + ValueResult.VALUE + 8, high);
            return false;
        }
        MemorySegment bytes = from[(int) high];
        long start = high >>> 32;
        int room = slab.get(Layouts.INT, at + ValueResult.ROOM);
        slab.set(Layouts.LONG, at + ValueResult.VALUE, low);
        if (length <= room) {
            long place = slab.get(Layouts.LONG, at + ValueResult.VALUE + 8);
            MemorySegment.copy(bytes, start, slabs[(int) place], place >>> 32, length);
            return false;
        }
        int wanted = room == 0 ? length : Math.max(length, 2 * room);
        heap.reserve(wanted);
        MemorySegment.copy(bytes, start, heap.segment(), heap.place(), length);
        slab.set(Layouts.INT, at + ValueResult.ROOM, wanted);
        slab.set(Layouts.INT, at + ValueResult.VALUE + 8, heap.slab());
        slab.set(Layouts.INT, at + ValueResult.VALUE + 12, heap.slabOffset());
        return true;
    }

    /// Orders two strings byte by byte, unsigned, given as the halves of their views.
    static int compare(long lowA, long highA, MemorySegment[] slabsA, long lowB, long highB, MemorySegment[] slabsB) {
        // the four bytes after the length are the first of the string, or zero after its end
        int prefix = Integer.compareUnsigned(
                Integer.reverseBytes((int) (lowA >>> 32)), Integer.reverseBytes((int) (lowB >>> 32)));
        if (prefix != 0) {
            return prefix;
        }
        int lengthA = (int) lowA;
        int lengthB = (int) lowB;
        if (lengthA <= INLINE_BYTES && lengthB <= INLINE_BYTES) {
            int rest = Long.compareUnsigned(Long.reverseBytes(highA), Long.reverseBytes(highB));
            return rest != 0 ? rest : Integer.compare(lengthA, lengthB);
        }
        int common = Math.min(lengthA, lengthB);
        for (int i = 4; i < common; i++) {
            int difference = (byteAt(i, lengthA, highA, slabsA) & 0xFF) - (byteAt(i, lengthB, highB, slabsB) & 0xFF);
            if (difference != 0) {
                return difference;
            }
        }
        return Integer.compare(lengthA, lengthB);
    }

    /// @param i at least 4
    private static byte byteAt(int i, int length, long high, MemorySegment[] slabs) {
        return length <= INLINE_BYTES
                ? (byte) (high >>> 8 * (i - 4))
                : slabs[(int) high].get(Layouts.BYTE, (high >>> 32) + i);
    }
}
