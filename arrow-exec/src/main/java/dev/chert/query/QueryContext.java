package dev.chert.query;

import dev.chert.batch.SelectionPool;
import dev.chert.error.QueryCancelledException;
import dev.chert.memory.Account;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/// One running query: what its functions, operators and workers share.
///
/// Functions that take a `QueryContext` as their first parameter get zone, clock and seed from here, never from
/// generated code or a cached plan. Thread-safe.
public final class QueryContext {
    private final String name;
    private final Settings settings;
    private final Instant startTime;
    private final ZoneId zone;
    private final long seed;
    private final int batchSize;
    private final Account memory;
    private final SelectionPool selections;
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicReference<String> cancellation = new AtomicReference<>();

    /// @param name      for messages and metrics
    /// @param startTime what CURRENT_TIMESTAMP is for the whole query
    /// @param memory    the query's account, closed by whoever opened it
    public QueryContext(String name, Settings settings, Instant startTime, long seed, Account memory) {
        this.name = name;
        this.settings = settings;
        this.startTime = startTime;
        this.zone = settings.get(Settings.TIME_ZONE);
        this.seed = seed;
        this.batchSize = settings.get(Settings.BATCH_SIZE);
        this.memory = memory;
        this.selections = new SelectionPool(batchSize);
    }

    public String name() {
        return name;
    }

    public Settings settings() {
        return settings;
    }

    public Instant startTime() {
        return startTime;
    }

    public ZoneId zone() {
        return zone;
    }

    public long seed() {
        return seed;
    }

    /// The next of the numbers 0, 1, 2, ... of this query, each of which is given once.
    public int nextNumber() {
        return numbers.getAndIncrement();
    }

    /// The most rows a batch of this query has.
    public int batchSize() {
        return batchSize;
    }

    public Account memory() {
        return memory;
    }

    public SelectionPool selections() {
        return selections;
    }

    /// Asks every part of the query to stop soon; the first reason stays.
    ///
    /// @param reason completes the sentence "query NAME was stopped: …"
    public void cancel(String reason) {
        cancellation.compareAndSet(null, reason);
    }

    public boolean isCancelled() {
        return cancellation.get() != null;
    }

    /// Called at every step, and inside a breaker's loops every 64K rows.
    ///
    /// @throws QueryCancelledException once [#cancel] was called
    public void checkCancelled() {
        String reason = cancellation.get();
        if (reason != null) {
            throw new QueryCancelledException("query " + name + " was stopped: " + reason);
        }
    }
}
