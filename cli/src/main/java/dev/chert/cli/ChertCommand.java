package dev.chert.cli;

import dev.chert.error.ChertException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `chert`: runs statements and prints their rows.
///
/// Exit status: 0, 1 where a statement failed, 2 for wrong usage, 130 where the run was interrupted.
@Command(
        name = "chert",
        description = "Runs SQL over files and prints the rows.",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = ChertCommand.Version.class,
        footer = {
            "",
            "Examples:",
            "  chert -c \"SELECT count(*) FROM 'orders.parquet'\"",
            "  chert --format csv -f report.sql > report.csv",
            "  echo 'SELECT 1' | chert --format json"
        })
final class ChertCommand implements Callable<Integer> {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int WRONG_USAGE = 2;
    static final int INTERRUPTED = 130;

    /// What surrounds the command: streams, and how it gets an engine.
    /// @param in           read where neither `-c` nor `-f` is given
    /// @param terminal     whether `in` is someone typing
    /// @param out          for rows
    /// @param err          for all else
    /// @param watched      whether `err` is a terminal that shows progress
    /// @param interruption ends the run early
    record Surroundings(
            InputStream in,
            boolean terminal,
            Writer out,
            PrintStream err,
            boolean watched,
            Engine engine,
            Interruption interruption) {}

    /// Gives the command its engine.
    interface Engine {
        /// Opens a session.
        /// @throws ChertException for a setting that does not exist or a value that it cannot have
        StatementRunner open(Map<String, String> settings);

