package dev.chert.sqltest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// A run of files with all that it reported.
/// @param failures as printed
/// @param skips    `line: reason`
record Recorded(SltReport report, List<String> failures, List<String> skips) {
    static Recorded run(Supplier<Engine> engines, List<Path> files) throws IOException {
        List<String> failures = new ArrayList<>();
        List<String> skips = new ArrayList<>();
        SltReport report = new SltReport(new SltReport.Listener() {
            @Override
            public void failed(SltReport.Failure failure) {
                failures.add(failure.toString());
            }

            @Override
            public void skipped(Path file, int line, String reason) {
                skips.add(line + ": " + reason);
            }
        });
        SltRunner runner = new SltRunner(engines, report);
        for (Path file : files) {
            runner.run(file);
        }
        return new Recorded(report, failures, skips);
    }
}
