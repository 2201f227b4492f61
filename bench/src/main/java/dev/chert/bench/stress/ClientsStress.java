package dev.chert.bench.stress;

import dev.chert.bench.suite.Query;
import dev.chert.error.ResourceException;
import dev.chert.memory.MemoryManager;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/// Runs random queries by many threads at a time in one engine: each result must be right, or memory have been too
/// little for it, which its error must say; afterwards nothing may be left over.
final class ClientsStress {
    /// What slabs may take above the limit and an eighth of it; idle ones are kept for the next query.
    private static final long SLAB_ALLOWANCE = 64 << 20;

    private final StressedEngine engine;
    private final long seed;
    private final PrintStream out;

    /// @param engine stays the caller's
    /// @param seed   of the choice of queries
    ClientsStress(StressedEngine engine, long seed, PrintStream out) {
        this.engine = engine;
        this.seed = seed;
        this.out = out;
    }

    /// @return whether every promise was kept
    boolean run(int clients, Duration duration) throws InterruptedException {
        Complaints complaints = new Complaints(out);
        AtomicInteger results = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        Instant end = Instant.now().plus(duration);
        long slabBytes = engine.memory().slabBytes();
        List<Thread> threads = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
            Random random = new Random(seed + client);
            threads.add(Thread.ofPlatform().name("client " + client).start(() -> {
                while (Instant.now().isBefore(end)) {
                    Query query =
                            engine.queries().get(random.nextInt(engine.queries().size()));
                    try {
                        engine.difference(query, engine.run(query.sql()))
                                .ifPresentOrElse(
                                        difference -> complaints.add(query.name() + ": " + difference),
                                        results::incrementAndGet);
                    } catch (ResourceException e) {
                        if (refused.incrementAndGet() == 1) {
                            out.println("the first refusal, of " + query.name() + ": " + e.getMessage());
                        }
                    } catch (Throwable e) {
                        complaints.add(query.name() + ": " + e);
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        engine.leftovers().forEach(complaints::add);
        MemoryManager memory = engine.memory();
        long mostSlabBytes = memory.limitBytes() + memory.limitBytes() / 8 + SLAB_ALLOWANCE;
        if (memory.slabBytes() > mostSlabBytes) {
            complaints.add(
                    "idle slabs have %d bytes, expected at most %d".formatted(memory.slabBytes(), mostSlabBytes));
        }
        out.printf(
                "%d clients: %d right results, %d refused for memory, %d complaints; idle slabs %d MiB, %d before%n",
                clients, results.get(), refused.get(), complaints.count(), memory.slabBytes() >> 20, slabBytes >> 20);
        return complaints.count() == 0;
    }
}
