package dev.chert.memory;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

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
    private final AtomicLong registerNumbers = new AtomicLong();
    private final Account exports;
    private final Account imports;
    private volatile boolean closed;

    /// @param limitBytes the most that all queries together may reserve
    /// @param checking   whether to look for misuse, at some cost
    public MemoryManager(long limitBytes, boolean checking) {
        if (limitBytes <= 0) {
            throw new IllegalArgumentException("a memory limit of " + limitBytes + " bytes");
        }
        this.checking = checking;
        this.budget = Budget.ofEngine(limitBytes);
        this.slabs = new Slabs(limitBytes);
        this.exports = open("exports", Long.MAX_VALUE, true);
        this.imports = open("imports", Long.MAX_VALUE, true);
    }

    /// Opens a query's account, the caller's to close.
    /// @param name       how messages call the query
    /// @param limitBytes the most that it may reserve; `Long.MAX_VALUE` to have only the engine's limit
    /// @throws IllegalStateException if the manager is closed
    public Account openAccount(String name, long limitBytes) {
        if (closed) {
            throw new IllegalStateException("the engine is closed: " + name + " cannot be opened in it");
        }
        return open(name, limitBytes, false);
    }

    /// The account of batches that were handed to callers and have not come home.
    public Account exports() {
        return exports;
    }

    /// The account of memory that callers lent to scans.
    public Account imports() {
        return imports;
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

    /// Bytes of native memory that slabs occupy, lent or idle; never more than the limit, rounded up to whole
    /// slabs.
    public long slabBytes() {
        return slabs.openBytes();
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
        if (!leaks.isEmpty()) {
            throw new IllegalStateException(leaks);
        }
    }

    long nextRegisterNumber() {
        return registerNumbers.getAndIncrement();
    }

    void forget(Account account) {
        accounts.remove(account);
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
        if (BuddyBlocks.slab(place) < known.length) { // else the engine was closed meanwhile
            known[BuddyBlocks.slab(place)]
                    .asSlice(BuddyBlocks.offset(place), blockBytes)
                    .fill(POISON);
        }
    }

    private Account open(String name, long limitBytes, boolean ofEngine) {
        if (limitBytes <= 0) {
            throw new IllegalArgumentException("a memory limit of " + limitBytes + " bytes for " + name);
        }
        Account account = new Account(this, budget.ofQuery(name, limitBytes), ofEngine);
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
