package dev.chert.function.aggregate;

import dev.chert.batch.StringHeap;
import dev.chert.memory.MemoryManager;
import java.lang.foreign.MemorySegment;

/// Where the states of one worker's groups lie.
///
/// @param manager the engine's memory
/// @param heap    takes the long strings of states
public record StateMemory(MemoryManager manager, StringHeap heap) {
    /// The slabs, as of now: with all rows and strings stored until now.
    MemorySegment[] slabs() {
        return manager.slabs();
    }
}
