package dev.chert.operator.table;

import dev.chert.batch.Layouts;
import dev.chert.batch.PackedColumn;
import dev.chert.batch.RowPlace;
import java.lang.foreign.MemorySegment;

/// Looks up many keys at a time in a [RowTable], and adds the missing ones.
///
/// ```text
/// open positions --- walk the directory, touching no row ---> candidates   absent: not found, or a new row
///       ^                                                          |
///       +--------- next slot ------------ differ --- compare column by column ---> found
/// ```
///
/// Each step is one loop over all positions that are still open, so that the loads of many keys are in flight at
/// the same time. Scratch of one worker: several probes may look rows up in one table; only one may add to it, or
/// to each partition.
public final class RowProbe {
    private int[] open = {};
    private int[] candidates = {};
    private int[] added = {};
    private int[] slots = {};
    private final PartitionOrder order = new PartitionOrder();
    private boolean grown;

    /// Finds rows by their keys.
    ///
    /// @param keys   the key's fields; NULL equals NULL, so leave out positions where it must not
    /// @param hashes one a key
    /// @param places receives the row of key `i` at `i`, or [RowPlace#NONE]
    public void find(RowTable table, RowValues keys, long[] hashes, long[] places) {
        int count = keys.count();
        reserve(count);
        for (int i = 0; i < count; i++) {
            open[i] = i;
        }
        findOpen(table, keys, hashes, count, places);
    }

    /// Finds rows by some of the keys.
    ///
    /// @param positions which keys, `count` of them; the places of others are not touched
    public void find(RowTable table, RowValues keys, long[] hashes, int[] positions, int count, long[] places) {
        reserve(keys.count());
        System.arraycopy(positions, 0, open, 0, count);
        findOpen(table, keys, hashes, count, places);
    }

    private void findOpen(RowTable table, RowValues keys, long[] hashes, int count, long[] places) {
        MemorySegment[] slabs = table.slabs();
        boolean compareNulls = keys.hasNulls() || table.keyMayBeNull();
        startSlots(table, hashes, count);
        int openCount = count;
        while (openCount > 0) {
            int candidateCount = walk(table, hashes, openCount, places);
            openCount = keepDiffering(table, keys, candidateCount, hashes, places, slabs, compareNulls);
        }
    }

    /// Finds rows by their keys and adds a row for each key that has none.
    ///
    /// @param places receives the row of key `i` at `i`
    public void findOrAdd(RowTable table, RowValues keys, long[] hashes, long[] places) {
        resolve(table, keys, hashes, null, places);
    }

    /// Finds rows by the keys of other rows, and enters those rows whose key has none.
    ///
    /// @param keys   gathered from `rows`
    /// @param hashes of `rows`
    /// @param rows   stored already, in pages of the table's layout that live as long as the table and whose
    ///               NULLs its pages expect ([RowPages#expectNullsOf]), all of one partition where other threads
    ///               add to others
    /// @param places receives the row of key `i` at `i`: `rows[i]` itself where it was the first of its key
    public void findOrEnter(RowTable table, RowValues keys, long[] hashes, long[] rows, long[] places) {
        resolve(table, keys, hashes, rows, places);
    }

    private void resolve(RowTable table, RowValues keys, long[] hashes, long[] rows, long[] places) {
        int count = keys.count();
        reserve(count);
        for (int i = 0; i < count; i++) {
            open[i] = i;
        }
        startSlots(table, hashes, count);
        int openCount = count;
        while (openCount > 0) {
            grown = false;
            int candidateCount = walkAndClaim(table, hashes, rows, openCount, places);
            int addedCount = openCount - candidateCount;
            if (addedCount > 0 && rows == null) {
                table.storeFields(keys, hashes, added, addedCount, places, order);
            }
            MemorySegment[] slabs = table.slabs(); // again, as new strings may lie in a new slab
            boolean compareNulls = keys.hasNulls() || table.keyMayBeNull();
            openCount = keepDiffering(table, keys, candidateCount, hashes, places, slabs, compareNulls);
        }
    }

    private void reserve(int count) {
        if (open.length < count) {
            open = new int[count];
            candidates = new int[count];
            added = new int[count];
            slots = new int[count];
        }
    }

    private void startSlots(RowTable table, long[] hashes, int count) {
        for (int i = 0; i < count; i++) {
            int position = open[i];
            slots[position] = (int) hashes[position]
                    & table.directory(table.partitionOf(hashes[position])).mask();
        }
    }

