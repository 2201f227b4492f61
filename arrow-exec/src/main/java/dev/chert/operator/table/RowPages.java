package dev.chert.operator.table;

import dev.chert.batch.Layouts;
import dev.chert.batch.RowPlace;
import dev.chert.batch.RowString;
import dev.chert.batch.StringHeap;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Rows of one layout in pages that never move, in the order in which they were added: a partition of a table,
/// which can be merged, spilled and given back alone.
///
/// ```text
/// page 0, 4 KiB    | row | row | row |.|      each page twice as long as the one before, up to 64 KiB;
/// page 1, 8 KiB    | row | row | row | row | row | row |..|      what is left at its end is lost
/// heap             | long string | long string |...
/// ```
///
/// Pages come zeroed, so new rows have no NULLs and their extra bytes are 0. Long strings lie in a heap of these
/// pages alone; columns that were loaded from the rows retain it, so the pages may go before the columns do.
/// Pages and the heap's buffers stay small, so that a table of many partitions with few rows each is small, too.
/// Not thread-safe while it grows. Memory grows with the rows and their strings.
public final class RowPages {
    private static final int FIRST_BYTES = 4 << 10;
    private static final int MOST_BYTES = 64 << 10;

    private final RowLayout layout;
    private final Allocator allocator;
    private final List<Buffer> pages = new ArrayList<>();
    private final List<Integer> pageRows = new ArrayList<>(); // of all pages but the one that is being filled
    private final int[] seenNulls;
    private StringHeap heap;
    private Buffer current;
    private MemorySegment currentBytes;
    private long currentPlace;
    private int used;
    private int end;
    private int nextBytes = FIRST_BYTES;
    private long rowCount;
    private long deadRows;
    private long pageBytes;

    public RowPages(RowLayout layout, Allocator allocator) {
        this.layout = layout;
        this.allocator = allocator;
        this.seenNulls = new int[layout.nullWords()];
    }

    /// The long strings of the rows; counted, and the count of these pages ends with [#release()].
    public StringHeap heap() {
        if (heap == null) {
            heap = new StringHeap(allocator, MOST_BYTES);
        }
        return heap;
    }

    /// Adds a row that has a hash and nothing else.
    ///
    /// @return its place, valid until these pages are released
    public long add(long hash) {
        if (used == end) {
            addPage();
        }
        currentBytes.set(Layouts.LONG, used, hash);
        long place = currentPlace + used;
        used += layout.rowBytes();
        rowCount++;
        return place;
    }

    /// Adds a row for each hash.
    ///
    /// @param places receives the places
    public void add(long[] hashes, int count, long[] places) {
        for (int i = 0; i < count; i++) {
            places[i] = add(hashes[i]);
        }
    }

    private void addPage() {
        closePage();
        int rowBytes = layout.rowBytes();
        int bytes = Math.max(nextBytes, rowBytes);
        current = allocator.allocateZeroed(bytes);
        pages.add(current);
        pageBytes += current.reservedBytes();
        currentBytes = current.segment();
        currentPlace = RowPlace.of(current);
        used = 0;
        end = bytes / rowBytes * rowBytes;
        nextBytes = Math.min(2 * nextBytes, MOST_BYTES);
    }

    private void closePage() {
        if (current != null) {
            pageRows.add(used / layout.rowBytes());
            current = null;
            used = 0;
            end = 0;
        }
    }

    /// Stores values and null bits into rows that were added here.
    ///
    /// @param values    of the layout's first fields
    /// @param positions which of the values, `count` of them
    /// @param places    the row of value `i` at `i`
    public void store(RowValues values, int[] positions, int count, long[] places) {
        layout.storeFixed(values, positions, count, places, slabs());
        layout.storeStrings(values, positions, count, places, slabs(), heap());
        noteNulls(values);
    }

    /// Adds a copy of a row of the same layout that lies elsewhere, and of its long strings. What it may have of
    /// NULLs must be expected here ([#expectNullsOf]).
    ///
    /// @return the copy's place
    public long addCopy(long row) {
        MemorySegment[] slabs = slabs();
        MemorySegment from = RowPlace.slab(slabs, row);
        int at = RowPlace.offset(row);
        long place = add(from.get(Layouts.LONG, at + RowLayout.HASH_OFFSET));
        MemorySegment to = RowPlace.slab(slabs(), place);
        int toAt = RowPlace.offset(place);
        MemorySegment.copy(from, at, to, toAt, layout.rowBytes());
        for (RowString string : layout.strings()) {
            int length = RowLayout.longLength(string, from, at);
            if (length > 0) {
                copyString(string, length, from, at, slabs, to, toAt);
            }
        }
        return place;
    }

