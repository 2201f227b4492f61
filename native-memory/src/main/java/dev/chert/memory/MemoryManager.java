package dev.chert.memory;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The native memory of one engine: its budget, its slabs, and the accounts that borrow from them.
///
/// In checking mode (tests) blocks are filled with [#POISON] when they are lent and when they come back, each
/// buffer remembers where it was allocated, and closing the manager fails if anything is still alive.
public final class MemoryManager implements AutoCloseable {
    /// What a block holds in checking mode before it was written and after it was given back.
    public static final byte POISON = (byte) 0xDB;

    private static final int LISTED_LEAKS = 20;

    private final boolean checking;
    private final Budget budget;
    private final Slabs slabs;
    private final Set<Account> accounts = ConcurrentHashMap.newKeySet();
    private final Account exports;
    private final Account imports;
    private final Account spilling;
    private final SpillFolder spillFolder;
    private final SpillScratch spillScratch;
    private volatile boolean closed;

    /// Headroom above the soft limit: what a worker may need for the batch or row group in hand.
    private static final long HEADROOM_OF_WORKER = 32L << 20;

    /// Spills by default, for as many workers as there are cores.
    /// @param limitBytes the most that all queries together may reserve
    /// @param checking   whether to look for misuse, at some cost
    public MemoryManager(long limitBytes, boolean checking) {
        this(limitBytes, checking, Runtime.getRuntime().availableProcessors(), SpillOptions.DEFAULT);
    }

    /// @param limitBytes the most that all queries together may reserve
    /// @param checking   whether to look for misuse, at some cost
    /// @param threads    workers that allocate at a time
    /// @param spill      where and how much is spilled
    public MemoryManager(long limitBytes, boolean checking, int threads, SpillOptions spill) {
        this(limitBytes, checking, threads, spill, new SpillFolder(spill));
    }

    MemoryManager(long limitBytes, boolean checking, int threads, SpillOptions spill, SpillFolder spillFolder) {
        if (limitBytes <= 0) {
            throw new IllegalArgumentException("a memory limit of " + limitBytes + " bytes");
        }
        this.checking = checking;
        this.budget = Budget.ofEngine(limitBytes, threads * HEADROOM_OF_WORKER, spill.always());
        this.slabs = new Slabs(limitBytes);
        this.exports = register(budget.ofEnginesOwn("exports"), true);
        this.imports = register(budget.ofEnginesOwn("imports"), true);
        this.spilling = register(budget.ofEnginesOwn("spilling"), true);
        this.spillFolder = spillFolder;
        this.spillScratch = new SpillScratch(spilling.budget(), limitBytes, spill.nativeCodec());
        spillFolder.removeDead();
    }

    /// Opens a query's account, the caller's to close.
    /// @param name       how messages call the query
    /// @param limitBytes the most that it may reserve; `Long.MAX_VALUE` to have only the engine's limit
    /// @throws IllegalStateException if the manager is closed
    public Account openAccount(String name, long limitBytes) {
        demandOpen(name);
        if (limitBytes <= 0) {
            throw new IllegalArgumentException("a memory limit of " + limitBytes + " bytes for " + name);
        }
        return register(budget.ofQuery(name, limitBytes), false);
    }

    /// Opens the account of a table in memory, the caller's to close. What it holds is taken off what queries share,
    /// and it is none of those that share.
    /// @param name how messages call the table
    /// @throws IllegalStateException if the manager is closed
    public Account openTableAccount(String name) {
        demandOpen(name);
        return register(budget.ofEnginesOwn(name), false);
    }

    private void demandOpen(String name) {
        if (closed) {
            throw new IllegalStateException("the engine is closed: " + name + " cannot be opened in it");
        }
    }

    /// The account of batches that were handed to callers and have not come home.
    public Account exports() {
        return exports;
    }

    /// The account of memory that callers lent to scans.
    public Account imports() {
        return imports;
    }

    /// Whether holders of spillable state should spill at their next safe point; see [Budget#isTight].
    public boolean isTight() {
        return budget.isTight();
    }

    /// Whether reservations are above the soft limit, whatever `test.spill` says.
    public boolean isOverSoftLimit() {
        return budget.isOverSoftLimit();
    }

    /// Runs something once, as soon as reservations are not above the soft limit any more: at once if they are not
    /// now, else on the thread that releases memory, so it must be short and take no lock that is held while memory is
    /// released. Also runs it when a query ends, whether or not that made room: whoever waits looks again.
    public void whenRelaxed(Runnable waiter) {
        budget.whenRelaxed(waiter);
    }

