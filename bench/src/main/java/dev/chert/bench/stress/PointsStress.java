package dev.chert.bench.stress;

import dev.chert.bench.suite.Query;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Measures a query for one order by its key, alone and then beside many clients that run the suite's queries.
final class PointsStress {
    /// The 99th percentile beside others stays under this many times the median alone.
    static final double MOST_RATIO = 20;

    private static final int WARM_UPS = 200;
    private static final int LONELY_RUNS = 200;

    private final StressedEngine engine;
    private final long seed;
    private final PrintStream out;

    /// @param engine stays the caller's
    /// @param seed   of the keys and the choice of queries
    PointsStress(StressedEngine engine, long seed, PrintStream out) {
        this.engine = engine;
        this.seed = seed;
        this.out = out;
    }

    /// @param clients those that run the suite's queries
    /// @param points  those that ask for single orders
    /// @return        whether every promise was kept
    boolean run(int clients, int points, Duration duration) throws InterruptedException {
        Complaints complaints = new Complaints(out);
        long orders = (Long)
                engine.run("SELECT count(*) FROM orders").rows().getFirst().getFirst();
        Random keys = new Random(seed);
        for (int i = 0; i < WARM_UPS; i++) {
            askForOne(keys, orders, new Times(), complaints);
        }
        Times lonely = new Times();
        for (int i = 0; i < LONELY_RUNS; i++) {
            askForOne(keys, orders, lonely, complaints);
        }
        Times crowded = new Times();
        AtomicInteger others = new AtomicInteger();
        Instant end = Instant.now().plus(duration);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            threads.add(start(end, i, random -> {
                Query query =
                        engine.queries().get(random.nextInt(engine.queries().size()));
                try {
                    engine.difference(query, engine.run(query.sql()))
                            .ifPresent(difference -> complaints.add(query.name() + ": " + difference));
                    others.incrementAndGet();
                } catch (RuntimeException e) {
                    complaints.add(query.name() + ": " + e);
                }
            }));
        }
        for (int i = 0; i < points; i++) {
            threads.add(start(end, clients + i, random -> askForOne(random, orders, crowded, complaints)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        double ratio = crowded.millis(0.99) / lonely.millis(0.5);
        out.printf(
                Locale.ROOT,
                "alone     %6d points, median %.2f ms, 99%% %.2f ms%n",
                lonely.count(),
                lonely.millis(0.5),
                lonely.millis(0.99));
        out.printf(
                Locale.ROOT,
                "crowded   %6d points, median %.2f ms, 99%% %.2f ms, %.1f times the median alone; %d other queries%n",
                crowded.count(),
                crowded.millis(0.5),
                crowded.millis(0.99),
                ratio,
                others.get());
        return complaints.count() == 0 && ratio < MOST_RATIO;
    }

    private Thread start(Instant end, int client, Consumer<Random> work) {
        Random random = new Random(seed + client);
        return Thread.ofPlatform().name("client " + client).start(() -> {
            while (Instant.now().isBefore(end)) {
                work.accept(random);
            }
        });
    }

    /// Asks for an order by its key, which must be there; the generator numbers orders from 1 and uses, of 32 keys, the
    /// first 8.
    private void askForOne(Random random, long orders, Times times, Complaints complaints) {
        long number = 1 + random.nextLong(orders);
        long key = number / 8 * 32 + number % 8;
        long start = System.nanoTime();
        try {
            int rows = engine.run("SELECT o_orderdate, o_totalprice FROM orders WHERE o_orderkey = " + key)
                    .rows()
                    .size();
            times.add(System.nanoTime() - start);
            if (rows != 1) {
                complaints.add("order %d: %d rows, expected 1".formatted(key, rows));
            }
        } catch (RuntimeException e) {
            complaints.add("order %d: %s".formatted(key, e));
        }
    }
}
