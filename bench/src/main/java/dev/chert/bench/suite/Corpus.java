package dev.chert.bench.suite;

import java.nio.file.Path;

/// Where the public test corpus lies: what the property `chert.corpus` says, or the environment's `CHERT_CORPUS`,
/// or `../shared/corpus` seen from the project's root.
public final class Corpus {
    private Corpus() {}

    public static Path directory() {
        String property = System.getProperty("chert.corpus");
        if (property != null) {
            return Path.of(property);
        }
        String variable = System.getenv("CHERT_CORPUS");
        return Path.of(variable != null ? variable : "../shared/corpus");
    }
}
