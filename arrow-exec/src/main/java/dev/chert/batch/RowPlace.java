package dev.chert.batch;

import dev.chert.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Where a stored row lies, in one `long`: 27 bits of slab number, then 21 bits of offset in the slab.
///
/// Like the place of a long string it is valid in the whole engine, so one table may hold rows that another made.
/// Rows begin at multiples of 8; bit 0 is free for an entry of a directory, and the upper 16 bits are 0.
public final class RowPlace {
    /// No row: what an outer join takes NULLs from.
    public static final long NONE = -1;

    /// Bits of an entry that are a place.
    public static final long MASK = 0xFFFF_FFFF_FFF8L;

    /// Rows begin within so many bytes of their page, or they would have no place.
    public static final long MAX_PAGE_BYTES = 1L << 20;

    private static final int OFFSET_BITS = 21;
    private static final int OFFSET_MASK = (1 << OFFSET_BITS) - 1;

    private RowPlace() {}

    /// The place of the first byte of a page; rows may begin within [#MAX_PAGE_BYTES] of it.
    public static long of(Buffer page) {
        assert page.slabOffset() <= OFFSET_MASK;
        return (long) page.slab() << OFFSET_BITS | page.slabOffset();
    }

    /// The slab in which the row lies.
    public static MemorySegment slab(MemorySegment[] slabs, long place) {
        return slabs[(int) (place >>> OFFSET_BITS)];
    }

    /// Where in the slab the row begins.
    public static int offset(long place) {
        return (int) place & OFFSET_MASK;
    }
}
