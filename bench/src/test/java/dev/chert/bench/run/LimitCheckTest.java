package dev.chert.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LimitCheckTest {
    private static final long LIMIT = 96_000_000;

    private final LimitCheck check = new LimitCheck(LIMIT, 1);

    @Test
    void passesWhatIsWithinBothBounds() {
        check.add(outcome("q01", 390, 100));
        check.add(outcome("q02", 20, 10));
        assertThat(close(OptionalLong.of(LIMIT + (400L << 20)))).isEqualTo("""
                        slowest under the limit: q01, 3.90 times the unlimited time (at most 4)
                        peak of the limited JVM: 491.6 MiB, the limit and 400 MiB (at most 500 MiB)
                        true""");
    }

    @Test
    void failsAQueryThatTakesTooLong() {
        check.add(outcome("q02", 20, 10));
        check.add(outcome("q09", 410, 100));
        assertThat(close(OptionalLong.empty())).contains("q09, 4.10 times").endsWith("false");
    }

    @Test
    void failsAPeakThatIsTooHigh() {
        check.add(outcome("q02", 20, 10));
        assertThat(close(OptionalLong.of(LIMIT + (501L << 20)))).endsWith("false");
    }

    @Test
    void leavesOutQueriesWhoseResultsDiffer() {
        check.add(new SideBySide.Outcome("q03", 0, false, new double[0], List.of("limited: out of memory")));
        assertThat(close(OptionalLong.empty())).contains("no query").endsWith("true");
    }

    private static SideBySide.Outcome outcome(String query, double limited, double unlimited) {
        return new SideBySide.Outcome(query, 1, true, new double[] {limited, unlimited}, List.of());
    }

    private String close(OptionalLong peak) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        boolean passed = check.close(peak, new PrintStream(printed, true, StandardCharsets.UTF_8));
        return printed.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n") + passed;
    }
}
