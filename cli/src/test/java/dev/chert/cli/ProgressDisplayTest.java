package dev.chert.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chert.pipeline.QueryProgress;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ProgressDisplayTest {
    private static final String CLEARED = "\r\u001b[K";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream terminal = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0      | 0                   | 0       | 0       | [....................]   0 %  0 rows  0.0 s",
                "0.049  | 999                 | 40      | 0       | [....................]   4 %  999 rows  0.0 s",
                "0.05   | 1000                | 1000    | 0       | [#...................]   5 %  1.0 k rows  1.0 s",
                "0.5    | 59986052            | 12345   | 1610612736 | [##########..........]  50 %  60.0 M rows  12.3 s  1.5 GiB spilled",
                "0.99   | 9223372036854775807 | 3600000 | 9223372036854775807 | [###################.]  99 %  9.2 E rows  3600.0 s  8 EiB spilled",
                "1      | 1                   | 1       | 1       | [####################] 100 %  1 rows  0.0 s  1 bytes spilled",
            })
    void aLineHasBarPercentRowsAndTime(double fraction, long rows, long millis, long spilled, String line) {
        QueryProgress progress = new QueryProgress(fraction, rows, 0, spilled, Duration.ofMillis(millis));
        assertThat(ProgressLine.of(progress)).isEqualTo(line).hasSizeLessThan(80);
    }

    @Test
    void drawsTheLineAgainAndAgainAndClearsIt() throws Exception {
        CountDownLatch asked = new CountDownLatch(3);
        ProgressDisplay display = ProgressDisplay.start(
                terminal,
                () -> {
                    asked.countDown();
                    return Optional.of(new QueryProgress(0.5, asked.getCount(), 0, 0, Duration.ZERO));
                },
                Duration.ZERO,
                Duration.ofMillis(1));
        asked.await();
        display.end();
        String text = bytes.toString(StandardCharsets.UTF_8);
        String line = "\r[##########..........]  50 %  ";
        assertThat(text).startsWith(line + "2 rows  0.0 s\u001b[K" + line + "1 rows  0.0 s\u001b[K" + line);
        assertThat(text).endsWith(CLEARED);
        display.close();
        Thread.sleep(20);
        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo(text);
    }

    @Test
    void showsNothingOfWhatIsDoneSoonOrDoesNotRun() throws Exception {
        Optional<QueryProgress> half = Optional.of(new QueryProgress(0.5, 1, 0, 0, Duration.ZERO));
        ProgressDisplay soon = ProgressDisplay.start(terminal, () -> half, Duration.ofMinutes(1), Duration.ofMillis(1));
        soon.close();
        CountDownLatch asked = new CountDownLatch(3);
        ProgressDisplay planning = ProgressDisplay.start(
                terminal,
                () -> {
                    asked.countDown();
                    return Optional.empty();
                },
                Duration.ZERO,
                Duration.ofMillis(1));
        asked.await();
        planning.close();
        assertThat(bytes.size()).isZero();
    }

    /// `script` gives the command line a terminal.
    @Test
    void aRealTerminalShowsProgressAndThenTheRowsAlone() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")));
        String sql = "WITH d AS (SELECT * FROM (VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)) AS v(x)),"
                + " n AS (SELECT a.x + 10 * b.x + 100 * c.x AS x FROM d AS a, d AS b, d AS c)"
                + " SELECT count(*) AS n FROM n AS a, n AS b, n AS c WHERE c.x < 300 AND a.x + b.x + c.x < 100";
        String command = String.join(
                " ",
                ProcessHandle.current().info().command().orElseThrow(),
                "-Dchert.stderr.terminal=true",
                "-cp",
                quoted(System.getProperty("java.class.path")),
                Main.class.getName(),
                "--format csv -c",
                quoted(sql));
        Process process = new ProcessBuilder("/usr/bin/script", "-qec", command, File.separator + "dev/null")
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        assertThat(text).containsPattern("\r\\[[#.]{20}\\] +\\d+ %  \\S+.* rows  \\d+\\.\\d s\u001b\\[K");
        assertThat(text.substring(text.lastIndexOf(CLEARED)).replace("\r\n", "\n"))
                .isEqualTo(CLEARED + "n\n171700\n");
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
