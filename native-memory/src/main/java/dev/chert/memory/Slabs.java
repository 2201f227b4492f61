package dev.chert.memory;

import dev.chert.error.ResourceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// The engine's slabs: native memory by number, lent out in blocks of powers of two.
///
/// Blocks up to 2 MiB come from regular slabs of 2 MiB, which are lent again and again; a larger block is a
/// slab of its own. Of those that came back a few are kept for the next block of their size, since zeroing 8
/// MiB takes longer than reading them from a file; the others are closed at once.
///
/// Each slab has its own arena: one arena for all could give nothing back, and then the idle regular slabs of
/// an earlier query would stand in the way of a large block of the next one for good. So idle slabs are closed
/// when a new slab needs their room, and only then.
///
/// The bytes of all slabs together stay within the engine's limit, rounded up to whole slabs.
final class Slabs {
    static final long NO_ROOM = -1;
    private static final long ALIGNMENT = 64;

    /// Idle large slabs take at most this part of the limit.
    private static final int IDLE_PART = 8;

    private final long limitBytes;
    private final AtomicLong openBytes = new AtomicLong();

    /// Guards `blocks`; held for a few dozen nanoseconds.
    private final ReentrantLock blocksLock = new ReentrantLock();

    private final BuddyBlocks blocks = new BuddyBlocks();

    /// Held for reading while a slab is made (1.4 ms of zeroing, on several threads at once), for writing to
    /// wait for all that are being made.
    private final ReentrantReadWriteLock growing = new ReentrantReadWriteLock();

    /// Guards the numbers, the arenas, the idle large slabs and the replacing of `directory`.
    private final Object directoryLock = new Object();

    private final BitSet numbers = new BitSet();
    private Arena[] arenas = new Arena[8];
    private final TreeMap<Long, Deque<Integer>> idleLarge = new TreeMap<>(); // size -> slabs, none empty
    private long idleLargeBytes;
    private boolean closed;
    private volatile MemorySegment[] directory = new MemorySegment[0];

    Slabs(long limitBytes) {
        long whole = BuddyBlocks.SLAB_BYTES;
        this.limitBytes = limitBytes > Long.MAX_VALUE - whole ? limitBytes : (limitBytes + whole - 1) / whole * whole;
    }

    /// Slab number to memory, null where there is none. Replaced whenever a slab comes or goes, never changed.
    MemorySegment[] directory() {
        return directory;
    }

    long openBytes() {
        return openBytes.get();
    }

    long limitBytes() {
        return limitBytes;
    }

    /// The bytes of the block that [#take] gives for a number of bytes.
    static long blockBytes(long bytes) {
        if (bytes <= BuddyBlocks.SLAB_BYTES) {
            return (long) BuddyBlocks.MIN_BLOCK_BYTES << BuddyBlocks.order(bytes);
        }
        if (bytes > 1L << 62) {
            throw new ResourceException("no memory can hold a buffer of " + ByteSize.format(bytes));
        }
        return Long.highestOneBit(bytes - 1) << 1;
    }

    /// Takes a block.
    /// @param blockBytes a size that [#blockBytes] gave
    /// @return its place (see [BuddyBlocks#place]), or [#NO_ROOM] if a new slab would exceed the limit
    long take(long blockBytes) {
        long place = takeIdle(blockBytes);
        if (place == NO_ROOM) {
            growing.readLock().lock();
            try {
                place = takeNew(blockBytes);
            } finally {
                growing.readLock().unlock();
            }
        }
        if (place == NO_ROOM) {
            growing.writeLock().lock(); // what is missing may be on its way on another thread
            try {
                place = takeIdle(blockBytes);
                if (place == NO_ROOM) {
                    place = takeNew(blockBytes);
                }
            } finally {
                growing.writeLock().unlock();
            }
        }
        return place;
    }

    /// Gives a block back.
    void give(long place, long blockBytes) {
        if (blockBytes > BuddyBlocks.SLAB_BYTES) {
            if (!keepIdle(BuddyBlocks.slab(place), blockBytes)) {
                close(BuddyBlocks.slab(place), blockBytes);
            }
            return;
        }
        blocksLock.lock();
        try {
            blocks.give(place, BuddyBlocks.order(blockBytes));
        } finally {
            blocksLock.unlock();
        }
    }

    /// Closes every slab; whoever still reads one gets an `IllegalStateException`.
    void closeAll() {
        synchronized (directoryLock) {
            closed = true;
            for (int slab = numbers.nextSetBit(0); slab >= 0; slab = numbers.nextSetBit(slab + 1)) {
                arenas[slab].close();
            }
            numbers.clear();
            directory = new MemorySegment[0];
            openBytes.set(0);
        }
    }