    /// Bytes that all spill files take now, as `spill.limit` counts them.
    public long spilledBytes() {
        return spillFolder.usedBytes();
    }

    /// Slab number to memory, null where there is none, as of now; to be read only. A place that was written
    /// into a batch is in every array that is fetched after the batch was received.
    public MemorySegment[] slabs() {
        return slabs.directory();
    }

    /// Bytes that are reserved by all accounts, the engine's own included.
    public long reservedBytes() {
        return budget.reserved();
    }

    /// The most bytes that were ever reserved at the same time.
    public long peakBytes() {
        return budget.peak();
    }

    /// The most bytes that may be reserved.
    public long limitBytes() {
        return budget.limit();
    }

    /// Bytes of native memory that slabs occupy, lent or idle: at most the limit, rounded up to whole slabs, and up to
    /// an eighth more while what is free lies in small pieces.
    public long slabBytes() {
        return slabs.openBytes();
    }

    /// Gives idle slabs back to the operating system, which keeping them spares the next query: for a program that
    /// will run none for long. Queries may run meanwhile.
    public void trim() {
        slabs.closeAllIdle();
    }

    /// How many buffers are alive in all accounts, the engine's own included.
    public int liveBuffers() {
        return accounts.stream().mapToInt(Account::liveBuffers).sum();
    }

    public boolean isChecking() {
        return checking;
    }

    /// Demands that every buffer and every reservation of every account was given back.
    /// @throws IllegalStateException that lists what was not
    public void assertEmpty() {
        String leaks = describeLeaks();
        if (!leaks.isEmpty()) {
            throw new IllegalStateException(leaks);
        }
    }

    /// Closes all accounts and gives the memory back to the operating system. Workers must have stopped before.
    /// A second call does nothing.
    /// @throws IllegalStateException in checking mode, if anything was still alive; everything is closed all
    ///     the same
    @Override
    public void close() {
        String leaks = checking ? describeLeaks() : "";
        closed = true;
        accounts.forEach(Account::closeNow);
        budget.close();
        slabs.closeAll();
        spillFolder.close();
        if (!leaks.isEmpty()) {
            throw new IllegalStateException(leaks);
        }
    }

    void forget(Account account) {
        accounts.remove(account);
    }

    SpillFile makeSpillFile(String operator) {
        return new SpillFile(operator, spillFolder, spillScratch);
    }

    /// As [Slabs#take].
    long takeBlock(long blockBytes) {
        long place = slabs.take(blockBytes);
        if (checking && place != Slabs.NO_ROOM) {
            poison(place, blockBytes);
        }
        return place;
    }

    void giveBlock(long place, long blockBytes) {
        if (checking) {
            poison(place, blockBytes);
        }
        slabs.give(place, blockBytes);
    }

    private void poison(long place, long blockBytes) {
        MemorySegment[] known = slabs();
        if (SlabBlocks.slab(place) < known.length) { // else the engine was closed meanwhile
            known[SlabBlocks.slab(place)]
                    .asSlice(SlabBlocks.offset(place), blockBytes)
                    .fill(POISON);
        }
    }

    private Account register(Budget ofAccount, boolean ofEngine) {
        Account account = new Account(this, ofAccount, ofEngine);
        accounts.add(account);
        return account;
    }

    private String describeLeaks() {
        List<Buffer> alive = new ArrayList<>();
        accounts.forEach(account -> account.forEachLive(alive::add));
        if (alive.isEmpty() && reservedBytes() == 0) {
            return "";
        }
        StringBuilder text = new StringBuilder()
                .append(alive.size())
                .append(" buffers were not released, ")
                .append(reservedBytes())
                .append(" bytes are reserved");
        alive.stream().limit(LISTED_LEAKS).forEach(buffer -> text.append("\n  ").append(buffer));
        if (alive.size() > LISTED_LEAKS) {
            text.append("\n  and ").append(alive.size() - LISTED_LEAKS).append(" more");
        }
        for (Account account : accounts) {
            long reserved = account.budget().reserved();
            if (reserved > 0) {
                text.append("\n  ")
                        .append(account.name())
                        .append(": ")
                        .append(reserved)
                        .append(" bytes reserved");
            }
        }
        return text.toString();
    }
}
