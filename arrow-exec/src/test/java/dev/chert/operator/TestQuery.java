package dev.chert.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.memory.Account;
import dev.chert.memory.Allocator;
import dev.chert.memory.MemoryManager;
import dev.chert.memory.SpillFile;
import dev.chert.memory.SpillOptions;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// A query over memory of its own, whose workers are driven by the test's thread. Closing it fails the test if an
/// operator has kept a buffer.
public final class TestQuery implements AutoCloseable {
    private final MemoryManager manager;
    private final Account account;
    private final QueryContext context;
    private final Allocator input;
    private final Map<String, Allocator> allocators = new ConcurrentHashMap<>();

    public TestQuery(int batchSize) {
        this(batchSize, 1L << 30);
    }

    public TestQuery(int batchSize, long limitBytes) {
        this(batched(batchSize), new MemoryManager(limitBytes, true));
    }

    private TestQuery(Settings settings, MemoryManager manager) {
        this.manager = manager;
        account = manager.openAccount("test", Long.MAX_VALUE);
        context = new QueryContext("test", settings, Instant.EPOCH, 42, account);
        input = account.allocator("input");
    }

    /// A query in which every key has the same hash.
    public static TestQuery withConstantHash(int batchSize) {
        return new TestQuery(
                batched(batchSize).with(Settings.CONSTANT_HASH.key(), "on"), new MemoryManager(1L << 30, true));
    }

    /// A query whose operators spill.
    ///
    /// @param always     at every safe point, else when memory is short
    /// @param spillLimit the most bytes that they may spill
    public static TestQuery thatSpills(int batchSize, long limitBytes, boolean always, long spillLimit) {
        SpillOptions options = new SpillOptions(SpillOptions.DEFAULT.directory(), spillLimit, false, always);
        return new TestQuery(batched(batchSize), new MemoryManager(limitBytes, true, 2, options));
    }

    /// A query whose operators spill at every safe point, and in which every key has the same hash.
    public static TestQuery thatSpillsWithConstantHash(int batchSize) {
        SpillOptions options = new SpillOptions(SpillOptions.DEFAULT.directory(), Long.MAX_VALUE, false, true);
        return new TestQuery(
                batched(batchSize).with(Settings.CONSTANT_HASH.key(), "on"),
                new MemoryManager(1L << 30, true, 2, options));
    }

    private static Settings batched(int batchSize) {
        return Settings.defaults().with(Settings.BATCH_SIZE.key(), Integer.toString(batchSize));
    }

    /// Bytes that the operators have on disk.
    public long spilledBytes() {
        return manager.spilledBytes();
    }

    /// Bytes that the operators wrote to disk so far.
    public long writtenBytes() {
        return account.allocators().stream()
                .flatMap(allocator -> allocator.spillFileIfMade().stream())
                .mapToLong(SpillFile::writtenBytes)
                .sum();
    }

    /// The most bytes that were reserved at the same time.
    public long peakBytes() {
        return manager.peakBytes();
    }

    public QueryContext context() {
        return context;
    }

    /// The allocator of input batches.
    public Allocator input() {
        return input;
    }

    /// A worker whose time slice is over at every third look.
    public WorkerContext worker(int worker, int workers) {
        return new WorkerContext() {
            private int looks;

            @Override
            public QueryContext query() {
                return context;
            }

            @Override
            public int worker() {
                return worker;
            }

            @Override
            public int workers() {
                return workers;
            }

            @Override
            public Allocator allocator(String operator) {
                return allocators.computeIfAbsent(operator, account::allocator);
            }

            @Override
            public boolean sliceOver() {
                return ++looks % 3 == 0;
            }
        };
    }

    @Override
    public void close() {
        assertThat(account.liveBuffers()).as("buffers that an operator kept").isZero();
        assertThat(manager.spilledBytes()).as("blocks that an operator kept").isZero();
        account.close();
        manager.close();
    }

    /// Ends a query that failed on purpose: only closing its account gives everything back.
    public void abandon() {
        account.close();
        assertThat(manager.reservedBytes()).isZero();
        assertThat(manager.liveBuffers()).isZero();
        manager.close();
    }
}
