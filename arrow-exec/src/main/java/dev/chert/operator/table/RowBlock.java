package dev.chert.operator.table;

import dev.chert.batch.Layouts;
import dev.chert.batch.RowPlace;
import dev.chert.batch.RowString;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Rows and their long strings in one piece of memory, as they lie on disk.
///
/// ```text
/// while it is filled   | row | row | ->          free          <- | string | string |
/// closed               | row | row | string | string |
/// view of a long one   | length | prefix | 0 | bytes from the string's first byte to the end of the block |
/// ```
///
/// Counted from the end, a string's place stays what it is when the free bytes are cut out. A holder of much state
/// keeps one, so that it can be written when there is no memory for it. Not thread-safe. Memory: the bytes that it
/// was made with.
public final class RowBlock {
    /// The bytes of a full block: one piece of a spill file.
    static final int BYTES = 240 << 10;

    private final Buffer buffer;
    private final MemorySegment bytes;
    private RowLayout layout;
    private int rows;
    private int stringBytes;

    /// A block for any rows, one layout after the other.
    public RowBlock(Allocator allocator) {
        this(BYTES, allocator);
    }

    /// A block that is no larger than what it is for.
    ///
    /// @param bytes of the rows that are to be written
    public RowBlock(long bytes, Allocator allocator) {
        this(null, Math.clamp(bytes, 1, BYTES), allocator);
    }

    RowBlock(RowLayout layout, long capacity, Allocator allocator) {
        this.layout = layout;
        this.buffer = allocator.allocate(capacity);
        this.bytes = buffer.segment();
    }

    /// Begins to take rows of a layout. It must be empty.
    void begin(RowLayout ofRows) {
        assert rows == 0;
        layout = ofRows;
    }

    /// Bytes that a row takes of a block.
    static long bytesOf(RowLayout layout, MemorySegment slab, int at) {
        long size = layout.rowBytes();
        for (RowString string : layout.strings()) {
            size += RowLayout.longLength(string, slab, at);
        }
        return size;
    }

    int rows() {
        return rows;
    }

    /// Bytes that are taken.
    long usedBytes() {
        return (long) rows * layout.rowBytes() + stringBytes;
    }

    long capacity() {
        return bytes.byteSize();
    }

    /// Adds a row for which there is room.
    ///
    /// @param slab in which the row lies, from `at` on
    void add(MemorySegment slab, int at, MemorySegment[] slabs) {
        int rowBytes = layout.rowBytes();
        long rowAt = (long) rows * rowBytes;
        MemorySegment.copy(slab, at, bytes, rowAt, rowBytes);
        for (RowString string : layout.strings()) {
            int length = RowLayout.longLength(string, slab, at);
            if (length > 0) {
                stringBytes += length;
                long view = rowAt + string.view().offset();
                MemorySegment from =
                        slabs[slab.get(Layouts.INT, at + string.view().offset() + RowLayout.VIEW_SLAB)];
                int start = slab.get(Layouts.INT, at + string.view().offset() + RowLayout.VIEW_OFFSET);
                MemorySegment.copy(from, start, bytes, bytes.byteSize() - stringBytes, length);
                bytes.set(Layouts.INT, view + RowLayout.VIEW_SLAB, 0);
                bytes.set(Layouts.INT, view + RowLayout.VIEW_OFFSET, stringBytes);
                if (string.roomOffset() != RowString.NO_ROOM) {
                    bytes.set(Layouts.INT, rowAt + string.roomOffset(), length);
                }
            }
        }
        rows++;
    }

    /// Cuts the free bytes out. After that it must be cleared before it is filled again.
    ///
    /// @return what is written, borrowed
    MemorySegment close() {
        long rowsEnd = (long) rows * layout.rowBytes();
        MemorySegment.copy(bytes, bytes.byteSize() - stringBytes, bytes, rowsEnd, stringBytes);
        return bytes.asSlice(0, rowsEnd + stringBytes);
    }

    void clear() {
        rows = 0;
        stringBytes = 0;
    }

    /// Makes rows of a block that was read: lets the views point at the strings, which lie behind the rows.
    ///
    /// @param bytes the closed block, at the begin of `buffer`
    static void open(RowLayout layout, int rows, MemorySegment bytes, Buffer buffer) {
        int end = Math.toIntExact(buffer.slabOffset() + bytes.byteSize());
        int rowBytes = layout.rowBytes();
        for (RowString string : layout.strings()) {
            for (int row = 0; row < rows; row++) {
                int at = row * rowBytes;
                if (RowLayout.longLength(string, bytes, at) > 0) {
                    int view = at + string.view().offset();
                    int fromEnd = bytes.get(Layouts.INT, view + RowLayout.VIEW_OFFSET);
                    bytes.set(Layouts.INT, view + RowLayout.VIEW_SLAB, buffer.slab());
                    bytes.set(Layouts.INT, view + RowLayout.VIEW_OFFSET, end - fromEnd);
                }
            }
        }
    }

    /// The place of the first row of a block at the begin of `buffer`.
    static long firstPlace(Buffer buffer) {
        return RowPlace.of(buffer);
    }

    public void release() {
        buffer.release();
    }
}
