package dev.chert.function.aggregate;

import dev.chert.batch.StringHeap;
import dev.chert.memory.MemoryManager;
import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;

/// Where the states of some groups lie.
///
/// @param manager the engine's memory
/// @param heaps   gives the heap that takes the long strings of a row's states, by the row's place
public record StateMemory(MemoryManager manager, LongFunction<StringHeap> heaps) {
    /// The slabs, as of now: with all rows and strings stored until now.
    MemorySegment[] slabs() {
        return manager.slabs();
    }

    /// Takes the long strings of a row's states.
    StringHeap heapOf(long place) {
        return heaps.apply(place);
    }
}
