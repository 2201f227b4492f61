package dev.chert.sqltest;

import java.util.List;

/// What became of the SQL of a record.
public sealed interface Outcome {
    /// Rows of values as Java objects: `null`, [Boolean], [Number]s, [String], `java.time` types, `byte[]`, or whatever
    /// prints itself.
    /// @param kinds what each column holds
    /// @param rows  as delivered; each as long as `kinds`
    record Rows(List<ColumnKind> kinds, List<List<Object>> rows) implements Outcome {}

    /// A statement without a result.
    /// @param rowCount how many rows it changed, or -1 where that means nothing
    record Done(long rowCount) implements Outcome {}

    /// The engine refused with a message for the user.
    record Failed(String message) implements Outcome {}

    /// The engine broke: an exception that no user should see.
    record Crashed(String message) implements Outcome {}
}
