package dev.chert.bench;

import dev.chert.bench.stress.StressCommand;
import dev.chert.bench.tpch.TpchCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The command `chert-bench`.
@Command(
        name = "chert-bench",
        description = "Benchmarks: suites of queries side by side with other engines, stress, and JMH.",
        mixinStandardHelpOptions = true,
        subcommands = {TpchCommand.class, StressCommand.class, JmhCommand.class})
public final class ChertBench {
    private ChertBench() {}

    public static void main(String[] arguments) {
        CommandLine command = new CommandLine(new ChertBench()).setCaseInsensitiveEnumValuesAllowed(true);
        command.setExecutionExceptionHandler((exception, line, _) -> {
            line.getErr().println("chert-bench: " + exception.getMessage());
            return 1;
        });
        System.exit(command.execute(arguments));
    }
}
