package dev.chert.operator.sort;

import dev.chert.batch.Batch;
import dev.chert.batch.Layouts;
import java.lang.foreign.MemorySegment;

/// Where the reading of a sorted run stands: at one of the entries that it shows at the moment. Not thread-safe.
abstract sealed class RunCursor permits MemoryCursor, DiskCursor {
    private final int entryBytes;
    private final int placeOffset;
    private MemorySegment entries;
    private long at;
    private int left;
    private Batch[] sources;
    private int sourceCount;
    private int firstSource;

    protected RunCursor(KeyLayout layout) {
        this.entryBytes = layout.entryBytes();
        this.placeOffset = layout.placeOffset();
    }

    /// Stands at the first of `count` entries from now on.
    ///
    /// @param shownSources what the entries' places number, borrowed
    protected final void show(MemorySegment shown, int count, Batch[] shownSources, int shownSourceCount) {
        entries = shown;
        at = 0;
        left = count;
        sources = shownSources;
        sourceCount = shownSourceCount;
    }

    /// Shows the next entries; those before and their sources stay until [#letGo].
    ///
    /// @return false at the end of the run
    abstract boolean fill();

    /// Bytes that [#letGo] would give back.
    abstract long doneBytes();

    /// Gives back what entries that were passed needed.
    abstract void letGo();

    /// Gives back all; a second call does nothing.
    abstract void close();

    /// Moves on to the next entry.
    ///
    /// @return false if it is not shown yet
    final boolean advance() {
        at += entryBytes;
        return --left > 0;
    }

    /// Entries that are shown and were not passed.
    final int left() {
        return left;
    }

    final MemorySegment entries() {
        return entries;
    }

    /// The byte at which the present entry begins.
    final long at() {
        return at;
    }

    /// The present entry's place: source in the upper half, row in the lower.
    final long place() {
        return entries.get(Layouts.LONG, at + placeOffset);
    }

    final Batch[] sources() {
        return sources;
    }

    final int sourceCount() {
        return sourceCount;
    }

    /// The number that the first of the sources has among those of all runs.
    final int firstSource() {
        return firstSource;
    }

    final void setFirstSource(int number) {
        firstSource = number;
    }
}
