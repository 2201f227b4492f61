package dev.chert.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A run that spilled leaves nothing in `spill.directory`, however it ended.
@Timeout(60)
class SpillFolderTest {
    private static final String TRIPS =
            "'" + Path.of("../samples/trips.parquet").toAbsolutePath().normalize() + "'";
    private static final String SPILLING = "SELECT fare FROM %s ORDER BY fare, station".formatted(TRIPS);

    @TempDir
    Path spillDirectory;

    @Test
    void nothingStaysAfterARunThatEnded() throws IOException {
        assertThat(run(SPILLING)).isZero();
        assertThat(entries()).isEmpty();
    }

    @Test
    void nothingStaysAfterARunThatFailed() throws IOException {
        assertThat(run(SPILLING + "; SELECT 1 / 0")).isEqualTo(ChertCommand.FAILED);
        assertThat(entries()).isEmpty();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void nothingStaysAfterARunThatWasInterrupted() throws Exception {
        String endless = "SELECT a.* FROM %1$s a, %1$s b, %1$s c".formatted(TRIPS);
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--set",
                        "test.spill=on",
                        "--set",
                        "spill.directory=" + spillDirectory,
                        "--format",
                        "csv",
                        "-c",
                        "SELECT 'begun'; " + SPILLING + "; " + endless)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out = process.inputReader()) {
            String line = out.readLine();
            while (line != null && !line.contains("station")) { // the header of the endless result
                line = out.readLine();
            }
            assertThat(line).isNotNull();
            assertThat(entries()).as("the run has spilled").isNotEmpty();
            new ProcessBuilder("kill", "-TERM", Long.toString(process.pid()))
                    .start()
                    .waitFor();
            while (line != null) {
                line = out.readLine();
            }
        }
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(entries()).isEmpty();
    }

    private int run(String statements) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        return ChertCommand.run(
                new ChertCommand.Surroundings(
                        new ByteArrayInputStream(new byte[0]),
                        true,
                        new StringWriter(),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        false,
                        new TableStatements(),
                        new Interruption()),
                "--set",
                "test.spill=on",
                "--set",
                "spill.directory=" + spillDirectory,
                "-c",
                statements);
    }

    private List<Path> entries() throws IOException {
        try (Stream<Path> entries = Files.list(spillDirectory)) {
            return entries.toList();
        }
    }
}
