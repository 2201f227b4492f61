package dev.chert.bench.tpch;

import java.nio.file.Path;

/// Where generated benchmark data lie: what the property `chert.bench.data` says, or the environment's
/// `CHERT_BENCH_DATA`, or `~/.cache/chert`.
final class DataCache {
    private DataCache() {}

    static Path directory() {
        String property = System.getProperty("chert.bench.data");
        if (property != null) {
            return Path.of(property);
        }
        String variable = System.getenv("CHERT_BENCH_DATA");
        if (variable != null) {
            return Path.of(variable);
        }
        return Path.of(System.getProperty("user.home"), ".cache", "chert");
    }
}
