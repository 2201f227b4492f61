package dev.chert.sqltest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the records of a file mean, shown against an engine with fixed answers.
class SltRunnerTest {
    private static final Map<String, Outcome> ANSWERS = Map.ofEntries(
            Map.entry("one", rows(kinds(ColumnKind.INTEGER), row(1L))),
            Map.entry("two", rows(kinds(ColumnKind.INTEGER), row(2L))),
            Map.entry("half", rows(kinds(ColumnKind.FLOATING), row(2.5))),
            Map.entry("third", rows(kinds(ColumnKind.FLOATING), row(1 / 3.0))),
            Map.entry("decimal", rows(kinds(ColumnKind.DECIMAL), row(new BigDecimal("1.50")))),
            Map.entry("null", rows(kinds(ColumnKind.TEXT), row((Object) null))),
            Map.entry("empty", rows(kinds(ColumnKind.TEXT), row(""))),
            Map.entry("umlaut", rows(kinds(ColumnKind.TEXT), row("fünf"))),
            Map.entry("words", rows(kinds(ColumnKind.TEXT, ColumnKind.INTEGER), row("a b", 1L), row("c", 2L))),
            Map.entry("pairs", rows(kinds(ColumnKind.INTEGER, ColumnKind.TEXT), row(2L, "b"), row(1L, "c"))),
            Map.entry("truth", rows(kinds(ColumnKind.BOOLEAN), row(true))),
            Map.entry("moment", rows(kinds(ColumnKind.TIMESTAMP), row(LocalDateTime.parse("2024-02-29T12:30:00")))),
            Map.entry("nothing", rows(kinds(ColumnKind.INTEGER))),
            Map.entry("three changed", new Outcome.Done(3)),
            Map.entry("done", new Outcome.Done(-1)),
            Map.entry("wrong", FixedAnswers.FAILED),
            Map.entry("broken", new Outcome.Crashed("java.lang.NullPointerException")));

    private final List<String> executed = new ArrayList<>();

    @TempDir
    Path folder;

    @Test
    void readsOneValueALineAndARowALine() throws IOException {
        assertPasses("a.slt", """
                query IT
                pairs
                ----
                2
                b
                1
                c

                query IT
                pairs
                ----
                2 b
                1 c

                query IT
                pairs
                ----
                2\tb
                1\tc
                """);
    }

    @Test
    void readsTextWithBlanksInARowALine() throws IOException {
        assertPasses("a.slt", """
                query TI
                words
                ----
                a b 1
                c 2
                """);
        assertFails("a.slt", """
                query TI
                words
                ----
                a c 1
                c 2
                """);
    }

    @Test
    void sortsRowsOrValuesWhereTheQueryLineSaysSo() throws IOException {
        assertFails("a.slt", """
                query IT
                pairs
                ----
                1 c
                2 b
                """);
        assertPasses("a.slt", """
                query IT rowsort
                pairs
                ----
                1 c
                2 b

                query IT valuesort
                pairs
                ----
                1
                2
                b
                c
                """);
    }

    @Test
    void comparesHashesOfSortedValues() throws IOException {
        assertPasses("a.test", """
                hash-threshold 3

                query IT rowsort
                pairs
                ----
                4 values hashing to 8bdd6e317fff641cde3503065b11635f
                """);
    }

    @Test
    void printsByLetterInFilesOfSqlite() throws IOException {
        assertPasses("a.test", """
                query I
                half
                ----
                2

                query R
                third
                ----
                0.333

                query T
                umlaut
                ----
                f@nf

                query T
                null
                ----
                NULL

                query T
                empty
                ----
                (empty)
                """);
    }

    @Test
    void checksTypeLettersInOurOwnFiles() throws IOException {
        assertFails("a.slt", "query I\nhalf\n----\n2.5\n");
        assertFails("a.slt", "query II\none\n----\n1\n");
        assertPasses("a.slt", "query R\nhalf\n----\n2.5\n\nquery ?\nhalf\n----\n2.5\n");
    }

    @Test
    void comparesDoublesWithinATolerance() throws IOException {
        assertPasses("a.slt", "query R\nthird\n----\n0.33333333333\n");
        assertFails("a.slt", "query R\nthird\n----\n0.3333\n");
        assertPasses("a.slt", "# from duckdb/test: rounded\n\nquery R\nthird\n----\n0.33333\n");
    }

