package dev.chert.batch;

import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.memory.Counted;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Fills a flat scalar column and seals it.
///
/// Fixed-width kernels write straight into [#values()]; strings go through [#putBytes] or, where the bytes lie
/// already in memory that outlives the batch, through [#putPlace] with [#borrow]. Every row that is neither
/// written nor NULL has an undefined value. Reserves its buffers when it is made. Not thread-safe.
public final class ColumnWriter {
    private static final int INLINE_BYTES = 12;
    private static final int VIEW_BYTES = 16;

    private final DataType type;
    private final Physical physical;
    private final int capacity;
    private final Allocator allocator;
    private final Buffer values;
    private Buffer validity;
    private StringHeap heap;
    private final Set<Counted> borrowed = new LinkedHashSet<>();

    public ColumnWriter(DataType type, int capacity, Allocator allocator) {
        this(type, type.physical(), capacity, allocator);
    }

    /// @param physical the type's, or [Physical#INT64] or [Physical#INT128] for a DECIMAL
    public ColumnWriter(DataType type, Physical physical, int capacity, Allocator allocator) {
        assert !type.kind().isNested();
        this.type = type;
        this.physical = physical;
        this.capacity = capacity;
        this.allocator = allocator;
        long bytes = physical.bytesFor(capacity);
        this.values = bytes == 0
                ? null
                : physical == Physical.VIEW || physical == Physical.BIT
                        ? allocator.allocateZeroed(Layouts.padded(bytes))
                        : allocator.allocate(Layouts.padded(bytes));
    }

    public DataType type() {
        return type;
    }

    public Physical physical() {
        return physical;
    }

    /// The values to be filled in; for [Physical#BIT] and [Physical#VIEW] all zero at first.
    public MemorySegment values() {
        return values.segment();
    }

    /// The validity bitmap, made on the first call with every row valid.
    public MemorySegment validity() {
        if (validity == null) {
            validity = allocator.allocate(Bitmap.paddedBytes(capacity));
            Bitmap.fillOnes(validity.segment(), capacity);
        }
        return validity.segment();
    }

    public void setNull(int row) {
        Bitmap.clear(validity(), row);
    }

    public void putBoolean(int row, boolean value) {
        Bitmap.put(values.segment(), row, value);
    }

    /// Writes a string or byte string: up to 12 bytes inline, else copied into this column's heap.
    public void putBytes(int row, MemorySegment from, long offset, int length) {
        MemorySegment views = values.segment();
        long at = (long) row * VIEW_BYTES;
        views.set(Layouts.INT, at, length);
        if (length <= INLINE_BYTES) {
            MemorySegment.copy(from, offset, views, at + 4, length);
        } else {
            StringHeap target = heap();
            target.reserve(length);
            MemorySegment.copy(from, offset, target.segment(), target.place(), length);
            putPlace(row, from, offset, length, target.slab(), target.slabOffset());
        }
    }

    public void putBytes(int row, byte[] bytes) {
        putBytes(row, MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    /// Writes a long view whose bytes lie in a slab already, without copying them; their owner is to be borrowed.
    ///
    /// @param from   any segment that has the bytes at `offset`; their first four are read
    /// @param length more than 12
    public void putPlace(int row, MemorySegment from, long offset, int length, int slab, int slabOffset) {
        MemorySegment views = values.segment();
        long at = (long) row * VIEW_BYTES;
        views.set(Layouts.INT, at, length);
        views.set(Layouts.INT, at + 4, from.get(Layouts.INT, offset));
        views.set(Layouts.INT, at + 8, slab);
        views.set(Layouts.INT, at + 12, slabOffset);
    }

    /// The heap for this column's own long strings, made on first use; write through it, then [#putPlace].
    public StringHeap heap() {
        if (heap == null) {
            heap = new StringHeap(allocator);
        }
        return heap;
    }

    /// Keeps `owner` alive as long as the column, which has views that point into its memory. Retained once,
    /// however often it is named.
    public void borrow(Counted owner) {
        if (borrowed.add(owner)) {
            owner.retain();
        }
    }

    /// Ends writing.
    ///
    /// @param rowCount rows written, at most [#capacity()]; bits and bytes after them up to the next 64 are
    ///                 zeroed
    /// @return         the caller's
    public Column seal(int rowCount) {
        List<Counted> owners = new ArrayList<>(borrowed);
        MemorySegment valueBytes = null;
        if (values != null) {
            owners.add(values);
            long end = physical.bytesFor(rowCount);
            valueBytes = values.segment().asSlice(0, Layouts.padded(end));
            valueBytes.asSlice(end).fill((byte) 0);
        }
        MemorySegment validBits = null;
        if (validity != null) {
            owners.add(validity);
            validBits = validity.segment().asSlice(0, Bitmap.paddedBytes(rowCount));
        }
        if (heap != null) {
            owners.add(heap);
        }
        return Column.flat(
                type,
                physical,
                rowCount,
                valueBytes,
                validBits,
                null,
                physical == Physical.VIEW ? allocator.account().manager().slabs() : null,
                owners.toArray(Counted[]::new));
    }
}
