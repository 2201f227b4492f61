package dev.chert.sqltest;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Runs test files, each against an engine of its own.
public final class SltRunner {
    /// The variable that holds the folder of the file, for data beside it.
    private static final String FOLDER = "FOLDER";

    private final Supplier<Engine> engines;
    private final SltReport report;

    /// Makes a runner.
    /// @param engines makes a fresh engine; asked once a file
    /// @param report  counts
    public SltRunner(Supplier<Engine> engines, SltReport report) {
        this.engines = engines;
        this.report = report;
    }

    /// Runs one file.
    /// @throws IOException        if it cannot be read
    /// @throws SltFormatException if it is no test file
    public void run(Path file) throws IOException {
        List<String> lines = lines(file);
        Dialect dialect = Dialect.of(file, lines);
        List<SltRecord> records = SltParser.parse(dialect, lines);
        try (Engine engine = engines.get();
                Run run = new Run(engine, dialect)) {
            run.variables.put(FOLDER, file.toAbsolutePath().getParent().toString());
            run.run(file, records);
        }
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (CharacterCodingException _) {
            return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        }
    }

    /// Counts the statements and queries among records and inside of loops.
    private static long count(List<SltRecord> records) {
        long count = 0;
        for (SltRecord each : records) {
            count += switch (each) {
                case SltRecord.Statement _, SltRecord.Query _ -> 1;
                case SltRecord.Loop loop -> count(loop.body());
                default -> 0;
            };
        }
        return count;
    }

    /// The state of one file's run.
    private final class Run implements AutoCloseable {
        private final Engine engine;
        private final Dialect dialect;
        private final ResultCheck check;
        private final Map<String, Session> sessions = new HashMap<>();
        private final Map<String, String> variables = new HashMap<>();
        private final Map<String, String> labels = new HashMap<>();
        private String connection = "";
        private SortMode defaultSort;
        private boolean skipping;
        private boolean ended;

        Run(Engine engine, Dialect dialect) {
            this.engine = engine;
            this.dialect = dialect;
            this.check = new ResultCheck(dialect, dialect == Dialect.CHERT && dialect.isHomeOf(engine.label()));
        }

        @Override
        public void close() {
            sessions.values().forEach(Session::close);
        }

        /// Runs records up to the end of the file or whatever ends it before.
        void run(Path file, List<SltRecord> records) throws IOException {
            for (int i = 0; i < records.size(); i++) {
                SltRecord each = records.get(i);
                if (ended) {
                    report.skip(count(records.subList(i, records.size())));
                    return;
                }
                boolean admitted = each.conditions().stream().allMatch(c -> c.admits(engine.label(), variables));
                if (!admitted || skipping && !(each instanceof SltRecord.SkipMode)) {
                    report.skip(count(List.of(each)));
                } else {
                    run(file, each, records.subList(i + 1, records.size()));
                }
            }
        }

        private void run(Path file, SltRecord each, List<SltRecord> rest) throws IOException {
            switch (each) {
                case SltRecord.Statement statement -> statement(file, statement);
                case SltRecord.Query query -> query(file, query);
                case SltRecord.Loop loop -> {
                    for (String value : loop.values()) {
                        variables.put(loop.variable(), replaced(value));
                        run(file, loop.body());
                    }
                    variables.remove(loop.variable());
                }
                case SltRecord.Halt halt -> end(file, halt, "halt", rest);
                case SltRecord.Require require -> {
                    if (!engine.provides(require.requirement())) {
                        end(
                                file,
                                require,
                                "%s does not provide '%s'".formatted(engine.label(), require.requirement()),
                                rest);
                    }
                }
                case SltRecord.Unsupported unsupported ->
                    end(file, unsupported, "the runner does not know '%s'".formatted(unsupported.directive()), rest);
                case SltRecord.SkipMode mode -> skipping = mode.skipping();
                case SltRecord.SetVariable set -> variables.put(set.variable(), replaced(set.value()));
                case SltRecord.ResetLabel reset -> labels.remove(reset.label());
                case SltRecord.DefaultSort sort -> defaultSort = sort.sort();
                case SltRecord.UseConnection use -> connection = use.connection();
                case SltRecord.Include include -> include(file, include);
            }
        }

        private void end(Path file, SltRecord at, String reason, List<SltRecord> rest) {
            ended = true;
            long count = count(rest);
            if (count > 0) {
                report.skip(file, at.line(), reason, 0);
            }
        }

        private void include(Path file, SltRecord.Include include) throws IOException {
            Path folder = file.toAbsolutePath().getParent();
            List<Path> files = List.of();
            while (files.isEmpty() && folder != null) { // DuckDB writes paths from the root of its repository
                files = matching(folder.resolve(include.pattern()).normalize());
                folder = folder.getParent();
            }
            if (files.isEmpty()) {
                throw new SltFormatException(include.line(), "include '%s': no such file".formatted(include.pattern()));
            }
            for (Path included : files) {
                run(included, SltParser.parse(dialect, lines(included)));
            }
        }

