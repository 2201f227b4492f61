package dev.chert.memory;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/// What taking and giving back a buffer costs, by one thread and by two that share an operator's allocator.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class AllocatorBenchmark {
    /// A bitmap of a batch, a column of longs of a batch, a slab of its own.
    @Param({"512", "32768", "4194304"})
    private long bytes;

    private MemoryManager manager;
    private Account account;
    private Allocator allocator;

    @Setup
    public void open() {
        manager = new MemoryManager(256L << 20, false);
        account = manager.openAccount("benchmark", 256L << 20);
        allocator = account.allocator("operator");
    }

    @TearDown
    public void close() {
        account.close();
        manager.close();
    }

    @Benchmark
    public void oneThread() {
        allocator.allocate(bytes).release();
    }

    @Benchmark
    @Threads(2)
    public void twoThreads() {
        allocator.allocate(bytes).release();
    }
}
