package dev.chert.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// A growing set of buffers that are released together: the pages of a table, the heap of a string column.
///
/// Thread-safe; several holders of one group cost one count, however many buffers it has.
public final class BufferGroup implements Counted {
    private final AtomicInteger holders = new AtomicInteger(1);
    private final List<Buffer> buffers = new ArrayList<>(); // guards itself
    private boolean released;
    private long bytes;

    /// Takes over the caller's count of a buffer.
    /// @throws IllegalStateException if the last holder has let go; the buffer is released then, too
    public void add(Buffer buffer) {
        synchronized (buffers) {
            if (!released) {
                buffers.add(buffer);
                bytes += buffer.size();
                return;
            }
        }
        buffer.release();
        throw notAlive("added to");
    }

    /// How many buffers it has.
    public int count() {
        synchronized (buffers) {
            return buffers.size();
        }
    }

    /// The buffer that was added as number `index`, from 0; borrowed.
    public Buffer get(int index) {
        synchronized (buffers) {
            return buffers.get(index);
        }
    }

    /// The bytes of all its buffers.
    public long size() {
        synchronized (buffers) {
            return bytes;
        }
    }

    @Override
    public void retain() {
        while (true) {
            int now = holders.get();
            if (now <= 0) {
                throw notAlive("retained");
            }
            if (holders.compareAndSet(now, now + 1)) {
                return;
            }
        }
    }

    @Override
    public void release() {
        int left = holders.decrementAndGet();
        if (left < 0) {
            holders.incrementAndGet();
            throw notAlive("released");
        }
        if (left == 0) {
            List<Buffer> all;
            synchronized (buffers) {
                released = true;
                all = List.copyOf(buffers);
                buffers.clear();
                bytes = 0;
            }
            all.forEach(Buffer::release);
        }
    }

    private static IllegalStateException notAlive(String attempt) {
        return new IllegalStateException(
                "a group of buffers was " + attempt + " after its last holder had released it");
    }
}
