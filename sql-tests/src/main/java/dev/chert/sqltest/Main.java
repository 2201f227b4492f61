package dev.chert.sqltest;

import dev.chert.error.ChertException;
import dev.chert.table.EnvironmentSettings;
import java.io.PrintWriter;
import java.util.Map;

/// Starts [SltCommand] on Chert.
public final class Main {
    private Main() {}

    /// Runs the command line and ends the process.
    public static void main(String[] arguments) {
        System.exit(SltCommand.run(
                (label, settings) -> {
                    EnvironmentSettings checked = settings(settings);
                    return () -> new ChertEngine(label, checked);
                },
                new PrintWriter(System.out, true),
                new PrintWriter(System.err, true),
                arguments));
    }

    private static EnvironmentSettings settings(Map<String, String> settings) {
        try {
            return ChertEngine.settings(settings);
        } catch (ChertException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