        private static List<Path> matching(Path pattern) throws IOException {
            List<Path> files = new ArrayList<>();
            if (Files.isDirectory(pattern.getParent())) {
                try (DirectoryStream<Path> matches = Files.newDirectoryStream(
                        pattern.getParent(), pattern.getFileName().toString())) {
                    matches.forEach(files::add);
                }
            }
            Collections.sort(files);
            return files;
        }

        private void statement(Path file, SltRecord.Statement statement) {
            String sql = replaced(statement.sql());
            Outcome outcome = session(statement.connection()).execute(sql);
            String expected = unmet(statement.expected(), outcome);
            if (expected == null) {
                report.pass();
            } else {
                report.fail(new SltReport.Failure(file, statement.line(), sql, expected, describe(outcome)));
            }
        }

        /// Returns what was expected where the outcome is something else, or null.
        private String unmet(ExpectedOutcome expected, Outcome outcome) {
            if (outcome instanceof Outcome.Crashed) {
                return "success or a message for the user";
            }
            return switch (expected) {
                case ExpectedOutcome.Anything _ -> null;
                case ExpectedOutcome.Success _ -> outcome instanceof Outcome.Failed ? "success" : null;
                case ExpectedOutcome.RowCount count ->
                    outcome.equals(new Outcome.Done(count.rows())) ? null : count.rows() + " changed rows";
                case ExpectedOutcome.Failure failure -> {
                    if (!(outcome instanceof Outcome.Failed failed)) {
                        yield "an error";
                    }
                    boolean compared = failure.message() != null && dialect.isHomeOf(engine.label());
                    yield !compared || failure.message().matches(failed.message())
                            ? null
                            : "an error with the message\n" + failure.message().text();
                }
            };
        }

        private void query(Path file, SltRecord.Query query) {
            String sql = replaced(query.sql());
            List<String> expected = query.expected() == null
                    ? null
                    : query.expected().stream().map(this::replaced).toList();
            if (expected != null && expected.size() == 1 && expected.getFirst().startsWith("<FILE>:")) {
                report.skip(file, query.line(), "the expected rows are in a file", 1);
                return;
            }
            Outcome outcome = session(query.connection()).execute(sql);
            ResultCheck.Mismatch mismatch = switch (outcome) {
                case Outcome.Rows rows -> mismatch(query, sql, expected, rows);
                case Outcome.Done done
                when done.rowCount() >= 0 ->
                    mismatch(
                            query,
                            sql,
                            expected,
                            new Outcome.Rows(List.of(ColumnKind.INTEGER), List.of(List.of(done.rowCount()))));
                case Outcome.Done _, Outcome.Failed _, Outcome.Crashed _ ->
                    new ResultCheck.Mismatch(
                            expected == null ? "rows" : String.join("\n", expected), describe(outcome));
            };
            if (mismatch == null) {
                report.pass();
            } else {
                report.fail(new SltReport.Failure(file, query.line(), sql, mismatch.expected(), mismatch.found()));
            }
        }

        private ResultCheck.Mismatch mismatch(
                SltRecord.Query query, String sql, List<String> expected, Outcome.Rows rows) {
            SortMode sort = sort(query, sql);
            String label = query.label() == null ? null : replaced(query.label());
            if (label != null) {
                String hash = check.hash(query.types(), sort, rows);
                String earlier = labels.putIfAbsent(label, hash);
                if (earlier != null && !earlier.equals(hash)) {
                    return new ResultCheck.Mismatch(
                            "the rows of the query of label %s before".formatted(label), "other rows");
                }
                if (dialect == Dialect.DUCKDB && expected != null && expected.isEmpty()) {
                    return null; // the label is all there is to compare
                }
            }
            return expected == null ? null : check.compare(query, expected, sort, rows);
        }

        private SortMode sort(SltRecord.Query query, String sql) {
            SortMode sort = query.sort() != null ? query.sort() : defaultSort != null ? defaultSort : SortMode.NONE;
            boolean byInsertion = dialect == Dialect.DUCKDB && !dialect.isHomeOf(engine.label());
            return sort == SortMode.NONE && byInsertion && !SqlText.ordersItsRows(sql) ? SortMode.ROWS : sort;
        }

        private Session session(String name) {
            return sessions.computeIfAbsent(name == null ? connection : name, _ -> engine.connect());
        }

        private String replaced(String text) {
            String result = text;
            if (text.indexOf('{') >= 0) {
                for (Map.Entry<String, String> variable : variables.entrySet()) {
                    result = result.replace("${" + variable.getKey() + "}", variable.getValue());
                    if (dialect.hasBareVariables()) {
                        result = result.replace("{" + variable.getKey() + "}", variable.getValue());
                    }
                }
            }
            return result;
        }

        private static String describe(Outcome outcome) {
            return switch (outcome) {
                case Outcome.Rows rows -> "%d rows".formatted(rows.rows().size());
                case Outcome.Done done -> done.rowCount() < 0 ? "success" : done.rowCount() + " changed rows";
                case Outcome.Failed failed -> "error: " + failed.message();
                case Outcome.Crashed crashed -> "internal error: " + crashed.message();
            };
        }
    }
}
