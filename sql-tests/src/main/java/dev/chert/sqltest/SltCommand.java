package dev.chert.sqltest;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `chert-slt`: runs files and folders of SQL logic tests and counts.
///
/// Exit status: 0 where nothing failed, 1 where something did, 2 for wrong usage.
@Command(
        name = "chert-slt",
        description = "Runs SQL logic tests.",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = SltCommand.Version.class)
public final class SltCommand implements Callable<Integer> {
    /// Makes the engine that the files run against.
    @FunctionalInterface
    public interface EngineFactory {
        /// Prepares engines of some settings.
        /// @param label    what `skipif` and `onlyif` shall know them by
        /// @param settings checked here
        /// @return         makes a fresh engine a file
        /// @throws IllegalArgumentException for a setting that does not exist, with a message for the user
        Supplier<Engine> engines(String label, Map<String, String> settings);
    }

    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = SltCommand.class.getPackage().getImplementationVersion();
            return new String[] {"chert-slt " + (version == null ? "(not packaged)" : version)};
        }
    }

    private static final List<String> ENDINGS = List.of(".slt", ".test", ".test_slow");

    private final EngineFactory factory;

    @Spec
    private CommandSpec command;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Sets an engine setting; may be given several times.")
    private final Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            description = "The name that skipif and onlyif know the engine by (default: ${DEFAULT-VALUE}).",
            defaultValue = "chert")
    private String label;

    @Option(
            names = "--failures",
            paramLabel = "N",
            description = "How many failures a file are printed; all are counted (default: ${DEFAULT-VALUE}).",
            defaultValue = "10")
    private int printedFailures;

    @Option(names = "--quiet", description = "Prints the closing line only.")
    private boolean quiet;

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE|DIR",
            description = "Test files, or folders that hold some (.slt, .test, .test_slow).")
    private List<Path> paths;

    /// Makes the command.
    public SltCommand(EngineFactory factory) {
        this.factory = factory;
    }

    /// Runs the command line of a program.
    /// @return the exit status
    public static int run(EngineFactory factory, PrintWriter out, PrintWriter err, String... arguments) {
        return new CommandLine(new SltCommand(factory))
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((e, _) -> {
                    err.println("chert-slt: %s (chert-slt --help shows the usage)".formatted(e.getMessage()));
                    err.flush();
                    return CommandLine.ExitCode.USAGE;
                })
                .execute(arguments);
    }

    @Override
    public Integer call() {
        Supplier<Engine> engines = engines();
        List<Path> files = files();
        PrintWriter out = command.commandLine().getOut();
        Printer printer = new Printer(out);
        SltReport report = new SltReport(printer);
        SltRunner runner = new SltRunner(engines, report);
        for (Path file : files) {
            long failedBefore = report.failed();
            printer.startFile();
            try {
                runner.run(file);
            } catch (SltFormatException e) {
                report.fail(new SltReport.Failure(file, e.line(), "", "a record of a test file", e.getMessage()));
            } catch (IOException e) {
                report.fail(new SltReport.Failure(file, 0, "", "a file that can be read", e.toString()));
            }
            printer.endFile(report.failed() - failedBefore);
        }
        out.println(report.summary());
        out.flush();
        return report.failed() == 0 ? CommandLine.ExitCode.OK : 1;
    }

    private Supplier<Engine> engines() {
        try {
            return factory.engines(label, settings);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private List<Path> files() {
        List<Path> files = new ArrayList<>();
        for (Path path : paths) {
            if (!Files.exists(path)) {
                throw new ParameterException(command.commandLine(), "%s: no such file or folder".formatted(path));
            }
            try (Stream<Path> found = Files.walk(path)) {
                found.filter(Files::isRegularFile)
                        .filter(file -> file.equals(path) || ENDINGS.stream().anyMatch(file.toString()::endsWith))
                        .sorted()
                        .forEach(files::add);
            } catch (IOException e) {
                throw new ParameterException(command.commandLine(), "%s: %s".formatted(path, e.getMessage()), e);
            }
        }
        return files;
    }

    /// Prints failures up to a number a file.
    private final class Printer implements SltReport.Listener {
        private final PrintWriter out;
        private int printed;

        Printer(PrintWriter out) {
            this.out = out;
        }

        void startFile() {
            printed = 0;
        }

        void endFile(long failures) {
            if (failures > printed && !quiet) {
                out.println("  and %d more failures in this file".formatted(failures - printed));
            }
        }

        @Override
        public void failed(SltReport.Failure failure) {
            if (!quiet && printed < printedFailures) {
                printed++;
                out.println(failure);
            }
        }

        @Override
        public void skipped(Path file, int line, String reason) {
            if (!quiet) {
                out.println("%s:%d: skipped from here on: %s".formatted(file, line, reason));
            }
        }
    }
}
