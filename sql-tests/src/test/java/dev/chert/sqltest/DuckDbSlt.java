package dev.chert.sqltest;

import java.io.PrintWriter;

/// `chert-slt` with DuckDB in Chert's place, to tell whether a failure is the engine's or the file's. `--set
/// nulls=high` sorts NULLs as our own files expect it.
final class DuckDbSlt {
    private DuckDbSlt() {}

    public static void main(String[] arguments) {
        System.exit(SltCommand.run(
                (_, settings) -> settings.isEmpty() ? DuckDbEngine::new : DuckDbEngine::withNullsHigh,
                new PrintWriter(System.out, true),
                new PrintWriter(System.err, true),
                arguments));
    }
}
