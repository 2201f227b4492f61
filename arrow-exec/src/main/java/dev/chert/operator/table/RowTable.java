package dev.chert.operator.table;

import dev.chert.batch.Layouts;
import dev.chert.batch.RowPlace;
import dev.chert.batch.StringHeap;
import dev.chert.memory.Allocator;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Rows found by their key: partitions of pages, each with a directory, told apart by bits of the hash.
///
/// ```text
///            hash bits 40 ...        hash bits 0 ...
///  key -> hash ----+-> partition 0: directory -> pages with their strings
///                  +-> partition 1: directory -> pages
///                  +-> ...
/// ```
///
/// Knows no operator; a [RowProbe] looks rows up in it and adds them. Starts with one partition or several, and
/// can be [#split] once; a partition can be spilled and taken out alone. Threads may work on different partitions at
/// the same time, and any number may look rows up while none adds. Memory grows with the rows added.
public final class RowTable {
    /// The lowest bit of a hash that chooses the partition; 8 bits serve, below those that entries keep.
    public static final int PARTITION_SHIFT = 40;

    /// The most partitions.
    public static final int MOST_PARTITIONS = 256;

    /// Partitions of a partition, on every level but the first.
    public static final int DEEPER_PARTITIONS = 16;

    /// The deepest level: there are no more bits.
    public static final int MOST_LEVELS = 16;

    private static final int SCAN_ROWS = 1024;
    private static final int LEVEL_BITS = 4;

    private final RowLayout layout;
    private final int keyCount;
    private final Allocator allocator;
    private final PartitionOrder order = new PartitionOrder();
    private RowPages[] pages;
    private Directory[] directories;
    private int moves;

    /// @param keyCount   how many fields, from the first on, are the key
    /// @param partitions a power of two
    public RowTable(RowLayout layout, int keyCount, int partitions, Allocator allocator) {
        assert Integer.bitCount(partitions) == 1 && partitions <= MOST_PARTITIONS;
        this.layout = layout;
        this.keyCount = keyCount;
        this.allocator = allocator;
        pages = newPages(partitions);
        directories = newDirectories(partitions, 0);
    }

    /// A table of one partition, taken out of another table.
    private RowTable(RowTable other, int partition) {
        layout = other.layout;
        keyCount = other.keyCount;
        allocator = other.allocator;
        pages = new RowPages[] {other.pages[partition]};
        directories = new Directory[] {other.directories[partition]};
    }

    private RowPages[] newPages(int partitions) {
        RowPages[] made = new RowPages[partitions];
        Arrays.setAll(made, _ -> new RowPages(layout, allocator));
        return made;
    }

    /// All or none.
    private Directory[] newDirectories(int partitions, long expectedRows) {
        Directory[] made = new Directory[partitions];
        int count = 0;
        try {
            while (count < partitions) {
                made[count] = new Directory(allocator, expectedRows / partitions);
                count++;
            }
        } finally {
            for (int p = 0; count < partitions && p < count; p++) {
                made[p].release();
            }
        }
        return made;
    }

    public RowLayout layout() {
        return layout;
    }

    public int keyCount() {
        return keyCount;
    }

    public int partitions() {
        return pages.length;
    }

    public RowPages pages(int partition) {
        return pages[partition];
    }

    public Directory directory(int partition) {
        return directories[partition];
    }

    /// Takes the strings of a row: the heap of its partition.
    public StringHeap heapOf(long place) {
        return pages[partitionOf(hash(slabs(), place))].heap();
    }

    public int partitionOf(long hash) {
        return partitionOf(hash, 0, pages.length);
    }

    /// The part of a partition to which a row belongs when the partition is cut up, level by level. Each level has
    /// bits of its own, which are also none that choose slots or stand in entries.
    ///
    /// @param level      0 for the partitions of a table, up to [#MOST_LEVELS]
    /// @param partitions [#DEEPER_PARTITIONS] on the deeper levels
    public static int partitionOf(long hash, int level, int partitions) {
        if (level == 0) {
            return (int) (hash >>> PARTITION_SHIFT) & partitions - 1;
        }
        long mixed = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL; // the finalizer of MurmurHash3
        mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
        mixed ^= mixed >>> 33;
        return (int) (mixed >>> LEVEL_BITS * (level - 1)) & DEEPER_PARTITIONS - 1;
    }

    /// The hash that a row keeps.
    public static long hash(MemorySegment[] slabs, long place) {
        return RowPlace.slab(slabs, place).get(Layouts.LONG, RowPlace.offset(place) + RowLayout.HASH_OFFSET);
    }

    /// Rows of all partitions.
    public long rowCount() {
        long rows = 0;
        for (RowPages partition : pages) {
            rows += partition.rowCount();
        }
        return rows;
    }

    /// Bytes of pages, directories and strings.
    public long byteSize() {
        long bytes = 0;
        for (int p = 0; p < pages.length; p++) {
            bytes += byteSize(p);
        }
        return bytes;
    }

    /// Bytes of a partition's pages, directory and strings.
    public long byteSize(int partition) {
        Directory directory = directories[partition];
        return pages[partition].byteSize() + (directory == null ? 0 : directory.byteSize());
    }

    /// The slabs, as of now: with all rows and strings stored until now.
    public MemorySegment[] slabs() {
        return allocator.account().manager().slabs();
    }

