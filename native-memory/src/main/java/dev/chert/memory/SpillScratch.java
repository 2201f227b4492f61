package dev.chert.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/// The room in which blocks are compressed on their way to disk and back: a few pieces of constant size, which an
/// engine's spill files share.
///
/// All of it is reserved when the first spill file of the engine is made and goes back with the last, so that state
/// can be moved out when nothing else can be reserved any more. It comes from an arena of its own for the same reason:
/// slabs could have room in smaller pieces only. Thread-safe.
final class SpillScratch {
    /// Bytes of a place where the limit is not tiny.
    private static final int MOST_BYTES = 256 << 10;

    private static final int LEAST_BYTES = 4 << 10;

    /// All places together are at most this part of the limit.
    private static final int PART_OF_LIMIT = 32;

    /// One thread's room and codec, until it comes back.
    record Place(MemorySegment segment, SpillCodec codec) {}

    private final Budget budget;
    private final boolean nativeCodec;
    private final int placeBytes;
    private final int places;
    private final Deque<Place> idle = new ArrayDeque<>();
    private int users;
    private int made;
    private Arena arena;

    SpillScratch(Budget budget, long limitBytes, boolean nativeCodec) {
        this.budget = budget;
        this.nativeCodec = nativeCodec;
        long part = limitBytes / PART_OF_LIMIT;
        this.placeBytes = Math.clamp(Long.highestOneBit(part), LEAST_BYTES, MOST_BYTES);
        this.places = Math.clamp(part / placeBytes, 1, PerThread.PARTS);
    }

    /// Bytes of every place.
    int placeBytes() {
        return placeBytes;
    }

    /// Counts a spill file.
    /// @throws dev.chert.error.ResourceException if it is the first, and the engine has no room
    void open() {
        synchronized (this) {
            if (users > 0) {
                users++;
                return;
            }
        }
        budget.reserve(allBytes()); // outside the lock, since it may make others spill
        synchronized (this) {
            users++;
            if (users == 1) {
                arena = Arena.ofShared();
                return;
            }
        }
        budget.release(allBytes());
    }

    /// Counts a spill file less, which nobody uses any more.
    synchronized void close() {
        users--;
        if (users == 0) {
            idle.clear();
            made = 0;
            arena.close();
            budget.release(allBytes());
        }
    }

    private long allBytes() {
        return (long) places * placeBytes;
    }

    /// Takes a place; waits while others have them all, each for the time of one block.
    synchronized Place take() {
        boolean interrupted = false;
        while (idle.isEmpty() && made == places) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true; // whoever asked to spill needs the memory all the same
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (idle.isEmpty()) {
            made++;
            return new Place(arena.allocate(placeBytes, 64), new SpillCodec(nativeCodec));
        }
        return idle.pop();
    }

    synchronized void give(Place place) {
        idle.push(place);
        notify();
    }
}
