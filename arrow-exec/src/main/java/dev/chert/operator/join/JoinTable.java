package dev.chert.operator.join;

import dev.chert.batch.Column;
import dev.chert.batch.Layouts;
import dev.chert.batch.RowPlace;
import dev.chert.batch.StringHeap;
import dev.chert.error.ResourceException;
import dev.chert.memory.Allocator;
import dev.chert.operator.table.Directory;
import dev.chert.operator.table.RowLayout;
import dev.chert.operator.table.RowPages;
import dev.chert.operator.table.RowProbe;
import dev.chert.operator.table.RowTable;
import dev.chert.operator.table.RowValues;
import dev.chert.operator.table.SpilledRows;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// Build rows found by key: one row a key in a [RowTable], further rows with the same key linked to it. Knows no
/// operator.
///
/// ```text
/// directory ---> row (first of its key) ---> row ---> row        next row: place | 1, or 0 at the end
///                | fields | next | matched |
/// ```
///
/// Filled in steps: each worker stores rows into a [BuildPart] of its own, by partitions of the hash; then
/// [#settle] decides which partitions stay in memory; then each partition is linked, or written to disk, by any
/// thread, independently of the others. After that any number of threads look up, and set the matched bytes without
/// order between them: a byte is only ever set to 1, and read when all have ended.
///
/// Rows with a NULL key match nothing and stand apart, in no directory.
final class JoinTable {
    /// A partition is what one thread links, and what is spilled.
    static final int PARTITIONS = 16;

    /// The parts of the closing work: each partition, and the rows with a NULL key.
    static final int CLOSING_PARTS = PARTITIONS + 1;

    private static final int LINK_ROWS = 1024;

    private final RowLayout layout;
    private final int keyCount;
    private final Allocator allocator;
    private final Runnable checkCancelled;
    private final RowTable rows;
    private final int nextOffset;
    private final List<BuildPart> parts = new ArrayList<>(); // guards itself
    private final AtomicInteger duplicates = new AtomicInteger();
    private final AtomicInteger spilledSet = new AtomicInteger();
    private int[] closingOrder;
    private boolean allOrNone;
    private boolean mustStay;
    private final long[] expectedRows = new long[PARTITIONS]; // what the directories that are made have room for
    private MemorySegment[] slabs;
    private boolean[] mayBeNull;
    private StringHeap strings; // of all rows, once they are sealed

    /// @param layout         of the rows, keys first, with 8 extra bytes for the link and, if matches are noted, 8 more
    /// @param checkCancelled throws if the query was cancelled
    JoinTable(RowLayout layout, int keyCount, Allocator allocator, Runnable checkCancelled) {
        this.layout = layout;
        this.keyCount = keyCount;
        this.allocator = allocator;
        this.checkCancelled = checkCancelled;
        this.rows = new RowTable(layout, keyCount, PARTITIONS, allocator);
        this.nextOffset = layout.extraOffset();
    }

    /// Begins a worker's rows. Thread-safe.
    BuildPart newPart() {
        BuildPart part = new BuildPart(layout, keyCount, spilledSet, allocator, checkCancelled);
        synchronized (parts) {
            parts.add(part);
        }
        return part;
    }

    /// Decides which partitions stay in memory, once all parts are complete: the smallest ones, as many as fit with
    /// their directories; none of which rows are on disk. Only the first call decides.
    ///
    /// @param share      the part of the memory that these rows have or may take before memory is tight
    /// @param allOrNone  whether it helps nobody that some partitions stay
    void settle(double share, boolean allOrNone) {
        synchronized (parts) {
            if (closingOrder != null) {
                return;
            }
            parts.forEach(BuildPart::unregister);
            long[] bytes = new long[CLOSING_PARTS];
            long held = 0;
            for (int p = 0; p < CLOSING_PARTS; p++) {
                long rowCount = 0;
                for (BuildPart part : parts) {
                    rowCount += part.pages(p).rowCount();
                    bytes[p] += part.pages(p).byteSize();
                }
                held += bytes[p];
                bytes[p] += p == BuildPart.NULL_KEYS ? 0 : Directory.bytesFor(rowCount);
            }
            int spilled = spilledSet.get();
            spilled |= doNotFit(
                    bytes, spilled, (long) (share * (held + allocator.budget().spareBytes())));
            if (allOrNone && spilled != 0) {
                spilled = (1 << CLOSING_PARTS) - 1;
            }
            spilledSet.set(spilled);
            closingOrder = spilledFirst(spilled);
            this.allOrNone = allOrNone;
        }
    }

