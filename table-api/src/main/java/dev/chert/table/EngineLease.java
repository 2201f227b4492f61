package dev.chert.table;

import dev.chert.error.ValidationException;
import dev.chert.pipeline.Engine;
import dev.chert.query.Setting;
import dev.chert.query.Setting.Scope;
import dev.chert.query.Settings;
import java.util.Objects;

/// An environment's hold on an engine, made on first use: the JVM's shared one, or one of its own. Thread-safe.
///
/// The shared engine lives as long as the JVM: its threads do not keep it from ending.
final class EngineLease implements AutoCloseable {
    static final String CLOSED = "the environment is closed; make another one";

    private static final Object LOCK = new Object();
    private static Engine shared;
    private static Settings sharedSettings;

    private final EnvironmentSettings wanted;
    private Engine engine;
    private boolean owned;
    private boolean closed;

    EngineLease(EnvironmentSettings wanted) {
        this.wanted = wanted;
    }

    /// @throws ValidationException after [#close()]
    synchronized Engine engine() {
        if (closed) {
            throw new ValidationException(CLOSED);
        }
        if (engine == null) {
            engine = wanted.ownEngine() ? null : shared(wanted.settings());
            owned = engine == null;
            if (owned) {
                engine = new Engine(wanted.settings());
            }
        }
        return engine;
    }

    /// Closes the engine where it is the environment's own.
    @Override
    public synchronized void close() {
        if (!closed && owned) {
            engine.close();
        }
        closed = true;
    }

    /// The shared engine, made now where there is none, or null where it has other settings than are wanted.
    private static Engine shared(Settings wanted) {
        synchronized (LOCK) {
            if (shared == null) {
                shared = new Engine(wanted);
                sharedSettings = wanted;
            }
            return suits(wanted) ? shared : null;
        }
    }

    private static boolean suits(Settings wanted) {
        for (Setting<?> setting : Settings.all()) {
            if (setting.scope() == Scope.ENGINE
                    && wanted.has(setting)
                    && !Objects.equals(wanted.get(setting), sharedSettings.get(setting))) {
                return false;
            }
        }
        return true;
    }
}
