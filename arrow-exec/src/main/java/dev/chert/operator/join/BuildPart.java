package dev.chert.operator.join;

import dev.chert.memory.Allocator;
import dev.chert.memory.GuardedState;
import dev.chert.operator.table.Directory;
import dev.chert.operator.table.RowBlock;
import dev.chert.operator.table.RowLayout;
import dev.chert.operator.table.RowPages;
import dev.chert.operator.table.RowTable;
import dev.chert.operator.table.RowValues;
import dev.chert.operator.table.SpilledRows;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// One worker's build rows, by partitions of their hash, in memory or on disk.
///
/// Spills whole partitions, those first of which rows are on disk already, its own or another worker's: what is in
/// memory of them in the end goes to disk, too. Rows with a NULL key are one more partition, which no hash leads to.
/// One thread works on it at a time ([#work]) while others may ask it to spill. Memory: the
/// rows, and scratch to write them when there is no more memory.
final class BuildPart extends GuardedState {
    /// With less there is no scratch kept: it would not be worth asking for this part.
    private static final long MUCH_BYTES = 1 << 20;

    private static final long LARGE_DIRECTORY_BYTES = 1 << 20;

    /// The number of the rows with a NULL key among the partitions.
    static final int NULL_KEYS = JoinTable.PARTITIONS;

    private final RowLayout layout;
    private final Allocator allocator;
    private final Runnable checkCancelled;
    private final AtomicInteger spilledSet;
    private final RowTable stored;
    private final RowPages nullKeys;
    private final SpilledRows[] onDisk = new SpilledRows[NULL_KEYS + 1];
    private long keyedRows;
    private long nullKeyRows;
    private boolean sawNullKey;
    private volatile long heldBytes;
    private RowBlock scratch; // once there is much to be written
    private long[] places = {};

    /// @param spilledSet     bit `p` says that rows of partition `p` are on disk; the table's, common to its parts
    /// @param checkCancelled throws if the query was cancelled
    BuildPart(RowLayout layout, int keyCount, AtomicInteger spilledSet, Allocator allocator, Runnable checkCancelled) {
        super(allocator);
        this.layout = layout;
        this.allocator = allocator;
        this.checkCancelled = checkCancelled;
        this.spilledSet = spilledSet;
        this.stored = new RowTable(layout, keyCount, JoinTable.PARTITIONS, allocator);
        this.nullKeys = new RowPages(layout, allocator);
    }

    /// Stores rows whose keys are not NULL.
    ///
    /// @param positions which of the values, `count` of them
    void add(RowValues values, long[] hashes, int[] positions, int count) {
        reserve(values.count());
        stored.store(values, hashes, positions, count, places);
        keyedRows += count;
        measure();
    }

    /// Stores rows that have a NULL in their keys.
    void addNullKeys(RowValues values, int[] positions, int count) {
        reserve(values.count());
        for (int i = 0; i < count; i++) {
            places[positions[i]] = nullKeys.add(0);
        }
        nullKeys.store(values, positions, count, places);
        nullKeyRows += count;
        measure();
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

    private void measure() {
        long bytes = 0;
        for (int p = 0; p <= NULL_KEYS; p++) {
            bytes += pages(p).byteSize();
        }
        heldBytes = bytes;
        if (bytes >= MUCH_BYTES && scratch == null) {
            allocator.spillFile(); // while there is memory for what all files share
            scratch = new RowBlock(allocator);
        }
    }

    /// Ends the adding: a last chance to spill before it is decided what stays.
    void finish() {
        enter();
        leave();
    }

    /// Ends all spilling: what is in memory stays.
    void seal() {
        releaseScratch();
    }

    private void releaseScratch() {
        if (scratch != null) {
            scratch.release();
            scratch = null;
        }
    }

    /// The rows of a partition that are in memory.
    RowPages pages(int partition) {
        return partition == NULL_KEYS ? nullKeys : stored.pages(partition);
    }

    /// What directories for the rows with keys that are in memory cost, all together.
    long directoryBytes() {
        return IntStream.range(0, NULL_KEYS)
                .mapToLong(p -> Directory.bytesFor(pages(p).rowCount()))
                .sum();
    }

    /// Whether some directory could not be made in a slab, of which there are some even where memory is in pieces.
    boolean needsLargeDirectory() {
        return IntStream.range(0, NULL_KEYS)
                .anyMatch(p -> Directory.bytesFor(pages(p).rowCount()) > LARGE_DIRECTORY_BYTES);
    }

    /// Rows with keys that were added, in memory or on disk.
    long keyedRows() {
        return keyedRows;
    }

    /// Rows with a NULL key that were added, in memory or on disk.
    long nullKeyRows() {
        return nullKeyRows;
    }

    boolean sawNullKey() {
        return sawNullKey;
    }

    @Override
    protected long heldBytes() {
        return heldBytes;
    }

    @Override
    protected long release(long wantedBytes) {
        long freed = 0;
        for (int p = nextToSpill(); p >= 0 && freed < wantedBytes; p = nextToSpill()) {
            long bytes = pages(p).byteSize();
            spill(p);
            freed += bytes;
            heldBytes -= bytes;
        }
        return freed;
    }

    private int nextToSpill() {
        int spilled = spilledSet.get();
        int next = -1;
        for (int p = 0; p <= NULL_KEYS; p++) {
            long bytes = pages(p).byteSize();
            if (bytes > 0 && (next < 0 || isBefore(p, bytes, next, spilled))) {
                next = p;
            }
        }
        return next;
    }

    private boolean isBefore(int partition, long bytes, int other, int spilled) {
        boolean isSpilled = (spilled >>> partition & 1) != 0;
        boolean otherIsSpilled = (spilled >>> other & 1) != 0;
        return isSpilled == otherIsSpilled ? bytes > pages(other).byteSize() : isSpilled;
    }

    /// Moves the rest of a partition to disk, once all rows were added. Threads that do so for different partitions
    /// wait for each other.
    synchronized void spillRest(int partition) {
        spill(partition);
    }

    private void spill(int partition) {
        RowPages pages = pages(partition);
        if (pages.rowCount() > 0) {
            if (onDisk[partition] == null) {
                onDisk[partition] = new SpilledRows(layout, allocator, checkCancelled);
            }
            if (scratch == null) {
                onDisk[partition].add(pages);
            } else {
                onDisk[partition].add(pages, scratch);
            }
        }
        spilledSet.accumulateAndGet(1 << partition, (a, b) -> a | b);
        pages.release();
    }

    /// Gives the rows of a partition that are on disk to the caller; null where there are none.
    SpilledRows takeSpilled(int partition) {
        SpilledRows taken = onDisk[partition];
        onDisk[partition] = null;
        return taken;
    }

    /// Gives the rows in memory back; a second call does nothing.
    void releaseRows() {
        unregister();
        releaseScratch();
        stored.release();
        nullKeys.release();
    }

    /// Gives the rows on disk back that nobody took; a second call does nothing.
    void releaseSpilled() {
        for (int p = 0; p <= NULL_KEYS; p++) {
            SpilledRows rows = takeSpilled(p);
            if (rows != null) {
                rows.release();
            }
        }
    }
}
