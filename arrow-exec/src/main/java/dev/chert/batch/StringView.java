package dev.chert.batch;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// A cursor over the bytes of one string or byte string: where they lie and how many they are.
///
/// Reused from row to row; a function that gets one must not keep it. The bytes are borrowed. Strings are UTF-8.
public final class StringView {
    private static final int INLINE_BYTES = 12;
    private static final int VIEW_BYTES = 16;

    private MemorySegment segment;
    private long offset;
    private int length;
    private int slab = -1;

    /// Points this cursor at the value in `row` of `column`.
    ///
    /// @param row a row of a flat column of [Physical#VIEW], 0 of a constant one
    /// @return    this
    public StringView at(Column column, int row) {
        return at(column.values(), column.slabs(), row);
    }

    /// Points this cursor at view number `row` of `views`.
    ///
    /// @param slabs the slab directory into which long views point
    /// @return      this
    public StringView at(MemorySegment views, MemorySegment[] slabs, int row) {
        long at = (long) row * VIEW_BYTES;
        length = views.get(Layouts.INT, at);
        if (length <= INLINE_BYTES) {
            segment = views;
            offset = at + 4;
            slab = -1;
        } else {
            slab = views.get(Layouts.INT, at + 8);
            segment = slabs[slab];
            offset = Integer.toUnsignedLong(views.get(Layouts.INT, at + 12));
        }
        return this;
    }

    /// Points this cursor at `length` bytes from `offset` of `segment`.
    ///
    /// @return this
    public StringView at(MemorySegment bytes, long from, int byteCount) {
        segment = bytes;
        offset = from;
        length = byteCount;
        slab = -1;
        return this;
    }

    /// The segment in which the bytes lie, from [#offset()] on; borrowed.
    public MemorySegment segment() {
        return segment;
    }

    public long offset() {
        return offset;
    }

    /// The number of the slab in which the bytes lie, at [#offset()] of it; -1 where they lie inline or
    /// elsewhere.
    public int slab() {
        return slab;
    }

    /// Bytes, not characters.
    public int length() {
        return length;
    }

    public byte byteAt(int i) {
        return segment.get(Layouts.BYTE, offset + i);
    }

    /// True where both have the same bytes.
    public boolean sameBytes(StringView other) {
        return length == other.length
                && MemorySegment.mismatch(
                                segment, offset, offset + length, other.segment, other.offset, other.offset + length)
                        < 0;
    }

    /// Compares byte by byte, unsigned, which for UTF-8 is the order of code points; a prefix comes first.
    public int compareTo(StringView other) {
        long at = MemorySegment.mismatch(
                segment, offset, offset + length, other.segment, other.offset, other.offset + other.length);
        if (at < 0) {
            return 0;
        }
        if (at >= length) {
            return -1;
        }
        if (at >= other.length) {
            return 1;
        }
        return Integer.compare(
                segment.get(Layouts.BYTE, offset + at) & 0xFF,
                other.segment.get(Layouts.BYTE, other.offset + at) & 0xFF);
    }

    /// Copies the bytes into a new array.
    public byte[] toBytes() {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, Layouts.BYTE, offset, bytes, 0, length);
        return bytes;
    }

    /// Decodes the bytes as UTF-8; for errors, results and tests, not for loops.
    @Override
    public String toString() {
        return new String(toBytes(), StandardCharsets.UTF_8);
    }
}
