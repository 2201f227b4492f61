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

/// The engine's slabs: native memory by number, lent out in blocks of four sizes a doubling.
///
/// Blocks up to 2 MiB come from regular slabs of 2 MiB, which are lent again and again; a larger block is a
/// slab of its own. Of those that came back a few are kept for the next block of their size, since zeroing 8
/// MiB takes longer than reading them from a file; the others are closed at once.
///
/// Each slab has its own arena: one arena for all could give nothing back, and then the idle regular slabs of
/// an earlier query would stand in the way of a large block of the next one for good. So idle slabs are closed
/// when a new slab needs their room, and only then.
///
/// Regular slabs are dealt out to a few pools, each with a lock of its own. A thread begins at its own pool, passes
/// one whose lock is taken, and makes a slab only when no pool has a block.
///
/// The bytes of all slabs together stay within the engine's limit, rounded up to whole slabs, and a little above it
/// where what is free lies in pieces that are too small: by at most an eighth of the limit and 64 MiB, for as long as
/// that lasts.
final class Slabs {
    static final long NO_ROOM = -1;
    private static final long ALIGNMENT = 64;

    /// Idle large slabs take at most this part of the limit.
    private static final int IDLE_PART = 8;

    private static final int SLACK_PART = 8;
    private static final long MOST_SLACK = 64L << 20;

    /// A part of the regular slabs; `lock` guards `blocks` and is held for a few dozen nanoseconds.
    private record Pool(ReentrantLock lock, SlabBlocks blocks) {
        Pool() {
            this(new ReentrantLock(), new SlabBlocks());
        }
    }

    /// @param pool the pool that carves it; null for a large one
    private record Slab(MemorySegment segment, Arena arena, Pool pool) {}

    private final long limitBytes;
    private final AtomicLong openBytes = new AtomicLong();

    private final Pool[] pools = new Pool[PerThread.PARTS];

    /// Held for reading while a slab is made (1.4 ms of zeroing, on several threads at once), for writing to
    /// wait for all that are being made.
    private final ReentrantReadWriteLock growing = new ReentrantReadWriteLock();

    /// Guards the numbers, the idle large slabs and the replacing of `slabs` and `directory`.
    private final Object directoryLock = new Object();

    private final BitSet numbers = new BitSet();
    private final TreeMap<Long, Deque<Integer>> idleLarge = new TreeMap<>(); // size -> slabs, none empty
    private long idleLargeBytes;
    private boolean closed;
    private volatile Slab[] slabs = new Slab[0];
    private volatile MemorySegment[] directory = new MemorySegment[0];

    Slabs(long limitBytes) {
        long whole = SlabBlocks.SLAB_BYTES;
        this.limitBytes = limitBytes > Long.MAX_VALUE - whole ? limitBytes : (limitBytes + whole - 1) / whole * whole;
        Arrays.setAll(pools, _ -> new Pool());
    }

    /// Slab number to memory, null where there is none. Replaced whenever a slab comes or goes, never changed.
    MemorySegment[] directory() {
        return directory;
    }

    long openBytes() {
        return openBytes.get();
    }

    /// The bytes of the block that [#take] gives for a number of bytes: the next of four steps from one power of two to
    /// the next, so that at most a fifth of a block is not asked for; at least [SlabBlocks#MIN_BLOCK_BYTES], and a
    /// multiple of it.
    static long blockBytes(long bytes) {
        if (bytes <= SlabBlocks.MIN_BLOCK_BYTES) {
            return SlabBlocks.MIN_BLOCK_BYTES;
        }
        if (bytes > 1L << 62) {
            throw new ResourceException("no memory can hold a buffer of " + ByteSize.format(bytes));
        }
        long step = Math.max(SlabBlocks.MIN_BLOCK_BYTES, Long.highestOneBit(bytes - 1) / 4);
        return (bytes + step - 1) / step * step;
    }

