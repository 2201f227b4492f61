package dev.chert.bench.stress;

import dev.chert.bench.suite.Corpus;
import dev.chert.bench.tpch.TpchData;
import dev.chert.bench.tpch.TpchSuite;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `chert-bench stress`: one engine and what it promises.
@Command(
        name = "stress",
        description = "Stops queries at random, or runs many at a time, and checks what the engine promises.",
        mixinStandardHelpOptions = true)
public final class StressCommand {
    /// How soon every query stops.
    private static final double MOST_MILLIS = 200;

    private static final String SEED = "Of all that is random (default: ${DEFAULT-VALUE}).";
    private static final String MINUTES = "How long (default: ${DEFAULT-VALUE}).";

    /// What every kind of stress is told.
    static final class Target {
        @Option(
                names = "--scale",
                description = "Scale factor of TPC-H (default: ${DEFAULT-VALUE}).",
                defaultValue = "1")
        private BigDecimal scale;

        @Option(names = "--threads", description = "Threads that the engine may compute with (default: all cores).")
        private int threads = Runtime.getRuntime().availableProcessors();

        @Option(names = "--set", paramLabel = "KEY=VALUE", description = "A setting of the engine.")
        private Map<String, String> settings = new LinkedHashMap<>();

        private StressedEngine open() {
            TpchSuite suite = new TpchSuite(TpchData.ensure(scale, System.err::println), Corpus.directory());
            StressedEngine engine = new StressedEngine(suite, threads, settings);
            System.out.printf("TPC-H, scale factor %s: %s%n", scale, engine.description());
            return engine;
        }
    }

    @Command(
            name = "cancel",
            description = "Stops the 22 queries at random moments, by cancel, close, interrupt and timeout. Exits 1"
                    + " where one takes more than 200 ms, leaves something, or the next query is wrong.",
            mixinStandardHelpOptions = true)
    int cancel(
            @Mixin Target target,
            @Option(names = "--count", description = "How many (default: ${DEFAULT-VALUE}).", defaultValue = "1000")
                    int count,
            @Option(names = "--seed", description = SEED, defaultValue = "1") long seed)
            throws InterruptedException {
        try (StressedEngine engine = target.open()) {
            return new CancelStress(engine, MOST_MILLIS, seed, System.out).run(count) ? 0 : 1;
        }
    }

    @Command(
            name = "clients",
            description = "Runs the 22 queries by many clients. Exits 1 where a result is wrong, a query fails but for"
                    + " memory, none gives a result, or something is left.",
            mixinStandardHelpOptions = true)
    int clients(
            @Mixin Target target,
            @Option(names = "--clients", description = "Threads (default: ${DEFAULT-VALUE}).", defaultValue = "64")
                    int clients,
            @Option(names = "--minutes", description = MINUTES, defaultValue = "10") double minutes,
            @Option(names = "--seed", description = SEED, defaultValue = "1") long seed)
            throws InterruptedException {
        try (StressedEngine engine = target.open()) {
            return new ClientsStress(engine, seed, System.out).run(clients, duration(minutes)) ? 0 : 1;
        }
    }

    @Command(
            name = "points",
            description = "Asks for single orders, alone and then beside clients that run the 22 queries. Exits 1 where"
                    + " the 99th percentile is 20 times the median alone, or more.",
            mixinStandardHelpOptions = true)
    int points(
            @Mixin Target target,
            @Option(
                            names = "--clients",
                            description = "Threads that run the 22 (default: ${DEFAULT-VALUE}).",
                            defaultValue = "60")
                    int clients,
            @Option(
                            names = "--points",
                            description = "Threads that ask for orders (default: ${DEFAULT-VALUE}).",
                            defaultValue = "4")
                    int points,
            @Option(names = "--minutes", description = MINUTES, defaultValue = "1") double minutes,
            @Option(names = "--seed", description = SEED, defaultValue = "1") long seed)
            throws InterruptedException {
        try (StressedEngine engine = target.open()) {
            return new PointsStress(engine, seed, System.out).run(clients, points, duration(minutes)) ? 0 : 1;
        }
    }

    @Command(
            name = "caller",
            description = "Takes a batch of SELECT * FROM lineitem now and then. Exits 1 where the engine reserves"
                    + " 64 MiB or more meanwhile.",
            mixinStandardHelpOptions = true)
    int caller(
            @Mixin Target target,
            @Option(names = "--batches", description = "How many (default: ${DEFAULT-VALUE}).", defaultValue = "60")
                    int batches,
            @Option(
                            names = "--pause",
                            description = "Milliseconds before each (default: ${DEFAULT-VALUE}).",
                            defaultValue = "1000")
                    long pause)
            throws InterruptedException {
        try (StressedEngine engine = target.open()) {
            return new CallerStress(engine, System.out).run(batches, Duration.ofMillis(pause)) ? 0 : 1;
        }
    }

    private static Duration duration(double minutes) {
        return Duration.ofMillis((long) (minutes * Duration.ofMinutes(1).toMillis()));
    }
}
