package dev.chert.memory;

/// Allocates buffers in the name of one operator. Thread-safe.
public final class Allocator {
    private final Account account;
    private final Budget budget;

    Allocator(Account account, Budget budget) {
        this.account = account;
        this.budget = budget;
    }

    /// Allocates a buffer of exactly `bytes` bytes, aligned to 64. Its contents are undefined. The budget bears
    /// the block that it occupies: the next power of two, at least 1 KiB.
    /// @return the caller's to release
    /// @throws dev.chert.error.ResourceException if it does not fit, also after the query has spilled what it
    ///     can
    /// @throws IllegalStateException             if the query is closed
    public Buffer allocate(long bytes) {
        return account.allocate(budget, bytes);
    }

    /// Allocates a buffer whose bytes are all 0; else as [#allocate].
    public Buffer allocateZeroed(long bytes) {
        Buffer buffer = allocate(bytes);
        buffer.segment().fill((byte) 0);
        return buffer;
    }

    public Budget budget() {
        return budget;
    }

    public Account account() {
        return account;
    }
}
