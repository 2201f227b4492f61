package dev.chert.operator.join;

import dev.chert.batch.Column;
import dev.chert.batch.Layouts;
import dev.chert.batch.RowPlace;
import dev.chert.batch.StringHeap;
import dev.chert.memory.Allocator;
import dev.chert.operator.table.RowLayout;
import dev.chert.operator.table.RowPages;
import dev.chert.operator.table.RowProbe;
import dev.chert.operator.table.RowTable;
import dev.chert.operator.table.RowValues;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Build rows found by key: one row a key in a [RowTable], further rows with the same key linked to it. Knows no
/// operator.
///
/// ```text
/// directory ---> row (first of its key) ---> row ---> row        next row: place | 1, or 0 at the end
///                | fields | next | matched |
/// ```
///
/// Filled in two steps: each worker stores rows into a [Part] of its own, by partitions of the hash; then each
/// partition is linked, by any thread, independently of the others. After that any number of threads look up, and
/// set the matched bytes without order between them: a byte is only ever set to 1, and read when all have ended.
///
/// Rows with a NULL key match nothing and stand apart, in no directory.
final class JoinTable {
    /// A partition is what one thread links, and later what is spilled.
    static final int PARTITIONS = 16;

    private static final int LINK_ROWS = 1024;

    private final RowLayout layout;
    private final int keyCount;
    private final Allocator allocator;
    private final RowTable rows;
    private final int nextOffset;
    private final List<Part> parts = new ArrayList<>(); // guards itself
    private final AtomicInteger duplicates = new AtomicInteger();
    private MemorySegment[] slabs;
    private boolean[] mayBeNull;
    private StringHeap strings; // of all rows, once they are sealed
    private boolean released;

    /// @param layout of the rows, keys first, with 8 extra bytes for the link and, if matches are noted, 8 more
    JoinTable(RowLayout layout, int keyCount, Allocator allocator) {
        this.layout = layout;
        this.keyCount = keyCount;
        this.allocator = allocator;
        this.rows = new RowTable(layout, keyCount, PARTITIONS, allocator);
        this.nextOffset = layout.extraOffset();
    }

    /// One worker's rows. Not thread-safe.
    final class Part {
        private final RowTable stored = new RowTable(layout, keyCount, PARTITIONS, allocator);
        private final RowPages nullKeys = new RowPages(layout, allocator);
        private boolean sawNullKey;
        private long[] places = {};

        private Part() {}

        /// Stores rows whose keys are not NULL.
        ///
        /// @param positions which of the values, `count` of them
        void add(RowValues values, long[] hashes, int[] positions, int count) {
            reserve(values.count());
            stored.store(values, hashes, positions, count, places);
        }

        /// Stores rows that have a NULL in their keys.
        void addNullKeys(RowValues values, int[] positions, int count) {
            reserve(values.count());
            for (int i = 0; i < count; i++) {
                places[positions[i]] = nullKeys.add(0);
            }
            nullKeys.store(values, positions, count, places);
        }

        /// Remembers that there was a row with a NULL key, stored or not.
        void noteNullKey() {
            sawNullKey = true;
        }

        private void reserve(int count) {
            if (places.length < count) {
                places = new long[count];
            }
        }
    }

    /// Begins a worker's rows. Thread-safe.
    Part newPart() {
        Part part = new Part();
        synchronized (parts) {
            parts.add(part);
        }
        return part;
    }

    /// Takes over the rows of one partition from all parts, which are complete, and links them. Each partition
    /// once.
    void link(int partition, Runnable checkCancelled) {
        RowPages pages = rows.pages(partition);
        long rowCount = 0;
        for (Part part : parts) {
            rowCount += part.stored.pages(partition).rowCount();
        }
        rows.expectRows(partition, rowCount);
        for (Part part : parts) {
            pages.adopt(part.stored.pages(partition));
        }
        RowProbe probe = new RowProbe();
        RowValues keys = new RowValues(layout, keyCount);
        long[] stored = new long[LINK_ROWS];
        long[] heads = new long[LINK_ROWS];
        long[] hashes = new long[LINK_ROWS];
        MemorySegment[] memory = rows.slabs();
        RowPages.Scan scan = pages.scan();
        int linked = 0;
        for (int count = scan.next(stored, LINK_ROWS); count > 0; count = scan.next(stored, LINK_ROWS)) {
            checkCancelled.run();
            keys.gather(layout, stored, count, memory);
            for (int i = 0; i < count; i++) {
                hashes[i] = RowPlace.slab(memory, stored[i])
                        .get(Layouts.LONG, RowPlace.offset(stored[i]) + RowLayout.HASH_OFFSET);
            }
            probe.findOrEnter(rows, keys, hashes, stored, heads);
            for (int i = 0; i < count; i++) {
                if (heads[i] != stored[i]) {
                    insertAfter(memory, heads[i], stored[i]);
                    linked++;
                }
            }
        }
        duplicates.addAndGet(linked);
    }