    /// Whether a row may have NULL in one of the key's fields.
    boolean keyMayBeNull() {
        for (RowPages partition : pages) {
            for (int f = 0; f < keyCount; f++) {
                if (partition.mayBeNull(f)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Adds rows to the pages of their partitions without entering them into a directory.
    ///
    /// @param values    of the layout's fields
    /// @param positions which of the values, `count` of them
    /// @param places    receives the row of value `i` at `i`
    public void store(RowValues values, long[] hashes, int[] positions, int count, long[] places) {
        for (int i = 0; i < count; i++) {
            int p = positions[i];
            places[p] = pages[partitionOf(hashes[p])].add(hashes[p]);
        }
        storeFields(values, hashes, positions, count, places, order);
    }

    /// Stores values and null bits into rows that were added here; else as [#store].
    ///
    /// @param scratch the caller's, as several threads may store into different partitions
    void storeFields(
            RowValues values, long[] hashes, int[] positions, int count, long[] places, PartitionOrder scratch) {
        for (RowPages partition : pages) {
            partition.noteNulls(values);
        }
        layout.storeFixed(values, positions, count, places, slabs());
        if (!layout.hasStrings(values.fieldCount())) {
            return;
        }
        if (pages.length == 1) {
            layout.storeStrings(values, positions, count, places, slabs(), pages[0].heap());
            return;
        }
        scratch.sort(this, hashes, positions, count);
        for (int p = 0; p < pages.length; p++) {
            int size = scratch.count(p);
            if (size > 0) {
                layout.storeStrings(values, scratch.positions(p), size, places, slabs(), pages[p].heap());
            }
        }
    }

    /// Makes room in a partition's directory, which is empty, for rows to come.
    public void expectRows(int partition, long rows) {
        assert directories[partition].size() == 0;
        directories[partition].release();
        directories[partition] = new Directory(allocator, rows);
    }

    /// A number that is another one whenever rows have moved or gone: places that were remembered are void then.
    public int moves() {
        return moves;
    }

    /// Moves the rows of the only partition into several. Rows change their places. If that fails, nothing has changed.
    public void split(int partitions) {
        assert pages.length == 1 && partitions <= MOST_PARTITIONS;
        Directory[] newDirectories = newDirectories(partitions, pages[0].rowCount());
        RowPages[] newPages = newPages(partitions);
        boolean complete = false;
        try {
            copyInto(newPages, newDirectories);
            complete = true;
        } finally {
            if (!complete) {
                release(newPages, newDirectories);
            }
        }
        release(pages, directories);
        pages = newPages;
        directories = newDirectories;
        moves++;
    }

    private void copyInto(RowPages[] newPages, Directory[] newDirectories) {
        for (RowPages partition : newPages) {
            partition.expectNullsOf(pages[0]);
        }
        long[] places = new long[SCAN_ROWS];
        RowPages.Scan scan = pages[0].scan();
        for (int count = scan.next(places, SCAN_ROWS); count > 0; count = scan.next(places, SCAN_ROWS)) {
            for (int i = 0; i < count; i++) {
                long hash = hash(slabs(), places[i]);
                int p = partitionOf(hash, 0, newPages.length);
                newDirectories[p].addUnique(hash, newPages[p].addCopy(places[i]));
            }
        }
    }

    private static void release(RowPages[] pages, Directory[] directories) {
        for (int p = 0; p < pages.length; p++) {
            pages[p].release();
            directories[p].release();
        }
    }

    /// Takes a partition out; no row may be added to it here any more.
    ///
    /// @return a table of one partition, the caller's
    public RowTable takePartition(int partition) {
        RowTable taken = new RowTable(this, partition);
        pages[partition] = new RowPages(layout, allocator);
        directories[partition] = null;
        moves++;
        return taken;
    }

    /// Writes a partition to disk and empties it. If that fails, the rows are still here and none is on disk.
    ///
    /// @param scratch for a block, empty
    public void spillPartition(int partition, SpilledRows into, RowBlock scratch) {
        into.add(pages[partition], 0, 1, scratch);
        empty(partition);
    }

    /// Writes the rows of the only partition to disk, as the partitions into which they would be split, and empties
    /// it; else as [#spillPartition].
    ///
    /// @param into one for each partition
    public void spillOnlyPartition(SpilledRows[] into, RowBlock scratch) {
        assert pages.length == 1;
        int[] before = new int[into.length];
        Arrays.setAll(before, p -> into[p].blockCount());
        boolean written = false;
        try {
            for (int p = 0; p < into.length; p++) {
                into[p].add(pages[0], p, into.length, scratch);
            }
            written = true;
        } finally {
            if (!written) {
                for (int p = 0; p < into.length; p++) {
                    into[p].cut(before[p]);
                }
            }
        }
        empty(0);
    }

    private void empty(int partition) {
        moves++;
        pages[partition].release();
        directories[partition].clear();
    }

    /// Gives back one partition, whose rows must not be read any more; a second call does nothing.
    public void releasePartition(int partition) {
        pages[partition].release();
        if (directories[partition] != null) {
            directories[partition].release();
        }
    }

    /// Gives back all partitions; a second call does nothing.
    public void release() {
        for (int p = 0; p < pages.length; p++) {
            releasePartition(p);
        }
    }
}
