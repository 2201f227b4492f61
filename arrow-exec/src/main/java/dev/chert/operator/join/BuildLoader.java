package dev.chert.operator.join;

import dev.chert.batch.Layouts;
import dev.chert.batch.RowPlace;
import dev.chert.memory.MemoryManager;
import dev.chert.operator.table.RowLayout;
import dev.chert.operator.table.RowValues;
import dev.chert.operator.table.SpilledRows;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// Reads build rows back from disk, some at a time, for a table one level deeper, and gives back what was read. Not
/// thread-safe. Memory: one block.
final class BuildLoader {
    /// The most rows that are added at a time.
    static final int LOAD_ROWS = 1024;

    private final RowLayout layout;
    private final MemoryManager memory;
    private final Deque<SpilledRows> keyed;
    private final Deque<SpilledRows> nullKeys;
    private final RowValues values;
    private final long[] places = new long[LOAD_ROWS];
    private final long[] hashes = new long[LOAD_ROWS];
    private final int[] positions = new int[LOAD_ROWS];
    private SpilledRows.Reader reader;
    private long rowsLeft;

    /// @param keyed    rows with keys, given
    /// @param nullKeys rows with a NULL key, given
    BuildLoader(RowLayout layout, List<SpilledRows> keyed, List<SpilledRows> nullKeys, MemoryManager memory) {
        this.layout = layout;
        this.memory = memory;
        this.keyed = new ArrayDeque<>(keyed);
        this.nullKeys = new ArrayDeque<>(nullKeys);
        this.values = new RowValues(layout, layout.fieldCount());
        for (int i = 0; i < LOAD_ROWS; i++) {
            positions[i] = i;
        }
        keyed.forEach(rows -> rowsLeft += rows.rowCount());
        nullKeys.forEach(rows -> rowsLeft += rows.rowCount());
    }

    boolean hasMore() {
        return rowsLeft > 0;
    }

    /// Adds the next rows to a part, where there are more.
    void load(BuildPart part) {
        Deque<SpilledRows> from = keyed.isEmpty() ? nullKeys : keyed;
        if (reader == null) {
            reader = from.getFirst().reader();
        }
        int count = reader.next(places, LOAD_ROWS);
        if (count == 0) {
            endReader();
            from.removeFirst().release();
            return;
        }
        MemorySegment[] slabs = memory.slabs();
        values.gather(layout, places, count, slabs);
        if (from == nullKeys) {
            part.addNullKeys(values, positions, count);
        } else {
            for (int i = 0; i < count; i++) {
                hashes[i] = RowPlace.slab(slabs, places[i])
                        .get(Layouts.LONG, RowPlace.offset(places[i]) + RowLayout.HASH_OFFSET);
            }
            KeyHashes.deepen(hashes, count);
            part.add(values, hashes, positions, count);
        }
        rowsLeft -= count;
    }

    private void endReader() {
        if (reader != null) {
            reader.release();
            reader = null;
        }
    }

    /// Gives back what was not read; a second call does nothing.
    void close() {
        endReader();
        keyed.forEach(SpilledRows::release);
        nullKeys.forEach(SpilledRows::release);
        keyed.clear();
        nullKeys.clear();
        rowsLeft = 0;
    }
}