        /// Cuts a text into statements.
        Script script(String text);
    }

    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = ChertCommand.class.getPackage().getImplementationVersion();
            return new String[] {"chert " + (version == null ? "(not packaged)" : version)};
        }
    }

    private final Surroundings surroundings;

    @Spec
    private CommandSpec command;

    @Option(
            names = {"-c", "--command"},
            paramLabel = "SQL",
            description = "Runs these statements, separated by semicolons; may be given several times.")
    private List<String> statements;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Runs the statements of a file; - is standard input, which is also read without -c and -f.")
    private Path file;

    @Option(
            names = "--format",
            paramLabel = "table|csv|json",
            description = "How rows are printed (default: ${DEFAULT-VALUE}).",
            defaultValue = "table")
    private RowPrinter.Format format;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Sets an engine or session setting; may be given several times.")
    private final Map<String, String> settings = new LinkedHashMap<>();

    @Option(names = "--timing", description = "Prints the time of each statement to standard error.")
    private boolean timing;

    @Option(
            names = "--no-progress",
            description =
                    "Shows no progress bar; else there is one after a second, where standard error is a terminal.")
    private boolean noProgress;

    @Option(names = "--simd", description = "Lets the engine use the Vector API: faster loops, a slower start.")
    private boolean simd;

    @Option(names = "--debug", description = "Prints the stack traces of errors.")
    private boolean debug;

    private ChertCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /// Runs a command line.
    /// @return the exit status
    static int run(Surroundings surroundings, String... arguments) {
        CommandLine line = new CommandLine(new ChertCommand(surroundings))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((e, _) -> {
                    surroundings.err().println(ErrorText.line(e.getMessage() + " (chert --help shows the usage)"));
                    return WRONG_USAGE;
                })
                .setExecutionExceptionHandler((e, _, _) -> {
                    surroundings
                            .err()
                            .println(e instanceof ChertException ? ErrorText.line(e.getMessage()) : ErrorText.ofBug(e));
                    return FAILED;
                });
        return line.execute(arguments);
    }

    @Override
    public Integer call() {
        if (simd && ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()) {
            throw usage(
                    "--simd needs a JVM that was started with --add-modules jdk.incubator.vector, as bin/chert does");
        }
        Script script = surroundings.engine().script(text());
        try (StatementRunner runner = open()) {
            RowPrinter printer = format.printer(surroundings.out());
            int status = OK;
            for (Iterator<Script.Statement> i = script.statements().iterator(); i.hasNext() && status == OK; ) {
                status = run(runner, printer, script, i.next());
                if (surroundings.interruption().isRequested()) {
                    surroundings.err().println(ErrorText.INTERRUPTED);
                    return INTERRUPTED;
                }
            }
            return status;
        } catch (IOException e) {
            if (isClosedByReader(e)) {
                return OK; // nobody wants the rest
            }
            surroundings.err().println(ErrorText.line("standard output: " + e.getMessage()));
            return FAILED;
        }
    }

    private int run(StatementRunner runner, RowPrinter printer, Script script, Script.Statement statement)
            throws IOException {
        long start = System.nanoTime();
        try {
            long rows = print(runner, printer, statement.text());
            if (timing) {
                time(System.nanoTime() - start, rows);
            }
            return OK;
        } catch (ChertException e) {
            complain(ErrorText.of(e, script, statement), e);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError | AssertionError e) {
            complain(ErrorText.ofBug(e), e);
        }
        return FAILED;
    }

    /// Prints what went wrong, unless it is the interruption that made it so.
    private void complain(String message, Throwable error) {
        if (!surroundings.interruption().isRequested()) {
            surroundings.err().println(message);
        }
        trace(error);
    }

    /// Prints the rows of a statement.
    /// @return how many, or -1 where it gives none
    private long print(StatementRunner runner, RowPrinter printer, String statement) throws IOException {
        try (ProgressDisplay progress = progress(runner);
                StatementRunner.Result result = runner.run(statement)) {
            if (result.columns().isEmpty()) {
                return -1;
            }
            Iterator<Object[]> rows = result.rows();
            boolean any = rows.hasNext(); // a query that fails before its first row prints no header
            progress.end();
            long count = 0;
            try {
                printer.begin(result.columns());
                while (any && !surroundings.interruption().isRequested()) {
                    printer.row(rows.next());
                    count++;
                    any = rows.hasNext();
                }
            } finally {
                printer.end(); // the rows before a failure are printed too
            }
            return count;
        }
    }

    private ProgressDisplay progress(StatementRunner runner) {
        return surroundings.watched() && !noProgress
                ? ProgressDisplay.start(
                        surroundings.err(), runner::progress, ProgressDisplay.DELAY, ProgressDisplay.INTERVAL)
                : ProgressDisplay.NONE;
    }

    private void time(long nanos, long rows) {
        String seconds = String.format(Locale.ROOT, "%.3f s", nanos / 1e9);
        surroundings
                .err()
                .println(rows < 0 ? seconds : "%s, %d %s".formatted(seconds, rows, rows == 1 ? "row" : "rows"));
    }

    private void trace(Throwable error) {
        if (debug) {
            error.printStackTrace(surroundings.err());
        }
    }

    private StatementRunner open() {
        try {
            return surroundings.engine().open(settings);
        } catch (ChertException e) {
            throw usage(e.getMessage());
        }
    }

    private String text() {
        if (statements != null && file != null) {
            throw usage("-c and -f exclude each other");
        }
        if (statements != null) {
            return String.join(";\n", statements);
        }
        boolean fromInput = file == null || file.toString().equals("-");
        if (file == null && surroundings.terminal()) {
            throw usage("no statement: give one with -c, a file with -f, or a script on standard input");
        }
        try {
            return fromInput
                    ? new String(surroundings.in().readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(file);
        } catch (NoSuchFileException _) {
            throw usage("%s: no such file".formatted(file));
        } catch (CharacterCodingException _) {
            throw usage("%s: not a text in UTF-8".formatted(file));
        } catch (IOException e) {
            throw usage("%s: %s".formatted(fromInput ? "standard input" : file, e.getMessage()));
        }
    }

    private ParameterException usage(String message) {
        return new ParameterException(command.commandLine(), message);
    }

    private static boolean isClosedByReader(IOException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("Broken pipe") || message.contains("EPIPE") || message.contains("Stream closed");
    }
}