    /// Moves each open position to the next slot that may have its key; those that reach an empty one are not
    /// found.
    ///
    /// @return how many candidates there are
    private int walk(RowTable table, long[] hashes, int openCount, long[] places) {
        int candidateCount = 0;
        for (int i = 0; i < openCount; i++) {
            int position = open[i];
            long hash = hashes[position];
            Directory directory = table.directory(table.partitionOf(hash));
            MemorySegment entries = directory.entries();
            int mask = directory.mask();
            int slot = slots[position];
            long entry = entries.getAtIndex(Layouts.LONG, slot);
            while (entry != 0 && !Directory.tagMatches(entry, hash)) {
                slot = slot + 1 & mask;
                entry = entries.getAtIndex(Layouts.LONG, slot);
            }
            slots[position] = slot;
            places[position] = entry == 0 ? RowPlace.NONE : Directory.place(entry);
            candidates[candidateCount] = position;
            candidateCount += entry == 0 ? 0 : 1;
        }
        return candidateCount;
    }

    /// As [#walk], but an empty slot is filled at once, so that the same key later in the batch finds it.
    private int walkAndClaim(RowTable table, long[] hashes, long[] rows, int openCount, long[] places) {
        int candidateCount = 0;
        int addedCount = 0;
        for (int i = 0; i < openCount; i++) {
            int position = open[i];
            long hash = hashes[position];
            int partition = table.partitionOf(hash);
            Directory directory = table.directory(partition);
            MemorySegment entries = directory.entries();
            int mask = directory.mask();
            int slot = grown ? (int) hash & mask : slots[position];
            long entry = entries.getAtIndex(Layouts.LONG, slot);
            while (entry != 0 && !Directory.tagMatches(entry, hash)) {
                slot = slot + 1 & mask;
                entry = entries.getAtIndex(Layouts.LONG, slot);
            }
            if (entry != 0) {
                slots[position] = slot;
                places[position] = Directory.place(entry);
                candidates[candidateCount++] = position;
                continue;
            }
            long place = rows == null ? table.pages(partition).add(hash) : rows[position];
            places[position] = place;
            added[addedCount++] = position;
            if (directory.isFull()) {
                directory.grow();
                grown = true;
                directory.addUnique(hash, place);
            } else {
                directory.put(slot, hash, place);
            }
        }
        return candidateCount;
    }

    /// Compares candidates with their rows; those that differ are open again, at the next slot.
    ///
    /// @return how many are open
    private int keepDiffering(
            RowTable table,
            RowValues keys,
            int candidateCount,
            long[] hashes,
            long[] places,
            MemorySegment[] slabs,
            boolean compareNulls) {
        RowLayout layout = table.layout();
        int keyCount = table.keyCount();
        int left = candidateCount;
        int dropped = 0;
        if (compareNulls) {
            for (int w = 0; w <= RowLayout.nullWordOf(Math.max(0, keyCount - 1)); w++) {
                int kept = matchNulls(keys, w, RowLayout.nullMask(w, keyCount), left, places, slabs, dropped);
                dropped += left - kept;
                left = kept;
            }
        }
        for (int f = 0; f < keyCount && left > 0; f++) {
            PackedColumn column = keys.column(f);
            int kept = layout.ops(f).match(column, candidates, left, layout.field(f), places, slabs, open, dropped);
            dropped += left - kept;
            left = kept;
        }
        for (int i = 0; i < dropped; i++) {
            int position = open[i];
            int mask = table.directory(table.partitionOf(hashes[position])).mask();
            slots[position] = grown ? (int) hashes[position] & mask : slots[position] + 1 & mask;
        }
        return dropped;
    }

    private int matchNulls(
            RowValues keys, int word, int mask, int count, long[] places, MemorySegment[] slabs, int dropped) {
        int offset = RowLayout.NULLS_OFFSET + Integer.BYTES * word;
        boolean hasNulls = keys.hasNulls();
        int[] words = keys.nullWords(word);
        int kept = 0;
        int lost = dropped;
        for (int i = 0; i < count; i++) {
            int p = candidates[i];
            int stored = RowPlace.slab(slabs, places[p]).get(Layouts.INT, RowPlace.offset(places[p]) + offset) & mask;
            if (stored == (hasNulls ? words[p] & mask : 0)) {
                candidates[kept++] = p;
            } else {
                open[lost++] = p;
            }
        }
        return kept;
    }
}
