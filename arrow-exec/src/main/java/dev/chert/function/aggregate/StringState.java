package dev.chert.function.aggregate;

import dev.chert.batch.Layouts;
import dev.chert.batch.RowPlace;
import dev.chert.batch.RowString;
import dev.chert.batch.StringHeap;
import java.lang.foreign.MemorySegment;

/// Keeps a string in a state: a view whose long bytes lie in the heap of the row's pages, in room that a later
/// string may use again.
final class StringState {
    private StringState() {}

    /// Replaces the string of a state.
    ///
    /// @param place  of the row
    /// @param offset of the state in the row
    /// @param low    bytes 0 to 7 of the new string's view
    /// @param high   bytes 8 to 15
    /// @param from   the slabs in which the new string lies
    /// @param slabs  the slabs in which the state and its own string lie
    /// @param memory of the row
    /// @return       whether room was asked for, so that `slabs` must be fetched again
    static boolean put(
            long place,
            int offset,
            long low,
            long high,
            MemorySegment[] from,
            MemorySegment[] slabs,
            StateMemory memory) {
        MemorySegment slab = RowPlace.slab(slabs, place);
        int at = RowPlace.offset(place) + offset;
        int length = (int) low;
        if (length <= RowString.INLINE_BYTES) {
            slab.set(Layouts.INT, at + ValueResult.ROOM, 0); // the view is overwritten, and with it the place
            slab.set(Layouts.LONG, at + ValueResult.VALUE, low);
            slab.set(Layouts.LONG, at + ValueResult.VALUE + 8, high);
            return false;
        }
        MemorySegment bytes = from[(int) high];
        long start = high >>> 32;
        int room = slab.get(Layouts.INT, at + ValueResult.ROOM);
        if (length <= room) {
            slab.set(Layouts.LONG, at + ValueResult.VALUE, low);
            long own = slab.get(Layouts.LONG, at + ValueResult.VALUE + 8);
            MemorySegment.copy(bytes, start, slabs[(int) own], own >>> 32, length);
            return false;
        }
        int wanted = room == 0 ? length : Math.max(length, 2 * room);
        StringHeap heap = memory.heapOf(place);
        heap.reserve(wanted); // where that fails, the string is the one before
        slab.set(Layouts.LONG, at + ValueResult.VALUE, low);
        MemorySegment.copy(bytes, start, heap.segment(), heap.place(), length);
        slab.set(Layouts.INT, at + ValueResult.ROOM, wanted);
        slab.set(Layouts.INT, at + ValueResult.VALUE + 8, heap.slab());
        slab.set(Layouts.INT, at + ValueResult.VALUE + 12, heap.slabOffset());
        return true;
    }

    /// Replaces the flags and the string of a state by those of another one.
    ///
    /// @param from   place of the other's row
    /// @param into   place of the row whose state is replaced
    /// @param offset of the state in both rows
    /// @param slabs  the slabs in which both lie
    /// @param memory of `into`
    /// @return       whether room was asked for, so that `slabs` must be fetched again
    static boolean copy(long from, long into, int offset, MemorySegment[] slabs, StateMemory memory) {
        MemorySegment other = RowPlace.slab(slabs, from);
        int at = RowPlace.offset(from) + offset;
        RowPlace.slab(slabs, into).set(Layouts.INT, RowPlace.offset(into) + offset, other.get(Layouts.INT, at));
        long low = other.get(Layouts.LONG, at + ValueResult.VALUE);
        long high = other.get(Layouts.LONG, at + ValueResult.VALUE + 8);
        return put(into, offset, low, high, slabs, slabs, memory);
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
        if (lengthA <= RowString.INLINE_BYTES && lengthB <= RowString.INLINE_BYTES) {
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
        return length <= RowString.INLINE_BYTES
                ? (byte) (high >>> 8 * (i - 4))
                : slabs[(int) high].get(Layouts.BYTE, (high >>> 32) + i);
    }
}