    private long takeIdle(long blockBytes) {
        if (blockBytes > BuddyBlocks.SLAB_BYTES) {
            synchronized (directoryLock) {
                Deque<Integer> ofSize = idleLarge.get(blockBytes);
                return ofSize == null ? NO_ROOM : BuddyBlocks.place(pollIdle(blockBytes, ofSize), 0);
            }
        }
        blocksLock.lock();
        try {
            return blocks.take(BuddyBlocks.order(blockBytes));
        } finally {
            blocksLock.unlock();
        }
    }

    private long takeNew(long blockBytes) {
        long slabBytes = Math.max(blockBytes, BuddyBlocks.SLAB_BYTES);
        while (!admit(slabBytes)) {
            if (slabBytes > limitBytes || !closeIdle()) {
                return NO_ROOM;
            }
        }
        int slab = open(slabBytes);
        if (blockBytes > BuddyBlocks.SLAB_BYTES) {
            return BuddyBlocks.place(slab, 0);
        }
        blocksLock.lock();
        try {
            return blocks.addSlab(slab, BuddyBlocks.order(blockBytes));
        } finally {
            blocksLock.unlock();
        }
    }

    /// Keeps a large slab for the next block of its size, while idle ones are a small part of the limit.
    private boolean keepIdle(int slab, long slabBytes) {
        synchronized (directoryLock) {
            if (slabBytes > limitBytes / IDLE_PART - idleLargeBytes) {
                return false;
            }
            idleLargeBytes += slabBytes;
            idleLarge.computeIfAbsent(slabBytes, _ -> new ArrayDeque<>()).push(slab);
            return true;
        }
    }

    private int pollIdle(long slabBytes, Deque<Integer> ofSize) {
        int slab = ofSize.pop();
        idleLargeBytes -= slabBytes;
        if (ofSize.isEmpty()) {
            idleLarge.remove(slabBytes);
        }
        return slab;
    }

    /// Closes one idle slab, the largest.
    /// @return false if none is idle
    private boolean closeIdle() {
        int slab;
        long slabBytes = BuddyBlocks.SLAB_BYTES;
        synchronized (directoryLock) {
            Map.Entry<Long, Deque<Integer>> largest = idleLarge.lastEntry();
            slab = largest == null ? -1 : pollIdle(slabBytes = largest.getKey(), largest.getValue());
        }
        if (slab < 0) {
            blocksLock.lock();
            try {
                slab = blocks.removeIdleSlab();
            } finally {
                blocksLock.unlock();
            }
        }
        if (slab < 0) {
            return false;
        }
        close(slab, slabBytes);
        return true;
    }

    /// Counts the bytes of a slab to come, if they fit.
    private boolean admit(long slabBytes) {
        while (true) {
            long now = openBytes.get();
            if (slabBytes > limitBytes - now) {
                return false;
            }
            if (openBytes.compareAndSet(now, now + slabBytes)) {
                return true;
            }
        }
    }

    /// Makes a slab whose bytes were admitted.
    /// @return its number
    private int open(long slabBytes) {
        Arena arena = Arena.ofShared();
        boolean entered = false;
        try {
            MemorySegment segment = arena.allocate(slabBytes, ALIGNMENT);
            int number = enter(arena, segment);
            entered = true;
            return number;
        } catch (OutOfMemoryError e) {
            throw new ResourceException(
                    "the operating system refused " + ByteSize.format(slabBytes) + " of native memory, "
                            + ByteSize.format(openBytes.get() - slabBytes) + " are in use; lower memory.limit",
                    e);
        } finally {
            if (!entered) {
                arena.close();
                openBytes.addAndGet(-slabBytes);
            }
        }
    }

    private int enter(Arena arena, MemorySegment segment) {
        synchronized (directoryLock) {
            if (closed) {
                throw new IllegalStateException("the engine is closed: nothing can be allocated in it");
            }
            int number = numbers.nextClearBit(0);
            numbers.set(number);
            if (number >= arenas.length) {
                arenas = Arrays.copyOf(arenas, 2 * arenas.length);
            }
            arenas[number] = arena;
            MemorySegment[] replacement = Arrays.copyOf(directory, Math.max(directory.length, number + 1));
            replacement[number] = segment;
            directory = replacement;
            return number;
        }
    }

    private void close(int slab, long slabBytes) {
        Arena arena;
        synchronized (directoryLock) {
            if (closed) {
                return;
            }
            arena = arenas[slab];
            arenas[slab] = null;
            numbers.clear(slab);
            MemorySegment[] replacement = directory.clone();
            replacement[slab] = null;
            directory = replacement;
        }
        arena.close();
        openBytes.addAndGet(-slabBytes);
    }
}