    private void copyString(
            RowString string,
            int length,
            MemorySegment from,
            int at,
            MemorySegment[] slabs,
            MemorySegment to,
            int toAt) {
        int view = string.view().offset();
        MemorySegment bytes = slabs[from.get(Layouts.INT, at + view + RowLayout.VIEW_SLAB)];
        StringHeap into = heap();
        into.reserve(length);
        MemorySegment.copy(
                bytes, from.get(Layouts.INT, at + view + RowLayout.VIEW_OFFSET), into.segment(), into.place(), length);
        to.set(Layouts.INT, toAt + view + RowLayout.VIEW_SLAB, into.slab());
        to.set(Layouts.INT, toAt + view + RowLayout.VIEW_OFFSET, into.slabOffset());
        if (string.roomOffset() != RowString.NO_ROOM) {
            to.set(Layouts.INT, toAt + string.roomOffset(), length);
        }
    }

    /// Remembers which fields of rows that are stored here may be NULL.
    void noteNulls(RowValues values) {
        if (values.hasNulls()) {
            for (int f = 0; f < values.fieldCount(); f++) {
                if (values.column(f).hasNulls()) {
                    seenNulls[RowLayout.nullWordOf(f)] |= 1 << RowLayout.nullBitOf(f);
                }
            }
        }
    }

    /// Remembers which fields of `other` may be NULL, before its rows enter the directory of these pages.
    public void expectNullsOf(RowPages other) {
        expectNulls(other.seenNulls);
    }

    /// Remembers null bits, a word each, that rows to come may have.
    void expectNulls(int[] words) {
        for (int w = 0; w < seenNulls.length; w++) {
            seenNulls[w] |= words[w];
        }
    }

    /// The null bits that any row may have, a word each.
    int[] seenNulls() {
        return seenNulls;
    }

    /// Whether a row may have NULL in field `field`.
    public boolean mayBeNull(int field) {
        return (seenNulls[RowLayout.nullWordOf(field)] & 1 << RowLayout.nullBitOf(field)) != 0;
    }

    /// Marks rows that count no more.
    public void bury(long[] places, int count) {
        MemorySegment[] slabs = slabs();
        for (int i = 0; i < count; i++) {
            MemorySegment slab = RowPlace.slab(slabs, places[i]);
            int at = RowPlace.offset(places[i]) + RowLayout.NULLS_OFFSET;
            slab.set(Layouts.INT, at, slab.get(Layouts.INT, at) | RowLayout.DEAD);
        }
        deadRows += count;
    }

    /// Takes over all rows of other pages of the same layout, and their strings; those are empty afterwards.
    public void adopt(RowPages other) {
        closePage();
        other.closePage();
        pages.addAll(other.pages);
        pageRows.addAll(other.pageRows);
        rowCount += other.rowCount;
        deadRows += other.deadRows;
        pageBytes += other.pageBytes;
        expectNullsOf(other);
        if (other.heap != null) {
            heap().adopt(other.heap);
        }
        other.forget();
    }

    /// Reads the hashes of rows.
    public void readHashes(long[] places, int count, long[] hashes) {
        MemorySegment[] slabs = slabs();
        for (int i = 0; i < count; i++) {
            hashes[i] = RowTable.hash(slabs, places[i]);
        }
    }

    /// Rows that count.
    public long rowCount() {
        return rowCount - deadRows;
    }

    /// What the pages and the strings cost.
    public long byteSize() {
        return pageBytes + (heap == null ? 0 : heap.byteSize());
    }

    /// The slabs, as of now: with all rows added and strings stored until now.
    public MemorySegment[] slabs() {
        return allocator.account().manager().slabs();
    }

    /// Begins to read the rows that count, in order. No row may be added meanwhile.
    public Scan scan() {
        return new Scan();
    }

    /// Gives the rows and the count on their strings back; rows may be added anew.
    public void release() {
        pages.forEach(Buffer::release);
        forget();
        if (heap != null) {
            heap.release();
            heap = null;
        }
    }

    private void forget() {
        pages.clear();
        pageRows.clear();
        pageBytes = 0;
        current = null;
        used = 0;
        end = 0;
        nextBytes = FIRST_BYTES;
        rowCount = 0;
        deadRows = 0;
    }

    /// A position among the rows.
    public final class Scan implements RowSource {
        private int page;
        private int row;

        private Scan() {}

        /// Reads the places of the next rows, valid as long as the pages.
        @Override
        public int next(long[] places, int most) {
            int rowBytes = layout.rowBytes();
            MemorySegment[] slabs = slabs();
            int size = 0;
            while (size < most && page < pages.size()) {
                int rows = page < pageRows.size() ? pageRows.get(page) : used / rowBytes;
                long first = RowPlace.of(pages.get(page));
                int batchEnd = Math.min(rows, row + most - size);
                for (int r = row; r < batchEnd; r++) {
                    long place = first + (long) r * rowBytes;
                    int word = RowPlace.slab(slabs, place)
                            .get(Layouts.INT, RowPlace.offset(place) + RowLayout.NULLS_OFFSET);
                    places[size] = place;
                    size += word >= 0 ? 1 : 0; // the sign bit says dead
                }
                row = batchEnd;
                if (row == rows) {
                    page++;
                    row = 0;
                }
            }
            return size;
        }
    }
}