    @Test
    void comparesTheScaleOfDecimalsInOurOwnFilesOnly() throws IOException {
        assertPasses("a.slt", "query R\ndecimal\n----\n1.50\n");
        assertFails("a.slt", "query R\ndecimal\n----\n1.5\n");
        assertPasses("a.slt", "# from duckdb/test\n\nquery R\ndecimal\n----\n1.5\n");
    }

    @Test
    void acceptsOtherSpellingsInOtherEnginesFiles() throws IOException {
        assertPasses("a.slt", "# from duckdb/test\n\nquery I\ntruth\n----\n1\n\nquery I\ntruth\n----\nTrue\n");
        assertPasses(
                "a.slt",
                "# Licensed to the Apache Software Foundation\n\nquery P\nmoment\n----\n2024-02-29T12:30:00\n");
        assertFails("a.slt", "query P\nmoment\n----\n2024-02-29T12:30:00\n");
    }

    @Test
    void matchesResultsAgainstExpressions() throws IOException {
        assertPasses("a.slt", "query T\numlaut\n----\n<REGEX>:f.*\n\nquery T\numlaut\n----\n<!REGEX>:g.*\n");
        assertFails("a.slt", "query T\numlaut\n----\n<REGEX>:g.*\n");
        assertFails("a.slt", "query T\numlaut\n----\n<!REGEX>:f.*\n");
    }

    @Test
    void comparesNothingWithNothing() throws IOException {
        assertPasses("a.slt", "query I\nnothing\n----\n\nquery I\nnothing\n----\n");
        assertFails("a.slt", "query I\none\n----\n");
        assertFails("a.slt", "query I\nnothing\n----\n1\n");
    }

    @Test
    void comparesMessagesOfErrors() throws IOException {
        assertPasses("a.slt", """
                statement error
                wrong

                statement error no column .*y
                wrong

                query error did you mean
                wrong

                statement error
                wrong
                ----
                no column x; did you

                statement error
                wrong
                ----
                <REGEX>:column \\d+: no
                """);
        assertFails("a.slt", "statement error no table\nwrong\n");
        assertFails("a.slt", "statement error\nwrong\n----\nno table\n");
        assertFails("a.slt", "statement error\ndone\n");
        assertFails("a.slt", "statement ok\nwrong\n");
        assertPasses("a.slt", "# from duckdb/test\n\nstatement error\nwrong\n----\nBinder Error\n");
    }

    @Test
    void neverTakesACrashForAnError() throws IOException {
        assertFails("a.slt", "statement error\nbroken\n");
        assertFails("a.slt", "statement maybe\nbroken\n");
        assertPasses("a.slt", "statement maybe\nwrong\n\nstatement maybe\ndone\n");
    }

    @Test
    void comparesCountsOfChangedRows() throws IOException {
        assertPasses("a.slt", "statement count 3\nthree changed\n\nquery I\nthree changed\n----\n3\n");
        assertFails("a.slt", "statement count 4\nthree changed\n");
    }

    @Test
    void comparesQueriesOfOneLabel() throws IOException {
        assertPasses("a.slt", "query I nosort same\none\n\nquery I nosort same\none\n");
        assertFails("a.slt", "query I nosort same\none\n\nquery I nosort same\ntwo\n");
    }

    @Test
    void runsRecordsForTheEnginesThatTheyAreFor() throws IOException {
        Recorded run = run("a.test", """
                onlyif mysql # aggregate syntax:
                statement ok
                wrong

                skipif mysql # not compatible
                skipif oracle
                statement ok
                done

                onlyif chert
                query I
                one
                ----
                1

                skipif chert
                halt

                statement ok
                done
                """);

        assertThat(run.failures()).isEmpty();
        assertThat(run.report().summary()).isEqualTo("3 passed, 0 failed, 1 skipped");
        assertThat(executed).containsExactly("done", "one", "done");
    }

    @Test
    void endsAtHaltAndAtWhatIsNotProvided() throws IOException {
        Recorded halted = run("a.slt", "statement ok\ndone\n\nhalt\n\nstatement ok\nwrong\n\nstatement ok\nwrong\n");
        assertThat(halted.report().summary()).isEqualTo("1 passed, 0 failed, 2 skipped");
        assertThat(halted.skips()).containsExactly("4: halt");

        Recorded required = run("a.slt", "require parquet\n\nrequire httpfs\n\nstatement ok\nwrong\n");
        assertThat(required.report().summary()).isEqualTo("0 passed, 0 failed, 1 skipped");
        assertThat(required.skips()).containsExactly("3: chert does not provide 'httpfs'");
    }

