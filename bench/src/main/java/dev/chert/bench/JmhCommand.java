package dev.chert.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Hands over to JMH, whose options work as they are.
@Command(
        name = "jmh",
        description = "Runs the JMH benchmarks whose names match; all of them without a pattern.",
        mixinStandardHelpOptions = true)
final class JmhCommand implements Callable<Integer> {
    @Parameters(paramLabel = "PATTERN|OPTION", description = "Patterns and, after --, options of JMH.", arity = "0..*")
    private final List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        org.openjdk.jmh.Main.main(arguments.toArray(String[]::new));
        return 0;
    }
}
