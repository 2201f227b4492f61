package dev.chert.sqltest;

/// `chert-slt` with DuckDB in Chert's place, to tell whether a failure is the engine's or the file's.
final class DuckDbSlt {
    private DuckDbSlt() {}

    public static void main(String[] arguments) {
        System.exit(SltCommand.run((_, _) -> DuckDbEngine::new, arguments));
    }
}
