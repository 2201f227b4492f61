package dev.chert.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The command line as a process that gets a signal.
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class InterruptionTest {
    private static final String TRIPS =
            "'" + Path.of("../samples/trips.parquet").toAbsolutePath().normalize() + "'";
    private static final int SIGINT_BIT = 1 << 1;

    @TempDir
    Path folder;

    @Test
    void controlCStopsTheStatementThatRunsAndThoseAfterIt() throws Exception {
        Path err = folder.resolve("err");
        Process process = start(
                err,
                "SELECT 'begun' AS line FROM %1$s LIMIT 1; SELECT count(*) FROM %1$s a, %1$s b, %1$s c, %1$s d; SELECT 'not this'"
                        .formatted(TRIPS));
        BufferedReader out = process.inputReader();
        assertThat(out.readLine()).isEqualTo("line");
        assertThat(out.readLine()).isEqualTo("begun");
        TimeUnit.MILLISECONDS.sleep(300); // the second statement is being planned or runs
        signal(process);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(out.readLine()).isNull();
        assertThat(Files.readString(err)).isEqualTo("chert: interrupted\n");
        assertThat(process.exitValue()).isEqualTo(128 + (isInterruptIgnored() ? 15 : 2));
    }

    @Test
    void controlCStopsAResultThatIsBeingPrinted() throws Exception {
        Path err = folder.resolve("err");
        Process process = start(err, "SELECT a.* FROM %1$s a, %1$s b, %1$s c, %1$s d".formatted(TRIPS));
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine()).contains("station");
            signal(process);
            while (out.readLine() != null) {
                assertThat(process.isAlive() || out.ready()).isTrue();
            }
        }
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(err)).isEqualTo("chert: interrupted\n");
    }

    private static Process start(Path err, String statements) throws IOException {
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--format",
                        "csv",
                        "-c",
                        statements)
                .redirectError(err.toFile())
                .start();
    }

    private static void signal(Process process) throws IOException, InterruptedException {
        String signal = isInterruptIgnored() ? "-TERM" : "-INT";
        new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
    }

    /// Whether this JVM was started in the background of a shell that lets such processes ignore Ctrl-C, as all that
    /// they start do.
    private static boolean isInterruptIgnored() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return false;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & SIGINT_BIT) != 0);
    }
}
