package dev.chert.operator.table;

import dev.chert.batch.Layouts;
import dev.chert.batch.RowPlace;
import dev.chert.batch.StringHeap;
import dev.chert.memory.Allocator;
import java.lang.foreign.MemorySegment;

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
/// can be [#split] once. Threads may work on different partitions at the same time, and any number may look rows
/// up while none adds. Memory grows with the rows added.
public final class RowTable {
    /// The lowest bit of a hash that chooses the partition; 8 bits serve, below those that entries keep.
    public static final int PARTITION_SHIFT = 40;

    /// The most partitions.
    public static final int MOST_PARTITIONS = 256;

    private static final int SCAN_ROWS = 1024;

    private final RowLayout layout;
    private final int keyCount;
    private final Allocator allocator;
    private final PartitionOrder order = new PartitionOrder();
    private RowPages[] pages;
    private Directory[] directories;

    /// @param keyCount   how many fields, from the first on, are the key
    /// @param partitions a power of two
    public RowTable(RowLayout layout, int keyCount, int partitions, Allocator allocator) {
        assert Integer.bitCount(partitions) == 1 && partitions <= MOST_PARTITIONS;
        this.layout = layout;
        this.keyCount = keyCount;
        this.allocator = allocator;
        makePartitions(partitions, 0);
    }

    private void makePartitions(int partitions, long expectedRows) {
        pages = new RowPages[partitions];
        directories = new Directory[partitions];
        for (int p = 0; p < partitions; p++) {
            pages[p] = new RowPages(layout, allocator);
            directories[p] = new Directory(allocator, expectedRows / partitions);
        }
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
        long hash = RowPlace.slab(slabs(), place).get(Layouts.LONG, RowPlace.offset(place) + RowLayout.HASH_OFFSET);
        return pages[partitionOf(hash)].heap();
    }

    public int partitionOf(long hash) {
        return (int) (hash >>> PARTITION_SHIFT) & pages.length - 1;
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
            bytes += pages[p].byteSize() + directories[p].byteSize();
        }
        return bytes;
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

    /// Moves the rows of the only partition into several. Rows change their places.
    public void split(int partitions) {
        assert pages.length == 1 && partitions <= MOST_PARTITIONS;
        RowPages oldPages = pages[0];
        Directory oldDirectory = directories[0];
        oldDirectory.release();
        makePartitions(partitions, oldPages.rowCount());
        for (RowPages partition : pages) {
            partition.expectNullsOf(oldPages);
        }
        long[] places = new long[SCAN_ROWS];
        RowPages.Scan scan = oldPages.scan();
        for (int count = scan.next(places, SCAN_ROWS); count > 0; count = scan.next(places, SCAN_ROWS)) {
            for (int i = 0; i < count; i++) {
                long hash = RowPlace.slab(slabs(), places[i])
                        .get(Layouts.LONG, RowPlace.offset(places[i]) + RowLayout.HASH_OFFSET);
                int p = partitionOf(hash);
                directories[p].addUnique(hash, pages[p].addCopy(places[i]));
            }
        }
        oldPages.release();
    }

    /// Gives back one partition, whose rows must not be read any more; a second call does nothing.
    public void releasePartition(int partition) {
        pages[partition].release();
        directories[partition].release();
    }

    /// Gives back all partitions; a second call does nothing.
    public void release() {
        for (int p = 0; p < pages.length; p++) {
            releasePartition(p);
        }
    }
}
