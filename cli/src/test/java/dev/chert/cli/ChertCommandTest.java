package dev.chert.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.error.SourcePosition;
import dev.chert.error.ValidationException;
import dev.chert.pipeline.QueryProgress;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command line over an engine with fixed answers: formats, streams, messages and exit statuses.
class ChertCommandTest {
    private static final List<StatementRunner.Column> COLUMNS = List.of(
            new StatementRunner.Column("id", true),
            new StatementRunner.Column("name, first", false),
            new StatementRunner.Column("price", true));

    @TempDir
    Path folder;

    @Test
    void printsCsvWithAHeaderAndNullsAsNothing() {
        Run run = run("--format", "csv", "-c", "rows");

        assertThat(run.out()).isEqualTo("""
                id,"name, first",price
                1,"a ""b"", c",1.50
                2,"",
                ,"two
                lines",-0.25
                """);
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
    }

    @Test
    void printsJsonAsOneObjectALine() {
        assertThat(run("--format", "json", "-c", "rows").out()).isEqualTo("""
                {"id":1,"name, first":"a \\"b\\", c","price":1.50}
                {"id":2,"name, first":"","price":null}
                {"id":null,"name, first":"two\\nlines","price":-0.25}
                """);
    }

    @Test
    void printsTablesWithNumbersToTheRight() {
        assertThat(run("-c", "rows").out()).isEqualTo("""
                  id  name, first  price
                ----  -----------  -----
                   1  a "b", c      1.50
                   2                NULL
                NULL  two\\nlines   -0.25
                """);
    }

    @Test
    void printsEveryKindOfValueInEveryFormat() {
        assertThat(run("--format", "csv", "-c", "kinds").out()).isEqualTo("""
                b,d,t,f,x,l
                true,2024-02-29,2024-02-29 12:00:00,0.1,NaN,"[1, NULL]"
                """);
        assertThat(run("--format", "json", "-c", "kinds").out())
                .isEqualTo(
                        "{\"b\":true,\"d\":\"2024-02-29\",\"t\":\"2024-02-29 12:00:00\",\"f\":0.1,\"x\":\"NaN\",\"l\":[1,null]}\n");
    }

    @Test
    void widensTheTableForEastAsianText() {
        assertThat(run("-c", "wide").out()).isEqualTo("""
                w     n
                ----  -
                漢字  1
                é     2
                """);
    }

    @Test
    void printsTheHeaderOfAResultWithoutRowsAndNothingForAStatementWithoutAResult() {
        assertThat(run("--format", "csv", "-c", "empty").out()).isEqualTo("id,\"name, first\",price\n");
        assertThat(run("--format", "json", "-c", "empty").out()).isEmpty();
        assertThat(run("--format", "csv", "-c", "done").out()).isEmpty();
        assertThat(run("-c", "done").out()).isEmpty();
    }

    @Test
    void runsSeveralStatementsInOrder() {
        assertThat(run("--format", "csv", "-c", "done; one; done", "-c", "one").out())
                .isEqualTo("n\n1\nn\n1\n");
    }

    @Test
    void readsAFileOrStandardInput() throws IOException {
        Path file = Files.writeString(folder.resolve("q.sql"), "one");
        assertThat(run("--format", "csv", "-f", file.toString()).out()).isEqualTo("n\n1\n");
        assertThat(runWithInput("one; one", "--format", "csv").out()).isEqualTo("n\n1\nn\n1\n");
        assertThat(runWithInput("one", "--format", "csv", "-f", "-").out()).isEqualTo("n\n1\n");
    }

    @Test
    void endsAtTheFirstStatementThatFails() {
        Run run = run("--format", "csv", "-c", "one; wrong; one");

        assertThat(run.out()).isEqualTo("n\n1\n");
        assertThat(run.err()).isEqualTo("""
                chert: line 1, column 6: no column x
                one; wrong; one
                     ^^^
                """);
        assertThat(run.status()).isEqualTo(1);
    }

    @Test
    void marksThePlaceInAScriptOfSeveralLines() {
        Run run = runWithInput("one;\n\n  late\n\tfailure", "--format", "csv");

        assertThat(run.err()).isEqualTo("""
                chert: line 4, column 2: no function failure; did you mean failures?
                \tfailure
                \t^^^^^^^
                """);
    }

    @Test
    void saysErrorsWithoutAPlaceInOneLine() {
        assertThat(run("-c", "two lines").err()).isEqualTo("chert: first second\n");
    }

