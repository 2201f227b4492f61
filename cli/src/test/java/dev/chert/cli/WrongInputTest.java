package dev.chert.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the user of the whole engine reads when the input is wrong: one line that helps, then the source line and a
/// caret where there is a place.
class WrongInputTest {
    private static final Path TRIPS = Path.of("../samples/trips.parquet");

    @TempDir
    Path folder;

    @Test
    void namesAFileThatIsMissing() {
        assertMessage(
                "SELECT * FROM '%s'".formatted(folder.resolve("missing.parquet")), "missing.parquet", "no such file");
    }

    @Test
    void namesAFileThatIsEmpty() throws IOException {
        Path file = Files.createFile(folder.resolve("empty.parquet"));
        assertMessage("SELECT * FROM '%s'".formatted(file), "empty.parquet", "empty, expected a Parquet file");
    }

    @Test
    void namesATextThatIsNamedLikeParquet() throws IOException {
        Path file = Files.writeString(folder.resolve("text.parquet"), "a,b,c\n1,2,3\n".repeat(10));
        assertMessage("SELECT * FROM '%s'".formatted(file), "text.parquet", "PAR1");
    }

    @Test
    void namesAFileThatWasCutInHalf() throws IOException {
        byte[] whole = Files.readAllBytes(TRIPS);
        Path file = Files.write(folder.resolve("half.parquet"), Arrays.copyOf(whole, whole.length / 2));
        assertMessage("SELECT * FROM '%s'".formatted(file), "half.parquet", "PAR1");
    }

    @Test
    void marksAnUnknownColumnAndNamesTheNearest() {
        assertThat(err("SELECT statoin FROM '%s'".formatted(TRIPS)))
                .startsWith("chert: line 1, column 8: ")
                .contains("statoin", "station")
                .endsWith("\nSELECT statoin FROM '%s'\n       ^^^^^^^\n".formatted(TRIPS));
    }

    @Test
    void marksAnUnknownFunctionAndNamesTheNearest() {
        assertThat(err("SELECT 1,\n  uper('x')"))
                .startsWith("chert: line 2, column 3: ")
                .contains("uper", "upper")
                .contains("\n  uper('x')\n  ^");
    }

    @Test
    void marksAMismatchOfTypes() {
        assertThat(err("SELECT 1 + DATE '2024-01-01' AND TRUE"))
                .startsWith("chert: line 1, column ")
                .contains("\n       ^");
    }

    @Test
    void marksAQuoteThatIsNotClosed() {
        assertThat(err("SELECT 1,\n       'abc FROM t"))
                .startsWith("chert: line 2, column 8: ")
                .contains("\n       'abc FROM t\n       ^");
    }

    @Test
    void marksAnOverflow() {
        assertMessage("SELECT CAST(9223372036854775807 AS BIGINT) + 1", "line 1, column 8", "BIGINT");
    }

    @Test
    void marksADivisionByZero() {
        assertMessage("SELECT x / y FROM (VALUES (1, 0)) AS v(x, y)", "line 1, column 8", "zero");
    }

    @Test
    void namesTheNearestSetting() {
        Run run = run("SELECT 1", "--set", "execution.batchsize=7");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .contains("execution.batchsize", "execution.batch-size")
                .hasLineCount(1);
        assertMessage("SET execution.batchsize = 7", "execution.batch-size");
    }

    // ---- running

    private record Run(int status, String out, String err) {}

    private static void assertMessage(String sql, String... parts) {
        assertThat(err(sql).lines().findFirst().orElseThrow())
                .startsWith("chert: ")
                .contains(parts);
    }

    /// Runs a statement that must fail like a user's mistake and returns standard error.
    private static String err(String sql) {
        Run run = run(sql);
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).doesNotContain("internal error", "\tat ", "Exception");
        return run.err();
    }

    private static Run run(String sql, String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 4);
        all[arguments.length] = "--format";
        all[arguments.length + 1] = "csv";
        all[arguments.length + 2] = "-c";
        all[arguments.length + 3] = sql;
        StringWriter out = new StringWriter();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = ChertCommand.run(
                new ChertCommand.Surroundings(
                        new ByteArrayInputStream(new byte[0]),
                        true,
                        out,
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        false,
                        new TableStatements(),
                        new Interruption()),
                all);
        return new Run(status, out.toString(), err.toString(StandardCharsets.UTF_8));
    }
}
