package dev.chert.bench.engine;

import java.util.List;
import java.util.Locale;

/// The engines that can take part in a side-by-side run.
public enum EngineName {
    CHERT,
    DUCKDB;

    Engine open(EngineSetup setup) throws Exception {
        return switch (this) {
            case CHERT -> new ChertEngine(setup);
            case DUCKDB -> new DuckDbEngine(setup);
        };
    }

    /// Returns the options that the engine's JVM needs to work without warnings.
    List<String> jvmOptions() {
        return switch (this) {
            case CHERT -> List.of(); // no flag is needed; native codecs run where --jvm-option grants native access
            case DUCKDB -> List.of("--enable-native-access=ALL-UNNAMED");
        };
    }

    /// Returns whether `--set` is meant for this engine.
    public boolean takesSettings() {
        return switch (this) {
            case CHERT -> true;
            case DUCKDB -> false;
        };
    }

    /// Returns the name as the command line and the reports spell it.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
