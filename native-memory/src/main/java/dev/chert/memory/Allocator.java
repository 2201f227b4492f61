package dev.chert.memory;

import java.util.Optional;

/// Allocates buffers in the name of one operator. Thread-safe.
public final class Allocator {
    private final Account account;
    private final Budget budget;
    private SpillFile spillFile; // guarded by this

    Allocator(Account account, Budget budget) {
        this.account = account;
        this.budget = budget;
    }

    /// Allocates a buffer of exactly `bytes` bytes, aligned to 64. Its contents are undefined. The budget bears
    /// the block that it occupies: the next of four steps a doubling (8, 10, 12, 14, 16 KiB), at least 1 KiB.
    /// @return the caller's to release
    /// @throws dev.chert.error.ResourceException if it does not fit, also after the query has spilled what it
    ///     can
    /// @throws IllegalStateException             if the query is closed
    public Buffer allocate(long bytes) {
        return account.allocate(budget, bytes);
    }

    /// What [#allocate] costs for a number of bytes: those of the block.
    public static long blockBytes(long bytes) {
        return Slabs.blockBytes(bytes);
    }

    /// Allocates a buffer whose bytes are all 0; else as [#allocate].
    public Buffer allocateZeroed(long bytes) {
        Buffer buffer = allocate(bytes);
        buffer.segment().fill((byte) 0);
        return buffer;
    }

    /// The operator's spill file, always the same. To be asked for when the operator is made, while memory is there for
    /// the engine's scratch; nothing is opened before the first write.
    /// @throws dev.chert.error.ResourceException if it is the engine's first, and the scratch has no room
    /// @throws IllegalStateException             if the query is closed
    public SpillFile spillFile() {
        synchronized (this) {
            if (spillFile != null) {
                return spillFile;
            }
        }
        SpillFile made =
                account.manager().makeSpillFile(operator()); // outside the lock, since it may make others spill
        synchronized (this) {
            if (spillFile == null && !account.isClosed()) {
                spillFile = made;
                return made;
            }
        }
        made.close();
        if (account.isClosed()) {
            throw new IllegalStateException(account.name() + " is closed: " + operator() + " cannot spill in it");
        }
        return spillFile();
    }

    /// The operator's spill file if it has one, for what it wrote.
    public synchronized Optional<SpillFile> spillFileIfMade() {
        return Optional.ofNullable(spillFile);
    }

    /// Called after the account says that it is closed.
    synchronized void closeSpillFile() {
        if (spillFile != null) {
            spillFile.close();
        }
    }

    /// The name that it was made by.
    public String operator() {
        return budget.name();
    }

    public Budget budget() {
        return budget;
    }

    public Account account() {
        return account;
    }
}