    /// Makes directories for the rows stored so far and some more, whatever partition these go to. One thread fills and
    /// closes such a table.
    ///
    /// @return false where there is no memory for them; the rows stored so far may still have theirs
    boolean expectMore(int moreRows) {
        for (int p = 0; p < PARTITIONS; p++) {
            long rowCount = rowsIn(p);
            if (rowCount > 0
                    && Directory.bytesFor(rowCount + moreRows) > Directory.bytesFor(expectedRows[p])
                    && !tryExpect(p, rowCount + moreRows)) {
                return false;
            }
        }
        return true;
    }

    /// Decides that all partitions stay in memory: [#close] throws where they cannot.
    void keepAll() {
        mustStay = true;
        closingOrder = spilledFirst(0);
    }

    private static int doNotFit(long[] bytes, int spilled, long room) {
        int[] smallestFirst = IntStream.range(0, bytes.length)
                .filter(p -> (spilled >>> p & 1) == 0)
                .boxed()
                .sorted(Comparator.comparingLong(p -> bytes[p]))
                .mapToInt(p -> p)
                .toArray();
        int tooMany = 0;
        long left = room;
        for (int p : smallestFirst) {
            left -= bytes[p];
            tooMany |= left < 0 && bytes[p] > 0 ? 1 << p : 0;
        }
        return tooMany;
    }

    /// Memory comes back before directories take it.
    private static int[] spilledFirst(int spilled) {
        int[] order = new int[CLOSING_PARTS];
        int next = 0;
        for (int isSpilled = 1; isSpilled >= 0; isSpilled--) {
            for (int p = 0; p < CLOSING_PARTS; p++) {
                if ((spilled >>> p & 1) == isSpilled) {
                    order[next++] = p;
                }
            }
        }
        return order;
    }

    /// Does a part of the closing work, once it is settled: writes the rest of a partition to disk, or links it. A
    /// partition that was to stay goes to disk, too, where its directory finds no memory after all.
    ///
    /// @throws ResourceException if there is no memory for a directory and all partitions must stay
    void close(int closingPart, Runnable checkCancelled) {
        int partition = closingOrder[closingPart];
        if (!isSpilled(partition) && (partition == BuildPart.NULL_KEYS || makeDirectory(partition))) {
            if (partition != BuildPart.NULL_KEYS) {
                link(partition, checkCancelled);
            }
            return;
        }
        for (BuildPart part : parts) {
            checkCancelled.run();
            part.spillRest(partition);
        }
    }

    /// @return false where there is no memory for it: others took it meanwhile, or it lies in smaller pieces
    private boolean makeDirectory(int partition) {
        long rowCount = rowsIn(partition);
        if (expectedRows[partition] > 0 && rowCount <= expectedRows[partition]) {
            return true;
        }
        if (mustStay) {
            rows.expectRows(partition, rowCount);
            return true;
        }
        return tryExpect(partition, rowCount);
    }

    private boolean tryExpect(int partition, long rowCount) {
        try {
            expectedRows[partition] = 0; // the present directory goes first
            rows.expectRows(partition, rowCount);
            expectedRows[partition] = rowCount;
            return true;
        } catch (ResourceException _) {
            return false;
        }
    }

    private long rowsIn(int partition) {
        long rowCount = 0;
        for (BuildPart part : parts) {
            rowCount += part.pages(partition).rowCount();
        }
        return rowCount;
    }

