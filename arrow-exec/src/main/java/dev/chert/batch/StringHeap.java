package dev.chert.batch;

import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.memory.Counted;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Bytes of long strings, appended, in buffers that never move: what the places of views point into.
///
/// Not thread-safe while it grows. Whoever made it gives up one count with [#release()]; columns whose views
/// point here hold counts of their own. Memory grows with the bytes put.
public final class StringHeap implements Counted {
    private static final int FIRST_BYTES = 4 << 10;
    private static final int MOST_BYTES = 1 << 20;

    private final Allocator allocator;
    private final List<Buffer> buffers = new ArrayList<>();
    private final AtomicInteger count = new AtomicInteger(1);
    private Buffer current;
    private long used;
    private long place;
    private int nextBytes = FIRST_BYTES;
    private long byteSize;

    public StringHeap(Allocator allocator) {
        this.allocator = allocator;
    }

    /// Makes room for `length` bytes, to be written from [#place()] of [#segment()] on before the next call.
    public void reserve(int length) {
        if (current == null || used + length > current.size()) {
            current = allocator.allocate(Math.max(length, nextBytes));
            buffers.add(current);
            byteSize += current.size();
            nextBytes = Math.min(nextBytes * 2, MOST_BYTES);
            used = 0;
        }
        place = used;
        used += length;
    }

    /// The buffer in which the bytes reserved last lie, from [#place()] on.
    public MemorySegment segment() {
        return current.segment();
    }

    public long place() {
        return place;
    }

    /// The slab number of the bytes reserved last.
    public int slab() {
        return current.slab();
    }

    /// The offset of the bytes reserved last in their slab.
    public int slabOffset() {
        return (int) (current.slabOffset() + place);
    }

    /// Bytes allocated so far.
    public long byteSize() {
        return byteSize;
    }

    @Override
    public void retain() {
        count.incrementAndGet();
    }

    @Override
    public void release() {
        if (count.decrementAndGet() == 0) {
            buffers.forEach(Buffer::release);
        }
    }
}
