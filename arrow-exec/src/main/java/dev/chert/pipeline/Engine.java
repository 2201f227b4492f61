package dev.chert.pipeline;

import com.sun.management.OperatingSystemMXBean;
import dev.chert.error.QueryCancelledException;
import dev.chert.memory.Account;
import dev.chert.memory.MemoryManager;
import dev.chert.memory.SpillOptions;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Memory and threads for any number of queries at a time. Thread-safe.
public final class Engine implements AutoCloseable {
    private static final long LEAST_MEMORY = 64L << 20;

    private final MemoryManager memory;
    private final Scheduler scheduler;
    private final long memoryLimit;
    private final AtomicLong nextQuery = new AtomicLong(1);
    private final Set<QueryExecution> open = ConcurrentHashMap.newKeySet();
    private boolean closed; // guarded by open

    /// @param settings those of the engine's scope are used: memory.limit, execution.threads, spill.directory,
    ///     spill.limit, codec.native, test.check-memory, test.spill
    public Engine(Settings settings) {
        this.memoryLimit = settings.get(Settings.MEMORY_LIMIT).orElseGet(Engine::defaultMemoryLimit);
        int threads = settings.get(Settings.EXECUTION_THREADS);
        this.memory =
                new MemoryManager(memoryLimit, settings.get(Settings.CHECK_MEMORY), threads, spillOptions(settings));
        this.scheduler = new Scheduler(threads, memory);
    }

    /// 60 % of what the machine's or container's memory leaves beside the heap, at least 64 MiB.
    private static long defaultMemoryLimit() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long besideHeap = system.getTotalMemorySize() - Runtime.getRuntime().maxMemory();
        return Math.max(LEAST_MEMORY, besideHeap / 10 * 6);
    }

    private static SpillOptions spillOptions(Settings settings) {
        boolean nativeCodec = switch (settings.get(Settings.CODEC_NATIVE)) {
            case AUTO -> SpillOptions.isNativeGranted();
            case ON -> true;
            case OFF -> false;
        };
        return new SpillOptions(
                settings.get(Settings.SPILL_DIRECTORY).orElse(SpillOptions.DEFAULT.directory()),
                settings.get(Settings.SPILL_LIMIT).orElse(SpillOptions.DEFAULT.limitBytes()),
                nativeCodec,
                settings.get(Settings.SPILL_ALWAYS));
    }

    Scheduler scheduler() {
        return scheduler;
    }

    public MemoryManager memory() {
        return memory;
    }

    /// Workers that run at a time.
    public int threads() {
        return scheduler.threadCount();
    }

    /// Starts a plan that was made by hand.
    ///
    /// @param settings those of the session's scope are used
    /// @return         the caller's, to be closed
    public QueryExecution execute(PhysicalPlan plan, Settings settings) {
        return execute(plan, QueryOrigin.NONE, settings);
    }

    /// Starts a plan.
    ///
    /// @param origin   where it comes from, for metrics
    /// @param settings those of the session's scope are used
    /// @return         the caller's, to be closed
    public QueryExecution execute(PhysicalPlan plan, QueryOrigin origin, Settings settings) {
        long start = System.nanoTime();
        synchronized (open) {
            if (closed) {
                throw closedEngine();
            }
        }
        String name = Long.toString(nextQuery.getAndIncrement());
        Account account = memory.openAccount("query " + name, memoryLimit);
        QueryExecution execution;
        try {
            long seed = ThreadLocalRandom.current().nextLong();
            QueryContext query = new QueryContext(name, settings, Instant.now(), seed, account);
            execution = new PipelineBuilder(this, query).build(plan, origin, start);
        } catch (Throwable e) {
            account.close();
            throw e;
        }
        if (!register(execution)) {
            account.close();
            throw closedEngine();
        }
        try {
            execution.start();
            Duration spent = origin.planningTime().plusNanos(System.nanoTime() - start);
            settings.get(Settings.QUERY_TIMEOUT).ifPresent(timeout -> stopAfter(timeout, spent, execution));
            return execution;
        } catch (Throwable e) { // the caller gets nothing that it could close
            try (execution) {
                throw e;
            }
        }
    }

    /// Lets [#close()] know of a query; false where it has begun.
    private boolean register(QueryExecution execution) {
        synchronized (open) {
            if (!closed) {
                open.add(execution);
            }
            return !closed;
        }
    }

    private static QueryCancelledException closedEngine() {
        return new QueryCancelledException("the query did not start: its engine is closed; make another one");
    }

    /// Cancels a query in time; the timer goes when the query does.
    ///
    /// @param spent of the time, on planning
    private static void stopAfter(Duration timeout, Duration spent, QueryExecution execution) {
        CompletableFuture<Boolean> timer = new CompletableFuture<Boolean>()
                .completeOnTimeout(true, timeout.minus(spent).toNanos(), TimeUnit.NANOSECONDS);
        timer.thenAccept(over -> {
            if (over) {
                execution.cancel("it ran longer than query.timeout, " + timeout.toMillis() + "ms; raise it");
            }
        });
        execution.ended().thenRun(() -> timer.complete(false));
    }

    void finished(QueryExecution execution) {
        open.remove(execution);
    }

    /// Stops all queries and gives back threads and memory.
    @Override
    public void close() {
        synchronized (open) {
            closed = true;
        }
        try {
            open.forEach(QueryExecution::close);
        } finally {
            scheduler.close();
            memory.close();
        }
    }
}
