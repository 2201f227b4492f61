package dev.chert.operator.table;

import dev.chert.batch.Layouts;
import dev.chert.batch.RowPlace;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// From hashes to rows: open addressing with linear probing over 8-byte entries, a power of two of them.
///
/// ```text
/// entry  63         48 47                    3 2 1 0
///        | hash bits  | place of the row      |0 0 1|     an empty slot is all 0
///          63 to 48
/// slot   = hash & mask, then the next ones; a partition is chosen by bits 40 and up, so the three are
/// independent
/// ```
///
/// Rows keep their hash, so growing asks no key. Not thread-safe while it grows. Memory: 13 to 26 bytes a row.
public final class Directory {
    private static final int FIRST_CAPACITY = 128;
    private static final int MOST_CAPACITY = 1 << 30;
    private static final long TAG_MASK = 0xFFFFL << 48;

    private final Allocator allocator;
    private Buffer buffer;
    private MemorySegment entries;
    private int mask;
    private int size;
    private int limit;

    /// @param expectedRows how many rows it takes without growing
    public Directory(Allocator allocator, long expectedRows) {
        this.allocator = allocator;
        allocate(capacity(expectedRows));
    }

    /// What a directory for so many rows costs.
    public static long bytesFor(long expectedRows) {
        return 8L * capacity(expectedRows);
    }

    private static int capacity(long expectedRows) {
        int capacity = FIRST_CAPACITY;
        while (limit(capacity) < expectedRows && capacity < MOST_CAPACITY) {
            capacity *= 2;
        }
        return capacity;
    }

    private static int limit(int capacity) {
        return capacity / 2 + capacity / 8;
    }

    private void allocate(int capacity) {
        buffer = allocator.allocateZeroed(8L * capacity);
        entries = buffer.segment();
        mask = capacity - 1;
        limit = limit(capacity);
    }

    /// The entry that leads to a row.
    static long entry(long hash, long place) {
        return hash & TAG_MASK | place | 1;
    }

    static long place(long entry) {
        return entry & RowPlace.MASK;
    }

    /// Whether an entry may lead to a row of this hash.
    static boolean tagMatches(long entry, long hash) {
        return ((entry ^ hash) & TAG_MASK) == 0;
    }

    /// The entries; replaced when it grows.
    MemorySegment entries() {
        return entries;
    }

    /// The number of slots less one.
    int mask() {
        return mask;
    }

    /// Whether it must [#grow] before it takes another row.
    boolean isFull() {
        return size >= limit;
    }

    /// Fills an empty slot.
    void put(int slot, long hash, long place) {
        entries.setAtIndex(Layouts.LONG, slot, entry(hash, place));
        size++;
    }

    /// Adds a row whose key is known to be in no other row.
    public void addUnique(long hash, long place) {
        if (isFull()) {
            grow();
        }
        insert(entries, mask, hash, place);
        size++;
    }

    private static void insert(MemorySegment entries, int mask, long hash, long place) {
        int slot = (int) hash & mask;
        while (entries.getAtIndex(Layouts.LONG, slot) != 0) {
            slot = slot + 1 & mask;
        }
        entries.setAtIndex(Layouts.LONG, slot, entry(hash, place));
    }

    /// Doubles the slots. The old and the new ones are held at the same time.
    void grow() {
        if (mask + 1 == MOST_CAPACITY) {
            throw new IllegalStateException("a partition of more than " + size + " rows: it should have been split");
        }
        Buffer oldBuffer = buffer;
        MemorySegment old = entries;
        int oldMask = mask;
        allocate((oldMask + 1) * 2);
        MemorySegment[] slabs = allocator.account().manager().slabs();
        for (int slot = 0; slot <= oldMask; slot++) {
            long entry = old.getAtIndex(Layouts.LONG, slot);
            if (entry != 0) {
                long place = place(entry);
                long hash =
                        RowPlace.slab(slabs, place).get(Layouts.LONG, RowPlace.offset(place) + RowLayout.HASH_OFFSET);
                insert(entries, mask, hash, place);
            }
        }
        oldBuffer.release();
    }

    /// Forgets all rows and becomes small again. Where there is no memory for the small slots, it has forgotten all
    /// the same.
    void clear() {
        entries.fill((byte) 0);
        size = 0;
        if (mask + 1 > FIRST_CAPACITY) {
            Buffer large = buffer;
            allocate(FIRST_CAPACITY);
            large.release();
        }
    }

    /// Rows that it leads to.
    public int size() {
        return size;
    }

    public long byteSize() {
        return buffer == null ? 0 : buffer.size();
    }

    /// Gives its memory back; a second call does nothing.
    public void release() {
        if (buffer != null) {
            buffer.release();
            buffer = null;
            entries = null;
        }
    }
}
