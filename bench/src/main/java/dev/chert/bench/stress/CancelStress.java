package dev.chert.bench.stress;

import dev.chert.bench.engine.ChertEngine;
import dev.chert.bench.result.QueryResult;
import dev.chert.bench.suite.Query;
import dev.chert.error.QueryCancelledException;
import dev.chert.error.ValidationException;
import dev.chert.query.Settings;
import dev.chert.table.TableResult;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/// Stops queries at random moments, in every way that there is, and measures how long each takes to be gone: from the
/// wish until the result is closed. Then nothing may be left over, and the next query must be right.
final class CancelStress {
    private final StressedEngine engine;
    private final double mostMillis;
    private final Random random;
    private final PrintStream out;
    private final Map<String, Long> usualNanos = new HashMap<>();
    private final Map<Way, Times> times = new EnumMap<>(Way.class);
    private int tooEarly;

    /// How a query is stopped.
    enum Way {
        CANCEL,
        CLOSE,
        INTERRUPT,
        TIMEOUT
    }

    /// @param engine     stays the caller's
    /// @param mostMillis how soon every query stops
    /// @param seed       of the moments, ways and queries
    CancelStress(StressedEngine engine, double mostMillis, long seed, PrintStream out) {
        this.engine = engine;
        this.mostMillis = mostMillis;
        this.random = new Random(seed);
        this.out = out;
    }

    /// A query on a thread of its own.
    private record Client(
            Thread thread,
            CompletableFuture<TableResult> begun,
            CompletableFuture<QueryResult> ended,
            long[] endNanos) {}

    /// @return whether every promise was kept
    boolean run(int count) throws InterruptedException {
        Complaints complaints = new Complaints(out);
        List<Query> queries = engine.queries();
        for (Way way : Way.values()) {
            times.put(way, new Times());
        }
        for (int round = 0; round < 2; round++) { // the second one is warmer
            for (Query query : queries) {
                long start = System.nanoTime();
                check(query, engine.run(query.sql()), complaints);
                usualNanos.put(query.name(), System.nanoTime() - start);
            }
        }
        for (int i = 0; i < count; i++) {
            Query query = queries.get(random.nextInt(queries.size()));
            Way way = Way.values()[random.nextInt(Way.values().length)];
            stop(query, way, (long) (usualNanos.get(query.name()) * random.nextDouble()), complaints);
            engine.leftovers().forEach(left -> complaints.add("after %s of %s: %s".formatted(way, query.name(), left)));
            Query next = queries.get(i % queries.size());
            if (usualNanos.get(next.name()) < TimeUnit.SECONDS.toNanos(1) || i % 10 == 0) {
                check(next, engine.run(next.sql()), complaints);
            }
        }
        times.forEach((way, measured) -> out.printf(
                Locale.ROOT,
                "%-9s %4d stopped, within %.1f ms (99%%), %.1f ms (all)%n",
                way.name().toLowerCase(Locale.ROOT),
                measured.count(),
                measured.millis(0.99),
                measured.millis(1)));
        out.printf("%d had ended before; %d complaints%n", tooEarly, complaints.count());
        return complaints.count() == 0;
    }

    private void check(Query query, QueryResult result, Complaints complaints) {
        engine.difference(query, result).ifPresent(difference -> complaints.add(query.name() + ": " + difference));
    }

    private void stop(Query query, Way way, long afterNanos, Complaints complaints) throws InterruptedException {
        if (way == Way.TIMEOUT) {
            String millis = Long.toString(Math.max(1, TimeUnit.NANOSECONDS.toMillis(afterNanos)));
            engine.environment().getConfig().set(Settings.QUERY_TIMEOUT.key(), millis + "ms");
            afterNanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(millis));
        }
        long start = System.nanoTime();
        Client client = start(query);
        TimeUnit.NANOSECONDS.sleep(afterNanos);
        long wish = way == Way.TIMEOUT ? start + afterNanos : System.nanoTime();
        switch (way) {
            case INTERRUPT -> client.thread().interrupt();
            case TIMEOUT -> engine.environment().getConfig().reset(Settings.QUERY_TIMEOUT.key());
            case CANCEL, CLOSE -> wish = stopResult(client, way); // there is none before the query was planned
        }
        long closedNanos = System.nanoTime();
        client.thread().join();
        try {
            check(query, client.ended().join(), complaints);
            tooEarly++;
        } catch (CompletionException e) {
            if (!isStop(e.getCause(), way)) {
                complaints.add("%s of %s: %s".formatted(way, query.name(), e.getCause()));
                return;
            }
            long end = way == Way.CLOSE ? Math.max(closedNanos, client.endNanos()[0]) : client.endNanos()[0];
            long nanos = Math.max(0, end - wish);
            times.get(way).add(nanos);
            if (nanos / 1e6 > mostMillis) {
                complaints.add("%s of %s after %.1f ms took %.1f ms"
                        .formatted(way, query.name(), afterNanos / 1e6, nanos / 1e6));
            }
        }
    }

    /// @return when, by the clock of [System#nanoTime()]
    private static long stopResult(Client client, Way way) {
        TableResult result;
        try {
            result = client.begun().join();
        } catch (CompletionException _) {
            return System.nanoTime(); // the query failed, which its client tells of
        }
        long wish = System.nanoTime();
        if (way == Way.CLOSE) {
            result.close();
        } else {
            result.cancel();
        }
        return wish;
    }

    /// Whether a query ended because it was to: a result that was closed before it was read says so in its own way.
    private static boolean isStop(Throwable error, Way way) {
        return error instanceof QueryCancelledException
                || (way == Way.CLOSE
                        && error instanceof ValidationException
                        && error.getMessage().startsWith("the result is closed"));
    }

    private Client start(Query query) {
        CompletableFuture<TableResult> begun = new CompletableFuture<>();
        CompletableFuture<QueryResult> ended = new CompletableFuture<>();
        long[] endNanos = new long[1];
        Thread thread = Thread.ofPlatform().name("client of " + query.name()).start(() -> {
            try {
                TableResult result = engine.environment().executeSql(query.sql());
                begun.complete(result);
                QueryResult rows = ChertEngine.fetch(result);
                endNanos[0] = System.nanoTime();
                ended.complete(rows);
            } catch (Throwable e) {
                endNanos[0] = System.nanoTime();
                ended.completeExceptionally(e);
                begun.completeExceptionally(e);
            }
        });
        return new Client(thread, begun, ended, endNanos);
    }
}
