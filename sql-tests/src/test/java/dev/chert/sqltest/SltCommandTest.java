package dev.chert.sqltest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SltCommandTest {
    private static final SltCommand.EngineFactory FACTORY = (label, settings) -> {
        if (settings.containsKey("memory.limits")) {
            throw new IllegalArgumentException("unknown setting 'memory.limits'; did you mean 'memory.limit'?");
        }
        return () -> new FixedAnswers(label, Map.of("done", new Outcome.Done(-1)), new ArrayList<>());
    };

    @TempDir
    Path folder;

    @BeforeEach
    void writeFiles() throws IOException {
        Files.writeString(folder.resolve("good.slt"), "statement ok\ndone\n\nstatement error\nwrong\n");
        Files.writeString(
                folder.resolve("bad.test"),
                "statement ok\nwrong\n\nonlyif mysql\nstatement ok\ndone\n\nstatement ok\nwrong\n");
        Files.writeString(folder.resolve("broken.slt"), "statement ok\ndone\n\nstatemen ok\ndone\n");
        Files.writeString(folder.resolve("notes.txt"), "no test");
    }

    @Test
    void countsRecordsOnALineOfItsOwnAndSucceedsWhereNoneFailed() {
        Run run = run(folder.resolve("good.slt").toString());
        assertThat(run.out()).isEqualTo("2 passed, 0 failed, 0 skipped\n");
        assertThat(run.status()).isZero();
    }

    @Test
    void runsTheTestFilesOfAFolderAndFailsWhereOneFailed() {
        Run run = run("--failures", "1", folder.toString());
        assertThat(run.out())
                .contains(
                        "bad.test:1\n  wrong\n  expected\n    success\n  found\n    error: line 1, column 8: no column x")
                .contains("and 1 more failures in this file")
                .contains("broken.slt:4", "unknown directive 'statemen'")
                .endsWith("\n2 passed, 3 failed, 1 skipped\n");
        assertThat(run.status()).isEqualTo(1);
    }

    @Test
    void printsTheClosingLineAloneWhereItShallBeQuiet() {
        assertThat(run("--quiet", folder.toString()).out()).isEqualTo("2 passed, 3 failed, 1 skipped\n");
    }

    @Test
    void runsRecordsForAnotherEngineWhenAskedTo() {
        assertThat(run(
                                "--quiet",
                                "--engine",
                                "mysql",
                                folder.resolve("bad.test").toString())
                        .out())
                .isEqualTo("1 passed, 2 failed, 0 skipped\n");
    }

    @Test
    void refusesWrongUsageInOneLine() {
        assertWrong("memory.limit'?", "--set", "memory.limits=1", folder.toString());
        assertWrong("missing: no such file or folder", folder.resolve("missing").toString());
        assertWrong("Missing required parameter", new String[0]);
        assertWrong("Unknown option: '--fast'", "--fast", folder.toString());
    }

    private record Run(int status, String out, String err) {}

    private void assertWrong(String message, String... arguments) {
        Run run = run(arguments);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("chert-slt: ").contains(message).hasLineCount(1);
    }

    private static Run run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = SltCommand.run(FACTORY, new PrintWriter(out), new PrintWriter(err), arguments);
        return new Run(status, out.toString(), err.toString());
    }
}