    /// Takes a block.
    /// @param blockBytes a size that [#blockBytes] gave
    /// @return its place (see [SlabBlocks#place]), or [#NO_ROOM] if a new slab would exceed the limit
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
        int slab = SlabBlocks.slab(place);
        if (blockBytes > SlabBlocks.SLAB_BYTES) {
            if (openBytes.get() > limitBytes || !keepIdle(slab, blockBytes)) {
                close(slab, blockBytes);
            }
            return;
        }
        Slab[] known = slabs;
        if (slab >= known.length) {
            return; // the engine was closed meanwhile
        }
        Pool pool = known[slab].pool;
        pool.lock.lock();
        try {
            pool.blocks.give(place, blockBytes);
        } finally {
            pool.lock.unlock();
        }
        if (openBytes.get() > limitBytes) {
            closeIdle();
        }
    }

    /// Closes the slabs that no block lies in.
    void closeAllIdle() {
        while (closeIdle()) {}
    }

    /// Closes every slab; whoever still reads one gets an `IllegalStateException`.
    void closeAll() {
        Slab[] open;
        synchronized (directoryLock) {
            closed = true;
            open = slabs;
            slabs = new Slab[0];
            directory = new MemorySegment[0];
            numbers.clear();
            idleLarge.clear();
            openBytes.set(0);
        }
        for (Slab slab : open) {
            if (slab != null) {
                slab.arena.close();
            }
        }
    }

    private long takeIdle(long blockBytes) {
        if (blockBytes > SlabBlocks.SLAB_BYTES) {
            synchronized (directoryLock) {
                Deque<Integer> ofSize = idleLarge.get(blockBytes);
                return ofSize == null ? NO_ROOM : SlabBlocks.place(pollIdle(blockBytes, ofSize), 0);
            }
        }
        boolean passed = false;
        for (int i = 0; i < pools.length; i++) {
            Pool pool = pools[PerThread.part(i)];
            if (!pool.lock.tryLock()) {
                passed = true;
                continue;
            }
            long place = takeAndUnlock(pool, blockBytes);
            if (place != NO_ROOM) {
                return place;
            }
        }
        for (int i = 0; passed && i < pools.length; i++) {
            Pool pool = pools[PerThread.part(i)];
            pool.lock.lock();
            long place = takeAndUnlock(pool, blockBytes);
            if (place != NO_ROOM) {
                return place;
            }
        }
        return NO_ROOM;
    }

    private static long takeAndUnlock(Pool pool, long blockBytes) {
        try {
            return pool.blocks.take(blockBytes);
        } finally {
            pool.lock.unlock();
        }
    }

    private long takeNew(long blockBytes) {
        long slabBytes = Math.max(blockBytes, SlabBlocks.SLAB_BYTES);
        while (!admit(slabBytes, limitBytes)) {
            if (slabBytes > limitBytes) {
                return NO_ROOM;
            }
            if (!closeIdle()) {
                if (!admit(slabBytes, limitBytes + slackBytes())) {
                    return NO_ROOM;
                }
                break;
            }
        }
        if (blockBytes > SlabBlocks.SLAB_BYTES) {
            return SlabBlocks.place(open(slabBytes, null), 0);
        }
        Pool pool = pools[PerThread.part(0)];
        int slab = open(slabBytes, pool);
        pool.lock.lock();
        try {
            return pool.blocks.addSlab(slab, blockBytes);
        } finally {
            pool.lock.unlock();
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
        long slabBytes = SlabBlocks.SLAB_BYTES;
        synchronized (directoryLock) {
            Map.Entry<Long, Deque<Integer>> largest = idleLarge.lastEntry();
            slab = largest == null ? -1 : pollIdle(slabBytes = largest.getKey(), largest.getValue());
        }
        for (int i = 0; slab < 0 && i < pools.length; i++) {
            Pool pool = pools[i];
            pool.lock.lock();
            try {
                slab = pool.blocks.removeIdleSlab();
            } finally {
                pool.lock.unlock();
            }
        }
        if (slab < 0) {
            return false;
        }
        close(slab, slabBytes);
        return true;
    }

    private long slackBytes() {
        return Math.min(limitBytes / SLACK_PART, MOST_SLACK);
    }

    /// Counts the bytes of a slab to come, if they fit.
    private boolean admit(long slabBytes, long mostBytes) {
        while (true) {
            long now = openBytes.get();
            if (slabBytes > mostBytes - now) {
                return false;
            }
            if (openBytes.compareAndSet(now, now + slabBytes)) {
                return true;
            }
        }
    }

    /// Makes a slab whose bytes were admitted.
    /// @return its number
    private int open(long slabBytes, Pool pool) {
        Arena arena = Arena.ofShared();
        boolean entered = false;
        try {
            MemorySegment segment = arena.allocate(slabBytes, ALIGNMENT);
            int number = enter(new Slab(segment, arena, pool));
            entered = true;
            return number;
        } catch (OutOfMemoryError e) {
            throw ResourceException.ofMemory(
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

    private int enter(Slab slab) {
        synchronized (directoryLock) {
            if (closed) {
                throw new IllegalStateException("the engine is closed: nothing can be allocated in it");
            }
            int number = numbers.nextClearBit(0);
            numbers.set(number);
            replace(number, slab);
            return number;
        }
    }

    /// Closes a slab that nobody else can get at.
    /// @throws IllegalStateException if a read into it still runs; it is closed with the engine then
    private void close(int number, long slabBytes) {
        Slab[] known = slabs;
        if (number >= known.length) {
            return; // the engine was closed meanwhile
        }
        known[number].arena.close();
        synchronized (directoryLock) {
            if (!closed) {
                replace(number, null);
                numbers.clear(number);
                openBytes.addAndGet(-slabBytes);
            }
        }
    }

    /// Puts a slab, or null, at a number, in new arrays.
    private void replace(int number, Slab slab) {
        int length = Math.max(slabs.length, number + 1);
        Slab[] newSlabs = Arrays.copyOf(slabs, length);
        MemorySegment[] newDirectory = Arrays.copyOf(directory, length);
        newSlabs[number] = slab;
        newDirectory[number] = slab == null ? null : slab.segment;
        slabs = newSlabs;
        directory = newDirectory;
    }
}