    private void insertAfter(MemorySegment[] memory, long head, long row) {
        MemorySegment headSlab = RowPlace.slab(memory, head);
        int headLink = RowPlace.offset(head) + nextOffset;
        RowPlace.slab(memory, row)
                .set(Layouts.LONG, RowPlace.offset(row) + nextOffset, headSlab.get(Layouts.LONG, headLink));
        headSlab.set(Layouts.LONG, headLink, row | 1);
    }

    /// Called once all partitions are linked and before anybody reads.
    void seal() {
        slabs = rows.slabs();
        strings = new StringHeap(allocator); // one for all, so that a column of theirs retains no more
        for (int p = 0; p < PARTITIONS; p++) {
            strings.adopt(rows.pages(p).heap());
        }
        for (Part part : parts) {
            strings.adopt(part.nullKeys.heap());
        }
        mayBeNull = new boolean[layout.fieldCount()];
        for (int field = 0; field < mayBeNull.length; field++) {
            for (int p = 0; p < PARTITIONS; p++) {
                mayBeNull[field] |= rows.pages(p).mayBeNull(field);
            }
            for (Part part : parts) {
                mayBeNull[field] |= part.nullKeys.mayBeNull(field);
            }
        }
    }

    /// Finds the first row of each key.
    ///
    /// @param positions keys without NULL, `count` of them
    /// @param places    receives the row of key `i` at `i`, or [RowPlace#NONE]
    void find(RowProbe probe, RowValues keys, long[] hashes, int[] positions, int count, long[] places) {
        probe.find(rows, keys, hashes, positions, count, places);
    }

    /// The next row with the same key, or [RowPlace#NONE].
    long next(long place) {
        long link = RowPlace.slab(slabs, place).get(Layouts.LONG, RowPlace.offset(place) + nextOffset);
        return link == 0 ? RowPlace.NONE : link & ~1L;
    }

    /// Whether no two rows have the same key.
    boolean isUnique() {
        return duplicates.get() == 0;
    }

    /// Notes that a row has a match.
    ///
    /// @return whether that was known
    boolean mark(long place) {
        MemorySegment slab = RowPlace.slab(slabs, place);
        int at = RowPlace.offset(place) + nextOffset + 8;
        boolean known = slab.get(Layouts.BYTE, at) != 0;
        if (!known) {
            slab.set(Layouts.BYTE, at, (byte) 1);
        }
        return known;
    }

    boolean isMarked(long place) {
        return RowPlace.slab(slabs, place).get(Layouts.BYTE, RowPlace.offset(place) + nextOffset + 8) != 0;
    }

    /// Rows stored, those with a NULL key among them.
    long rowCount() {
        long count = rows.rowCount();
        for (Part part : parts) {
            count += part.nullKeys.rowCount();
        }
        return count;
    }

    /// Rows that can be found by their key.
    long keyedRows() {
        return rows.rowCount();
    }

    /// Whether a row with a NULL key was seen.
    boolean sawNullKey() {
        return parts.stream().anyMatch(part -> part.sawNullKey);
    }

    /// How many scans there are: of the partitions, then of the rows with a NULL key.
    int scanCount() {
        return PARTITIONS + parts.size();
    }

    /// Reads all rows of one part of the table; any number of threads may.
    RowPages.Scan scan(int number) {
        return number < PARTITIONS
                ? rows.pages(number).scan()
                : parts.get(number - PARTITIONS).nullKeys.scan();
    }

    /// Loads a field of some rows into a column, the caller's; [RowPlace#NONE] gives NULL.
    Column load(int field, long[] places, int count, Allocator into) {
        return layout.ops(field).load(places, 0, count, layout.field(field), mayBeNull[field], slabs, into, strings);
    }

    /// Gives all rows back; a second call does nothing.
    void release() {
        synchronized (parts) {
            if (!released) {
                released = true;
                rows.release();
                if (strings != null) {
                    strings.release();
                }
                for (Part part : parts) {
                    part.nullKeys.release();
                    part.stored.release();
                }
            }
        }
    }
}
