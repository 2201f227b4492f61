package dev.chert.memory;

import dev.chert.error.ResourceException;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// What one query or table owns: its budget and a register of its live buffers.
///
/// Closing it frees every buffer that is still alive, closes the spill files and gives back every reservation, however
/// the query ended.
/// A worker that comes later gets an `IllegalStateException` from its next allocation; letting go of what
/// was freed does no harm. The engine has two accounts of its own, for what was handed to callers and what came
/// from them.
public final class Account implements AutoCloseable {
    private final MemoryManager manager;
    private final Budget budget;
    private final boolean ofEngine;
    private final LiveBuffers[] registers = new LiveBuffers[PerThread.PARTS];
    private final ConcurrentHashMap<String, Allocator> allocators = new ConcurrentHashMap<>();
    private volatile boolean closed;

    Account(MemoryManager manager, Budget budget, boolean ofEngine) {
        this.manager = manager;
        this.budget = budget;
        this.ofEngine = ofEngine;
        for (int i = 0; i < registers.length; i++) {
            registers[i] = new LiveBuffers();
        }
    }

    /// The allocator of an operator, on a child budget: the same for the same name, so that all workers of an
    /// operator share one budget. The name begins the operator's error messages: `HashJoin 3, build side`.
    public Allocator allocator(String operatorName) {
        return allocators.computeIfAbsent(operatorName, name -> new Allocator(this, budget.ofOperator(name)));
    }

    /// The allocators that were made, in the order of their names.
    public List<Allocator> allocators() {
        return allocators.values().stream()
                .sorted(Comparator.comparing(Allocator::operator))
                .toList();
    }

    public String name() {
        return budget.name();
    }

    public MemoryManager manager() {
        return manager;
    }

    public Budget budget() {
        return budget;
    }

    public boolean isClosed() {
        return closed;
    }

    /// How many buffers are alive.
    public int liveBuffers() {
        int count = 0;
        for (LiveBuffers register : registers) {
            count += register.count();
        }
        return count;
    }

    /// Frees every buffer and gives back every reservation. A second call does nothing. The query's workers and
    /// reads must have stopped, or what they still write reaches blocks that are another query's by then.
    /// @throws IllegalStateException if it is one of the engine's own accounts, which close with the engine
    @Override
    public void close() {
        if (ofEngine) {
            throw new IllegalStateException("the account " + name() + " is the engine's and closes with it");
        }
        closeNow();
    }

    void closeNow() {
        closed = true;
        budget.endVisits();
        RuntimeException failure = closeSpillFiles();
        for (LiveBuffers register : registers) {
            Buffer buffer = register.close();
            while (buffer != null) {
                Buffer following = buffer.next;
                buffer.previous = null;
                buffer.next = null;
                try {
                    buffer.free();
                } catch (RuntimeException e) { // a read into a large slab still runs: the others come back all the same
                    failure = join(failure, e);
                }
                buffer = following;
            }
        }
        budget.close();
        manager.forget(this);
        if (failure != null) {
            throw failure;
        }
    }

    private RuntimeException closeSpillFiles() {
        RuntimeException failure = null;
        for (Allocator allocator : allocators.values()) {
            try {
                allocator.closeSpillFile();
            } catch (RuntimeException e) {
                failure = join(failure, e);
            }
        }
        return failure;
    }

    private static RuntimeException join(RuntimeException first, RuntimeException next) {
        if (first == null) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }

    Buffer allocate(Budget operator, long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a buffer of " + bytes + " bytes");
        }
        long blockBytes = Slabs.blockBytes(bytes);
        operator.reserve(blockBytes);
        Budget.Asking asking = new Budget.Asking();
        long place = Slabs.NO_ROOM;
        try {
            place = manager.takeBlock(blockBytes);
            for (int round = 0; place == Slabs.NO_ROOM && round < Budget.MAX_SPILL_ROUNDS; round++) {
                if (!operator.spill(blockBytes, true, asking)) {
                    break;
                }
                place = manager.takeBlock(blockBytes);
            }
        } finally {
            if (place == Slabs.NO_ROOM) {
                operator.release(blockBytes);
            }
        }
        if (place == Slabs.NO_ROOM) {
            long free = Math.max(0, manager.limitBytes() - manager.reservedBytes());
            throw ResourceException.ofMemory(
                    operator.name() + ": needs " + ByteSize.format(blockBytes) + " in one piece, "
                            + ByteSize.formatPart(free, manager.limitBytes())
                            + " are free, but in smaller pieces; raise memory.limit (" + operator.holdings()
                            + asking.explain()
                            + ")",
                    asking.failure());
        }
        MemorySegment segment = manager.slabs()[SlabBlocks.slab(place)].asSlice(SlabBlocks.offset(place), bytes, 64);
        Buffer buffer = new Buffer(
                segment, place, blockBytes, this, operator, manager.isChecking() ? new AllocationSite() : null);
        LiveBuffers register = register();
        register.lock.lock();
        try {
            if (!register.isClosed()) {
                register.add(buffer);
                return buffer;
            }
        } finally {
            register.lock.unlock();
        }
        buffer.free();
        throw closedWhenAskedFor(bytes);
    }

    /// The part of the register for new buffers of the current thread.
    LiveBuffers register() {
        return registers[PerThread.part(0)];
    }

    IllegalStateException closedWhenAskedFor(long bytes) {
        return new IllegalStateException(name() + " is closed: " + bytes + " bytes cannot be allocated in it");
    }

    /// Shows each live buffer.
    void forEachLive(Consumer<Buffer> consumer) {
        for (LiveBuffers register : registers) {
            register.lock.lock();
            try {
                for (Buffer buffer = register.first(); buffer != null; buffer = buffer.next) {
                    consumer.accept(buffer);
                }
            } finally {
                register.lock.unlock();
            }
        }
    }
}