    @Test
    void repeatsLoopsWithTheirVariables() throws IOException {
        run("a.slt", """
                loop i 1 3

                foreach word one "two words"

                statement maybe
                ${word} ${i}

                onlyif i>1
                statement maybe
                late ${i}

                endloop

                endloop
                """);

        assertThat(executed).containsExactly("one 1", "two words 1", "one 2", "late 2", "two words 2", "late 2");
    }

    @Test
    void replacesVariablesThatWereSet() throws IOException {
        run("a.slt", "set variable size = 10\n\nstatement maybe\ntake ${size} {size}\n");
        assertThat(executed).containsExactly("take 10 {size}");

        executed.clear();
        run("a.slt", "statement maybe\nread ${FOLDER}/x.parquet\n");
        assertThat(executed).containsExactly("read %s/x.parquet".formatted(folder));
    }

    @Test
    void skipsBetweenModes() throws IOException {
        Recorded run = run("a.slt", "mode skip\n\nstatement ok\nwrong\n\nmode unskip\n\nstatement ok\ndone\n");
        assertThat(run.report().summary()).isEqualTo("1 passed, 0 failed, 1 skipped");
    }

    @Test
    void readsSqlAsFarAsItsDialectDoes() throws IOException {
        run(
                "a.slt",
                "# Licensed to the Apache Software Foundation\n\nstatement maybe\n\nSELECT\n  \n1\n\nstatement maybe\ntwo\n");
        assertThat(executed).containsExactly("\nSELECT\n  \n1", "two");
    }

    @Test
    void includesOtherFiles() throws IOException {
        Files.writeString(folder.resolve("b.slt.part"), "statement ok\ndone\n");
        Files.writeString(folder.resolve("c.slt.part"), "statement ok\nwrong\n");
        Recorded run = run("a.slt", "include ./*.slt.part\n");

        assertThat(executed).containsExactly("done", "wrong");
        assertThat(run.failures()).singleElement().asString().contains("c.slt.part:1");
    }

    @Test
    void saysWhatFailedAndWhere() throws IOException {
        Recorded run = run("a.slt", "# a comment\n\nquery IT\npairs\n----\n2 b\n1 d\n");
        assertThat(run.failures()).singleElement().asString().isEqualTo("""
                %s:3
                  pairs
                  expected
                    2 b
                    1 d
                  found
                    2\tb
                    1\tc""".formatted(folder.resolve("a.slt")));
    }

    @Test
    void namesTheLineThatIsNoRecord() {
        assertThatThrownBy(() -> run("a.slt", "statement ok\ndone\n\nstatment ok\ndone\n"))
                .isInstanceOf(SltFormatException.class)
                .hasMessage("unknown directive 'statment'")
                .extracting(e -> ((SltFormatException) e).line())
                .isEqualTo(4);
        assertThatThrownBy(() -> run("a.slt", "loop i 0 2\n\nstatement ok\ndone\n"))
                .hasMessage("loop without endloop");
        assertThatThrownBy(() -> run("a.slt", "statement ok\n\n")).hasMessage("a record without SQL");
    }

    // ---- the engine with fixed answers

    private void assertPasses(String name, String text) throws IOException {
        Recorded run = run(name, text);
        assertThat(run.failures()).isEmpty();
        assertThat(run.report().passed()).isPositive();
    }

    private void assertFails(String name, String text) throws IOException {
        assertThat(run(name, text).report().failed()).isEqualTo(1);
    }

    private Recorded run(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, text);
        return Recorded.run(() -> new FixedAnswers("chert", ANSWERS, executed), List.of(file));
    }

    private static List<ColumnKind> kinds(ColumnKind... kinds) {
        return List.of(kinds);
    }

    private static Object[] row(Object... values) {
        return values;
    }

    private static Outcome rows(List<ColumnKind> kinds, Object[]... rows) {
        return new Outcome.Rows(kinds, Stream.of(rows).map(Arrays::asList).toList());
    }
}
