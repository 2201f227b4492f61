package dev.chert.bench.stress;

import dev.chert.bench.suite.Query;
import dev.chert.error.ResourceException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/// Runs random queries by many threads at a time in one engine: each result must be right, or memory have been too
/// little for it, which its error must say; some result there must be, and afterwards nothing may be left over.
final class ClientsStress {
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
        engine.memory().trim();
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
                        if (!isForMemory(e)) {
                            complaints.add(query.name() + ": " + e);
                        } else if (refused.incrementAndGet() == 1) {
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
        if (results.get() == 0) {
            complaints.add("no query gave a result");
        }
        engine.leftovers().forEach(complaints::add);
        long idleBytes = engine.memory().slabBytes();
        engine.memory().trim(); // what is left has a block in it
        if (engine.memory().slabBytes() != slabBytes) {
            complaints.add("slabs that hold something have %d bytes, expected %d as at the start"
                    .formatted(engine.memory().slabBytes(), slabBytes));
        }
        out.printf(
                "%d clients: %d right results, %d refused for memory, %d complaints; slabs %d MiB idle, %d lent%n",
                clients,
                results.get(),
                refused.get(),
                complaints.count(),
                idleBytes >> 20,
                engine.memory().slabBytes() >> 20);
        return complaints.count() == 0;
    }

    /// Whether an error says that memory was too little, and more of it would help: not that the disk was full, or what
    /// was spilled is damaged, which is told with the name of a setting of spilling.
    static boolean isForMemory(ResourceException error) {
        String message = error.getMessage();
        return message.contains("raise memory.limit") && !message.contains("spill.");
    }
}
