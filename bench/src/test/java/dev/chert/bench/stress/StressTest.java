package dev.chert.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chert.bench.suite.Corpus;
import dev.chert.bench.tpch.TpchData;
import dev.chert.bench.tpch.TpchSuite;
import dev.chert.error.ResourceException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A little of each kind of stress; `chert-bench stress` does more of it, as do the properties `chert.cancels` (how
/// many queries are stopped) and `chert.scale`. Times are those of a busy machine and a cold JVM.
class StressTest {
    private static final int CANCELS = Integer.getInteger("chert.cancels", 40);
    private static final BigDecimal SCALE = new BigDecimal(System.getProperty("chert.scale", "0.01"));

    private static final double MOST_MILLIS = Double.parseDouble(System.getProperty("chert.most-millis", "2000"));

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);

    @Test
    void queriesStopSoonAndLeaveNothing() throws Exception {
        try (StressedEngine engine = open(Map.of())) {
            assertThat(new CancelStress(engine, MOST_MILLIS, 1, out).run(CANCELS))
                    .as(this::report)
                    .isTrue();
        }
        System.out.print(report());
    }

    @Test
    void manyClientsGetRightResultsFromLittleMemory() throws Exception {
        try (StressedEngine engine = open(Map.of("memory.limit", "128MB", "test.check-memory", "on"))) {
            assertThat(new ClientsStress(engine, 1, out).run(16, Duration.ofSeconds(5)))
                    .as(this::report)
                    .isTrue();
        }
    }

    @Test
    void aSlowCallerSlowsTheScan() throws Exception {
        try (StressedEngine engine = open(Map.of("test.check-memory", "on"))) {
            assertThat(new CallerStress(engine, out).run(10, Duration.ofMillis(20)))
                    .as(this::report)
                    .isTrue();
        }
    }

    @Test
    void clientsThatGetNoResultAreAComplaint() throws Exception {
        try (StressedEngine engine = open(Map.of("memory.limit", "256KiB"))) {
            assertThat(new ClientsStress(engine, 1, out).run(2, Duration.ofMillis(500)))
                    .as(this::report)
                    .isFalse();
        }
        assertThat(report()).contains("WRONG  no query gave a result");
    }

    @Test
    void onlyARefusalOfMemoryIsNoComplaint() {
        String refusal = "Sort 1: needs 2 MiB more, 63 of 64 MiB are reserved; raise memory.limit (the limit is the"
                + " engine's; query 7 holds 3 MiB, 1 MiB of it this operator";
        String fullDisk = "Sort 1: cannot spill to /spill: No space left on device, 3 MiB of spill files are in use"
                + " there; set spill.directory to a disk with more room, or raise memory.limit";
        String damaged = "Sort 1: the spill file in /spill was changed or damaged at byte 7; look at the disk, or set"
                + " spill.directory to another one";
        assertThat(isForMemory(refusal + ")")).isTrue();
        assertThat(isForMemory(fullDisk)).isFalse();
        assertThat(isForMemory(refusal + "; nothing could be spilled: " + fullDisk + ")"))
                .isFalse();
        assertThat(isForMemory(damaged)).isFalse();
        assertThat(isForMemory("the process has too many open files; raise its limit (ulimit -n)"))
                .isFalse();
    }

    private static boolean isForMemory(String message) {
        return ClientsStress.isForMemory(new ResourceException(message));
    }

    @Test
    void everyOrderThatPointsAskForIsThere() throws Exception {
        try (StressedEngine engine = open(Map.of())) {
            new PointsStress(engine, 1, out).run(0, 1, Duration.ofMillis(500)); // times are not looked at here
        }
        assertThat(report()).contains("points").doesNotContain("WRONG");
    }

    private String report() {
        return written.toString(StandardCharsets.UTF_8);
    }

    private static StressedEngine open(Map<String, String> settings) {
        assumeTrue(
                Files.isDirectory(Corpus.directory()),
                () -> "no test corpus at " + Corpus.directory().toAbsolutePath());
        return new StressedEngine(
                new TpchSuite(TpchData.ensure(SCALE, System.out::println), Corpus.directory()), 2, settings);
    }
}
