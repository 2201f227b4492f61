package dev.chert.memory;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/// A counted piece of a slab: the unit in which operators hold native memory.
///
/// Belongs to an account, which frees it when it closes, whatever the count says then; so code that fails
/// midway needs no clean-up. Letting go afterwards does no harm. A segment must not be used after the last
/// holder has let go: the memory may be somebody else's by then (never outside the engine: a closed slab
/// refuses access).
public final class Buffer implements Counted {
    private static final AtomicIntegerFieldUpdater<Buffer> HOLDERS =
            AtomicIntegerFieldUpdater.newUpdater(Buffer.class, "holders");

    /// The count of a buffer that its account freed.
    private static final int FREED_BY_ACCOUNT = Integer.MIN_VALUE;

    private final MemorySegment segment;
    private final long place;
    private final long blockBytes;
    private final Account account;
    private final Budget budget;

    /// Where it was allocated, in checking mode; else null.
    private final Throwable origin;

    private volatile int holders = 1;

    LiveBuffers home;
    Buffer previous;
    Buffer next;

    Buffer(MemorySegment segment, long place, long blockBytes, Account account, Budget budget, Throwable origin) {
        this.segment = segment;
        this.place = place;
        this.blockBytes = blockBytes;
        this.account = account;
        this.budget = budget;
        this.origin = origin;
    }

    /// The memory: exactly the bytes that were asked for, aligned to 64.
    /// @throws IllegalStateException if the last holder has let go
    public MemorySegment segment() {
        if (holders <= 0) {
            throw notAlive("used");
        }
        return segment;
    }

    /// The bytes that were asked for.
    public long size() {
        return segment.byteSize();
    }

    /// The number of its slab in [MemoryManager#slabs].
    public int slab() {
        return SlabBlocks.slab(place);
    }

    /// Where in its slab it begins, in bytes.
    public int slabOffset() {
        return SlabBlocks.offset(place);
    }

    /// What it costs its budget: the bytes of the block that it occupies.
    public long reservedBytes() {
        return blockBytes;
    }

    @Override
    public void retain() {
        while (true) {
            int now = holders;
            if (now <= 0) {
                throw notAlive("retained");
            }
            if (HOLDERS.compareAndSet(this, now, now + 1)) {
                return;
            }
        }
    }

    @Override
    public void release() {
        while (true) {
            int now = holders;
            if (now == FREED_BY_ACCOUNT) {
                return;
            }
            if (now <= 0) {
                throw notAlive("released");
            }
            if (now == 1 ? releaseLast() : HOLDERS.compareAndSet(this, now, now - 1)) {
                return;
            }
        }
    }

    /// @return false if the count has changed meanwhile
    private boolean releaseLast() {
        LiveBuffers register = home;
        register.lock.lock();
        try {
            if (!HOLDERS.compareAndSet(this, 1, 0)) {
                return false;
            }
            register.remove(this);
        } finally {
            register.lock.unlock();
        }
        free();
        return true;
    }

    /// Ends all counting: the account that closes frees the buffer. Called under the lock of its home.
    void outlivedItsAccount() {
        HOLDERS.set(this, FREED_BY_ACCOUNT);
    }

    /// Gives the block back, then its reservation. Called once, by whoever has taken it out of its register.
    void free() {
        account.manager().giveBlock(place, blockBytes);
        budget.release(blockBytes);
    }

    private IllegalStateException notAlive(String attempt) {
        String end = holders == FREED_BY_ACCOUNT
                ? account.name() + " was closed, which freed it"
                : "the last holder had released it";
        IllegalStateException error = new IllegalStateException(
                "a buffer of " + size() + " bytes of " + describeOwner() + " was " + attempt + " after " + end);
        if (origin != null) {
            error.initCause(origin);
        }
        return error;
    }

    private String describeOwner() {
        return budget.name().equals(account.name()) ? account.name() : budget.name() + " in " + account.name();
    }

    /// One line of a list of leaks.
    @Override
    public String toString() {
        String line = size() + " bytes of " + describeOwner() + ", holders: " + holders;
        return origin == null ? line : line + ", allocated at " + AllocationSite.of(origin);
    }
}
