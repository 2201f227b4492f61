package dev.chert.operator.limit;

import java.util.concurrent.atomic.AtomicLong;

/// The rows that a LIMIT with OFFSET lets through, counted over all workers.
public final class RowWindow {
    private final long offset;
    private final long end;
    private final AtomicLong seen = new AtomicLong();

    /// @param fetch rows wanted after the first `offset`; [Long#MAX_VALUE] for all
    public RowWindow(long offset, long fetch) {
        this.offset = offset;
        this.end = fetch > Long.MAX_VALUE - offset ? Long.MAX_VALUE : offset + fetch;
    }

    /// Counts `rows` more.
    ///
    /// @return how many rows had been seen before
    long advance(int rows) {
        return seen.getAndAdd(rows);
    }

    long offset() {
        return offset;
    }

    /// The number of the first row that is past the window.
    long end() {
        return end;
    }

    boolean isExhausted() {
        return seen.get() >= end;
    }
}