    @Test
    void asksForAReportOfABugAndShowsItsTraceOnlyWhenAsked() {
        Run run = run("-c", "bug");
        assertThat(run.err())
                .isEqualTo("chert: internal error: java.lang.IllegalStateException: unreachable; "
                        + "please report it, with the output of --debug\n");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run("--debug", "-c", "bug").err()).contains("\tat dev.chert.cli.");
    }

    @Test
    void printsNoHeaderForAQueryThatFailsBeforeItsFirstRow() {
        Run run = run("--format", "csv", "-c", "fails at once");
        assertThat(run.out()).isEmpty();
        assertThat(run.status()).isEqualTo(1);
    }

    @Test
    void keepsTheRowsBeforeAFailure() {
        Run run = run("--format", "csv", "-c", "fails late");
        assertThat(run.out()).isEqualTo("n\n1\n");
        assertThat(run("--format", "json", "-c", "fails late").out()).isEqualTo("{\"n\":1}\n");
        assertThat(run("-c", "fails late").out()).isEqualTo("n\n-\n1\n");
        assertThat(run.err()).isEqualTo("chert: division by zero\n");
    }

    @Test
    void printsTimesToStandardError() {
        Run run = run("--timing", "--format", "csv", "-c", "one; done");
        assertThat(run.out()).isEqualTo("n\n1\n");
        assertThat(run.err()).matches("\\d+\\.\\d{3} s, 1 row\\R\\d+\\.\\d{3} s\\R");
    }

    @Test
    void refusesWrongUsageInOneLine() {
        assertWrong("Invalid value for option '--format'", "--format", "xml", "-c", "one");
        assertWrong("Unknown options: '--fromat'", "--fromat", "csv");
        assertWrong("no setting memory.limits; did you mean memory.limit?", "--set", "memory.limits=1", "-c", "one");
        assertWrong("-c and -f exclude each other", "-c", "one", "-f", "q.sql");
        assertWrong("missing.sql: no such file", "-f", "missing.sql");
        assertWrong("--set", "--set", "batch", "-c", "one");
        assertWrong("no statement", new String[0]);
    }

    @Test
    void handsSettingsToTheEngine() {
        List<Map<String, String>> seen = new ArrayList<>();
        run(
                "",
                true,
                new StringWriter(),
                settings -> seen.add(Map.copyOf(settings)),
                "-c",
                "one",
                "--set",
                "a=1",
                "--set",
                "b=x=y");
        assertThat(seen).containsExactly(Map.of("a", "1", "b", "x=y"));
    }

    @Test
    void endsQuietlyWhenTheReaderIsGone() {
        Writer gone = new Writer() {
            @Override
            public void write(char[] text, int offset, int length) throws IOException {
                throw new IOException("Broken pipe");
            }

            @Override
            public void flush() throws IOException {
                throw new IOException("Broken pipe");
            }

            @Override
            public void close() {}
        };
        Run run = run("", true, gone, _ -> {}, "--format", "csv", "-c", "rows");
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
    }

    @Test
    void showsProgressOfASlowStatementOnATerminalUntilItsRowsCome() {
        Run run = run("", true, new StringWriter(), true, _ -> {}, "--format", "csv", "-c", "slow; one");
        String line = "\r[##########..........]  50 %  1.2 k rows  1.5 s\u001b[K";
        assertThat(run.err()).startsWith(line + line).endsWith(line + "\r\u001b[K");
        assertThat(run.out()).isEqualTo("n\n1\nn\n1\n");
    }

    @Test
    void clearsTheProgressBeforeAnError() {
        Run run = run("", true, new StringWriter(), true, _ -> {}, "-c", "fails slowly");
        assertThat(run.err()).endsWith(" s\u001b[K\r\u001b[Kchert: no more\n");
    }

    @Test
    void showsNoProgressWhereItIsNotWantedOrStandardErrorIsNoTerminal() {
        assertThat(run("", true, new StringWriter(), true, _ -> {}, "--no-progress", "-c", "slow")
                        .err())
                .isEmpty();
        assertThat(run("-c", "slow").err()).isEmpty();
        assertThat(run("", true, new StringWriter(), true, _ -> {}, "-c", "one").err())
                .isEmpty();
    }

    // ---- the engine with fixed answers

    private record Run(int status, String out, String err) {}

    private void assertWrong(String message, String... arguments) {
        Run run = run("", true, new StringWriter(), FixedAnswers::checkSettings, arguments);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("chert: ").contains(message).hasLineCount(1);
    }

    private static Run run(String... arguments) {
        return run("", true, new StringWriter(), _ -> {}, arguments);
    }

    private static Run runWithInput(String input, String... arguments) {
        return run(input, false, new StringWriter(), _ -> {}, arguments);
    }

    private static Run run(String input, boolean terminal, Writer out, SettingsCheck check, String... arguments) {
        return run(input, terminal, out, false, check, arguments);
    }

    private static Run run(
            String input, boolean terminal, Writer out, boolean watched, SettingsCheck check, String... arguments) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        ChertCommand.Surroundings surroundings = new ChertCommand.Surroundings(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                terminal,
                out,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                watched,
                new FixedAnswers(check),
                new Interruption());
        int status = ChertCommand.run(surroundings, arguments);
        return new Run(status, out.toString(), err.toString(StandardCharsets.UTF_8));
    }

    @FunctionalInterface
    private interface SettingsCheck {
        void accept(Map<String, String> settings);
    }

    private record FixedAnswers(SettingsCheck check) implements ChertCommand.Engine, StatementRunner {
        static void checkSettings(Map<String, String> settings) {
            if (settings.containsKey("memory.limits")) {
                throw new ValidationException("no setting memory.limits; did you mean memory.limit?");
            }
        }

        @Override
        public StatementRunner open(Map<String, String> settings) {
            check.accept(settings);
            return this;
        }

        @Override
        public Script script(String text) {
            List<Script.Statement> statements = new ArrayList<>();
            int start = 0;
            for (String piece : text.split(";", -1)) {
                String statement = piece.strip();
                if (!statement.isEmpty()) {
                    String before = text.substring(0, start + piece.indexOf(statement));
                    int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
                    int column = before.length() - before.lastIndexOf('\n');
                    statements.add(new Script.Statement(statement, line, column));
                }
                start += piece.length() + 1;
            }
            return new Script(text, statements);
        }

        @Override
        public Result run(String statement) {
            return switch (statement) {
                case "done" -> answer(List.of());
                case "one" -> answer(List.of(new Column("n", true)), new Object[] {1L});
                case "empty" -> answer(COLUMNS);
                case "rows" ->
                    answer(
                            COLUMNS,
                            new Object[] {1L, "a \"b\", c", new BigDecimal("1.50")},
                            new Object[] {2L, "", null},
                            new Object[] {null, "two\nlines", new BigDecimal("-0.25")});
                case "kinds" ->
                    answer(
                            List.of(
                                    new Column("b", false),
                                    new Column("d", false),
                                    new Column("t", false),
                                    new Column("f", true),
                                    new Column("x", true),
                                    new Column("l", false)),
                            new Object[] {
                                true,
                                LocalDate.of(2024, 2, 29),
                                LocalDateTime.of(2024, 2, 29, 12, 0),
                                0.1f,
                                Double.NaN,
                                Arrays.asList(1, null)
                            });
                case "wide" ->
                    answer(
                            List.of(new Column("w", false), new Column("n", true)),
                            new Object[] {"漢字", 1},
                            new Object[] {"é", 2});
                case "wrong" -> throw new ValidationException("no column x", new SourcePosition(1, 1, 1, 3));
                case "late\n\tfailure" ->
                    throw new ValidationException(
                            "no function failure; did you mean failures?", new SourcePosition(2, 2, 2, 8));
                case "two lines" -> throw new ValidationException("first\n  second");
                case "bug" -> throw new IllegalStateException("unreachable");
                case "slow" -> {
                    pause();
                    yield answer(List.of(new Column("n", true)), new Object[] {1L});
                }
                case "fails slowly" -> {
                    pause();
                    throw new ValidationException("no more");
                }
                case "fails at once" -> failing(0);
                case "fails late" -> failing(1);
                default -> throw new AssertionError(statement);
            };
        }

        /// Takes longer than a terminal goes without progress.
        private static void pause() {
            try {
                Thread.sleep(ProgressDisplay.DELAY.plusMillis(700));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public Optional<QueryProgress> progress() {
            return Optional.of(new QueryProgress(0.5, 1234, 0, 0, Duration.ofMillis(1500)));
        }

        @Override
        public void close() {}

        private static Result answer(List<Column> columns, Object[]... rows) {
            return new Answer(columns, List.of(rows).iterator());
        }

        private static Result failing(int rowsBefore) {
            return new Answer(List.of(new Column("n", true)), new Iterator<>() {
                private int given;

                @Override
                public boolean hasNext() {
                    if (given == rowsBefore) {
                        throw new ValidationException("division by zero");
                    }
                    return true;
                }

                @Override
                public Object[] next() {
                    given++;
                    return new Object[] {1L};
                }
            });
        }
    }

    private record Answer(List<StatementRunner.Column> columns, Iterator<Object[]> rows)
            implements StatementRunner.Result {
        @Override
        public void close() {}
    }
}
