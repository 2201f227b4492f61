package dev.chert.query;

import dev.chert.error.ValidationException;
import java.util.function.Function;

/// One setting: its key, who may change it when, and how its text is read.
///
/// @param key         as written in `--set`, SET and EnvironmentSettings
/// @param defaultText the default as a user would write it
/// @param values      what it may be, for messages and the reference
/// @param parser      reads a value, throwing [IllegalArgumentException] where it is none
public record Setting<T>(String key, Scope scope, String defaultText, String values, Function<String, T> parser) {
    /// How far a value reaches, and so when it can be given.
    public enum Scope {
        /// Fixed when the engine is made.
        ENGINE,
        /// Fixed when the JVM first uses the engine.
        JVM,
        /// May change between two statements of a session.
        SESSION
    }

    /// Reads `text`.
    ///
    /// @throws ValidationException naming the key, what was found and what it may be
    public T parse(String text) {
        try {
            return parser.apply(text.strip());
        } catch (IllegalArgumentException e) {
            throw new ValidationException(key + ": found '" + text + "', expected " + values, null, e);
        }
    }
}