    /// Takes over the rows of one partition from all parts and links them.
    private void link(int partition, Runnable checkCancelled) {
        RowPages pages = rows.pages(partition);
        for (BuildPart part : parts) {
            pages.adopt(part.pages(partition));
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

    private void spillAll(Runnable checkCancelled) {
        for (int p = 0; p < CLOSING_PARTS; p++) {
            if (p != BuildPart.NULL_KEYS && !isSpilled(p)) {
                parts.getFirst().pages(p).adopt(rows.pages(p));
            }
            for (BuildPart part : parts) {
                checkCancelled.run();
                part.spillRest(p);
            }
        }
    }

    private void insertAfter(MemorySegment[] memory, long head, long row) {
        MemorySegment headSlab = RowPlace.slab(memory, head);
        int headLink = RowPlace.offset(head) + nextOffset;
        RowPlace.slab(memory, row)
                .set(Layouts.LONG, RowPlace.offset(row) + nextOffset, headSlab.get(Layouts.LONG, headLink));
        headSlab.set(Layouts.LONG, headLink, row | 1);
    }

    /// Called once all partitions are linked and before anybody reads. May write all rows to disk; after it has thrown
    /// because of a cancellation, another call goes on with that.
    void seal(Runnable checkCancelled) {
        if (allOrNone && spilledSet.get() != 0) {
            spillAll(checkCancelled);
        }
        parts.forEach(BuildPart::seal);
        slabs = rows.slabs();
        strings = new StringHeap(allocator); // one for all, so that a column of theirs retains no more
        for (int p = 0; p < PARTITIONS; p++) {
            strings.adopt(rows.pages(p).heap());
        }
        for (BuildPart part : parts) {
            strings.adopt(part.pages(BuildPart.NULL_KEYS).heap());
        }
        mayBeNull = new boolean[layout.fieldCount()];
        for (int field = 0; field < mayBeNull.length; field++) {
            for (int p = 0; p < PARTITIONS; p++) {
                mayBeNull[field] |= rows.pages(p).mayBeNull(field);
            }
            for (BuildPart part : parts) {
                mayBeNull[field] |= part.pages(BuildPart.NULL_KEYS).mayBeNull(field);
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

    /// Rows stored, those with a NULL key among them, in memory or on disk.
    long rowCount() {
        return keyedRows() + parts.stream().mapToLong(BuildPart::nullKeyRows).sum();
    }

    /// Rows stored that have keys, in memory or on disk.
    long keyedRows() {
        return parts.stream().mapToLong(BuildPart::keyedRows).sum();
    }

    /// Whether a row with a NULL key was seen.
    boolean sawNullKey() {
        return parts.stream().anyMatch(BuildPart::sawNullKey);
    }

    /// The partitions that are on disk, as bits; bit [BuildPart#NULL_KEYS] for the rows with a NULL key.
    int spilledSet() {
        return spilledSet.get();
    }

    boolean isSpilled(int partition) {
        return (spilledSet.get() >>> partition & 1) != 0;
    }

    /// Gives the rows of a partition that are on disk to the caller.
    List<SpilledRows> takeSpilled(int partition) {
        return parts.stream()
                .map(part -> part.takeSpilled(partition))
                .filter(Objects::nonNull)
                .toList();
    }

    /// The partition of a key that hashes so.
    int partitionOf(long hash) {
        return rows.partitionOf(hash);
    }

    /// How many scans there are: of the partitions, then of the rows with a NULL key.
    int scanCount() {
        return PARTITIONS + parts.size();
    }

    /// Reads all rows of one part of the table; any number of threads may.
    RowPages.Scan scan(int number) {
        return number < PARTITIONS
                ? rows.pages(number).scan()
                : parts.get(number - PARTITIONS).pages(BuildPart.NULL_KEYS).scan();
    }

    /// Loads a field of some rows into a column, the caller's; [RowPlace#NONE] gives NULL.
    Column load(int field, long[] places, int count, Allocator into) {
        return layout.ops(field).load(places, 0, count, layout.field(field), mayBeNull[field], slabs, into, strings);
    }

    /// Gives the rows in memory back, which nobody reads any more; a second call does nothing.
    void releaseRows() {
        synchronized (parts) {
            rows.release();
            if (strings != null) {
                strings.release();
                strings = null;
            }
            parts.forEach(BuildPart::releaseRows);
        }
    }

    /// Gives back all rows, also those on disk that nobody took; a second call does nothing.
    void release() {
        releaseRows();
        parts.forEach(BuildPart::releaseSpilled);
    }
}
