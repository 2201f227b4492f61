package dev.chert.table;

import dev.chert.error.ValidationException;
import dev.chert.query.Setting;
import dev.chert.query.Settings;

/// The session's settings of an environment, which count for the statements that start after a change.
/// Thread-safe.
public final class TableConfig {
    private volatile Settings settings;

    TableConfig(Settings settings) {
        this.settings = settings;
    }

    Settings settings() {
        return settings;
    }

    /// Sets a value, as `SET` does.
    ///
    /// @return this
    /// @throws ValidationException where there is no such setting, the value is none that it can have, or the
    ///     setting is the engine's or the JVM's
    public synchronized TableConfig set(String key, String value) {
        demandSession(Settings.find(key));
        settings = settings.with(key, value);
        return this;
    }

    /// Gives a setting its default again, as `RESET` does.
    ///
    /// @return this
    public synchronized TableConfig reset(String key) {
        demandSession(Settings.find(key));
        settings = settings.without(key);
        return this;
    }

    private static void demandSession(Setting<?> setting) {
        switch (setting.scope()) {
            case SESSION -> {
                // any time
            }
            case ENGINE ->
                throw new ValidationException(
                        setting.key() + " is a setting of the engine, fixed when that is made: give it"
                                + " to EnvironmentSettings, or with --set on the command line");
            case JVM ->
                throw new ValidationException(
                        setting.key() + " is a setting of the JVM, fixed when the engine is first used:"
                                + " give it to the first EnvironmentSettings, or with --set on the command line");
        }
    }
}
