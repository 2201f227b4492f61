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

    /// A string longer than this part of a buffer gets a buffer of its own, so that it does not waste the rest of
    /// the one that is being filled.
    private static final int LONG_PART = 4;

    private final Allocator allocator;
    private final int mostBytes;
    private final List<Buffer> buffers = new ArrayList<>();
    private final AtomicInteger count = new AtomicInteger(1);
    private Buffer filling; // what further strings go to
    private long used;
    private Buffer last; // what has the bytes reserved last
    private long place;
    private int nextBytes = FIRST_BYTES;
    private long byteSize;

    public StringHeap(Allocator allocator) {
        this(allocator, MOST_BYTES);
    }

    /// @param mostBytes the most bytes of a buffer, a power of two of at least 4 KiB: a small one wastes little
    ///                  where there are many heaps
    public StringHeap(Allocator allocator, int mostBytes) {
        assert Integer.bitCount(mostBytes) == 1 && mostBytes >= FIRST_BYTES;
        this.allocator = allocator;
        this.mostBytes = mostBytes;
    }

    /// Makes room for `length` bytes, to be written from [#place()] of [#segment()] on before the next call.
    public void reserve(int length) {
        if (filling == null || used + length > filling.size()) {
            if (length > mostBytes / LONG_PART) {
                last = newBuffer(length);
                place = 0;
                return;
            }
            filling = newBuffer(Math.max(length, nextBytes));
            nextBytes = Math.min(nextBytes * 2, mostBytes);
            used = 0;
        }
        last = filling;
        place = used;
        used += length;
    }

    private Buffer newBuffer(int bytes) {
        Buffer buffer = allocator.allocate(bytes);
        buffers.add(buffer);
        byteSize += buffer.reservedBytes();
        return buffer;
    }

    /// Takes over the buffers of another heap, which is empty afterwards. Nobody else may hold a count of it.
    public void adopt(StringHeap other) {
        assert other.count.get() == 1;
        buffers.addAll(other.buffers);
        byteSize += other.byteSize;
        other.buffers.clear();
        other.byteSize = 0;
        other.filling = null;
        other.last = null;
        other.nextBytes = FIRST_BYTES;
    }

    /// The buffer in which the bytes reserved last lie, from [#place()] on.
    public MemorySegment segment() {
        return last.segment();
    }

    public long place() {
        return place;
    }

    /// The slab number of the bytes reserved last.
    public int slab() {
        return last.slab();
    }

    /// The offset of the bytes reserved last in their slab.
    public int slabOffset() {
        return (int) (last.slabOffset() + place);
    }

    /// Bytes that its buffers cost.
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
