package dev.chert.bench.run;

import dev.chert.bench.engine.EngineName;
import dev.chert.bench.engine.EngineProcess;
import dev.chert.bench.engine.EngineSetup;
import dev.chert.bench.suite.Query;
import dev.chert.bench.suite.Suite;
import dev.chert.error.ValidationException;
import dev.chert.query.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The options of every suite's `run` command, and the run itself: start the engines, take turns, report.
public final class SuiteRun {
    @Option(
            names = "--engines",
            split = ",",
            defaultValue = "chert,duckdb",
            description = "Engines, the measured one first: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private List<EngineName> engines;

    @Option(names = "--threads", description = "Threads that each engine may compute with (default: all cores).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--warm-ups",
            defaultValue = "2",
            description = "Rounds that are not counted (default: ${DEFAULT-VALUE}).")
    private int warmUps;

    @Option(names = "--runs", defaultValue = "5", description = "Rounds that are counted (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Option(names = "--queries", split = ",", description = "Queries by name or number (default: all).")
    private List<String> queries = List.of();

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "A setting of Chert.")
    private Map<String, String> settings = Map.of();

    @Option(
            names = "--memory-limit",
            paramLabel = "SIZE",
            description = "Runs Chert once more, as limited: under this memory.limit and with a heap of 256 MB."
                    + " Fails where a query takes more than 4 times as long as without, or the JVM's peak is"
                    + " more than 500 MiB above the limit.")
    private String memoryLimit;

    @Option(
            names = "--jvm-option",
            paramLabel = "OPTION",
            description = "An option of every engine's JVM, as in --jvm-option=-Xmx4g.")
    private List<String> jvmOptions = List.of();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /// Runs the suite and prints its table.
    /// @return the exit status: 1 where results differ
    /// @throws IOException if an engine does not start or dies
    public int run(Suite suite) throws IOException {
        require(threads >= 1, "--threads", threads);
        require(warmUps >= 1, "--warm-ups", warmUps);
        require(runs >= 1, "--runs", runs);
        List<Query> wanted = wanted(suite);
        PrintStream out = System.out;
        List<EngineProcess> processes = new ArrayList<>();
        LimitCheck limit = memoryLimit == null ? null : limitCheck();
        try {
            out.printf(
                    "%s, %s, %d threads, medians of %d runs after %d; %d cores, %s %s, Java %s%n",
                    suite.name(),
                    suite.dataDescription(),
                    threads,
                    runs,
                    warmUps,
                    Runtime.getRuntime().availableProcessors(),
                    System.getProperty("os.name"),
                    System.getProperty("os.arch"),
                    Runtime.version());
            if (limit != null) {
                EngineSetup setup = setup(EngineName.CHERT, suite);
                setup.settings().put("memory.limit", memoryLimit);
                List<String> options = new ArrayList<>(jvmOptions);
                options.add(LimitCheck.HEAP_OPTION);
                processes.add(EngineProcess.start(EngineName.CHERT, LimitCheck.LABEL, setup, options));
            }
            for (EngineName name : new LinkedHashSet<>(engines)) {
                processes.add(EngineProcess.start(name, name.toString(), setup(name, suite), jvmOptions));
            }
            for (EngineProcess process : processes) {
                out.printf("%s: %s%n", process.label(), process.description());
            }
            return report(suite, wanted, processes, limit, out) ? 0 : 1;
        } finally {
            for (EngineProcess process : processes) {
                process.close();
            }
        }
    }

    /// @param limit what to check of a limited run, or null
    private boolean report(
            Suite suite, List<Query> wanted, List<EngineProcess> processes, LimitCheck limit, PrintStream out)
            throws IOException {
        List<String> labels = processes.stream().map(EngineProcess::label).toList();
        Report report = new Report(out, suite.name(), labels);
        report.header();
        SideBySide sideBySide = new SideBySide(suite, processes, warmUps, runs);
        for (Query query : wanted) {
            SideBySide.Outcome outcome = sideBySide.run(query);
            report.add(outcome);
            if (limit != null) {
                limit.add(outcome);
            }
        }
        boolean agreed = report.close();
        return limit == null ? agreed : limit.close(processes.getFirst().peakResidentBytes(), out) && agreed;
    }

    private LimitCheck limitCheck() {
        if (!engines.contains(EngineName.CHERT)) {
            throw new ParameterException(
                    command.commandLine(), "--memory-limit compares Chert with itself: --engines must have chert");
        }
        try {
            Settings settings = Settings.defaults().with(Settings.MEMORY_LIMIT.key(), memoryLimit);
            int unlimited = 1 + new ArrayList<>(new LinkedHashSet<>(engines)).indexOf(EngineName.CHERT);
            return new LimitCheck(settings.get(Settings.MEMORY_LIMIT).orElseThrow(), unlimited);
        } catch (ValidationException e) {
            throw new ParameterException(command.commandLine(), "--memory-limit: " + e.getMessage(), e);
        }
    }

    private EngineSetup setup(EngineName name, Suite suite) {
        LinkedHashMap<String, String> tables = new LinkedHashMap<>();
        suite.tables().forEach((table, file) -> tables.put(table, absolute(file)));
        LinkedHashMap<String, String> ownSettings = new LinkedHashMap<>();
        if (name.takesSettings()) {
            ownSettings.putAll(settings);
        }
        return new EngineSetup(threads, ownSettings, tables);
    }

    private static String absolute(Path file) {
        return file.toAbsolutePath().normalize().toString();
    }

    /// Returns the queries asked for, in the suite's order; `1`, `01` and `q01` are the same.
    private List<Query> wanted(Suite suite) {
        if (queries.isEmpty()) {
            return suite.queries();
        }
        Set<String> unknown = new LinkedHashSet<>(queries);
        List<Query> wanted = new ArrayList<>();
        for (Query query : suite.queries()) {
            List<String> spellings = List.of(
                    query.name(),
                    query.name().replaceFirst("^q0*", ""),
                    query.name().substring(1));
            if (spellings.stream().anyMatch(queries::contains)) {
                wanted.add(query);
                spellings.forEach(unknown::remove);
            }
        }
        if (!unknown.isEmpty()) {
            throw new ParameterException(
                    command.commandLine(),
                    "--queries: %s has no query %s; it has %s to %s"
                            .formatted(
                                    suite.name(),
                                    String.join(", ", unknown),
                                    suite.queries().getFirst().name(),
                                    suite.queries().getLast().name()));
        }
        return wanted;
    }

    private void require(boolean enough, String option, int value) {
        if (!enough) {
            throw new ParameterException(command.commandLine(), option + " is " + value + ", expected at least 1");
        }
    }
}
