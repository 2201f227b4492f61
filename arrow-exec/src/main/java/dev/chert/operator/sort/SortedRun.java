package dev.chert.operator.sort;

import dev.chert.batch.Batch;
import dev.chert.batch.Layouts;
import dev.chert.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Rows in order, in memory: entries, and the sources that their places number.
final class SortedRun {
    private final Buffer entries;
    private final MemorySegment segment;
    private final int count;
    private final Batch[] sources;
    private final int sourceCount;
    private final long heldBytes;
    private final int entryBytes;
    private final int placeOffset;
    private boolean closed;

    /// @param entries     given; sorted
    /// @param sources     given, the array and the batches
    /// @param sourceBytes about what the sources hold
    SortedRun(Buffer entries, int count, Batch[] sources, int sourceCount, long sourceBytes, KeyLayout layout) {
        this.entries = entries;
        this.segment = entries.segment();
        this.count = count;
        this.sources = sources;
        this.sourceCount = sourceCount;
        this.heldBytes = entries.reservedBytes() + sourceBytes;
        this.entryBytes = layout.entryBytes();
        this.placeOffset = layout.placeOffset();
    }

    int count() {
        return count;
    }

    /// About how much memory comes back when it is closed.
    long heldBytes() {
        return heldBytes;
    }

    MemorySegment entries() {
        return segment;
    }

    /// The place of entry number `i`: source in the upper half, row in the lower.
    long place(int i) {
        return segment.get(Layouts.LONG, (long) i * entryBytes + placeOffset);
    }

    /// Borrowed; entries beyond [#sourceCount()] are null.
    Batch[] sources() {
        return sources;
    }

    int sourceCount() {
        return sourceCount;
    }

    /// Gives back entries and sources; a second call does nothing.
    synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        entries.release();
        for (int s = 0; s < sourceCount; s++) {
            sources[s].close();
        }
    }
}
