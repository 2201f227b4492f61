package dev.chert.table;

import dev.chert.query.Settings;

/// What an environment is made with: settings of every scope, and whether it shares the JVM's engine.
///
/// Environments share one engine, which the first of them that runs something makes with its settings. One that
/// asks for other settings of the engine's scope gets an engine of its own, which closes with it; one that asks
/// for none takes the shared engine as it is.
public final class EnvironmentSettings {
    private final Settings settings;
    private final boolean ownEngine;

    private EnvironmentSettings(Settings settings, boolean ownEngine) {
        this.settings = settings;
        this.ownEngine = ownEngine;
    }

    /// Every setting at its default.
    public static EnvironmentSettings defaults() {
        return newInstance().build();
    }

    /// Starts a builder.
    public static Builder newInstance() {
        return new Builder();
    }

    Settings settings() {
        return settings;
    }

    boolean ownEngine() {
        return ownEngine;
    }

    /// Collects settings. Not thread-safe.
    public static final class Builder {
        private Settings settings = Settings.defaults();
        private boolean ownEngine;

        private Builder() {}

        /// Sets a value of any scope, as `SET` and `--set` spell it.
        ///
        /// @throws dev.chert.error.ValidationException where there is no such setting, with the nearest right
        ///     name, or the value is none that it can have
        public Builder set(String key, String value) {
            settings = settings.with(key, value);
            return this;
        }

        /// Asks for an engine of the environment's own, whatever the settings are.
        public Builder ownEngine() {
            ownEngine = true;
            return this;
        }

        /// Ends building.
        public EnvironmentSettings build() {
            return new EnvironmentSettings(settings, ownEngine);
        }
    }
}
