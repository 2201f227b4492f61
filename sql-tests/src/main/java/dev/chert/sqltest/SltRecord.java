package dev.chert.sqltest;

import java.util.List;

/// One record of a file, as written: variables of loops are not yet replaced.
sealed interface SltRecord {
    /// Returns the line of the file that the record starts on, from 1.
    int line();

    /// Returns the `skipif` and `onlyif` lines above the record.
    List<Condition> conditions();

    /// SQL of which only success or failure counts.
    record Statement(int line, List<Condition> conditions, String connection, String sql, ExpectedOutcome expected)
            implements SltRecord {}

    /// SQL with a result.
    /// @param types    a letter a column
    /// @param sort     null where the line names none
    /// @param label    queries of one label must agree; null where there is none
    /// @param expected the lines after `----`; null where there is no such line, which leaves the label to compare with
    record Query(
            int line,
            List<Condition> conditions,
            String connection,
            String types,
            SortMode sort,
            String label,
            String sql,
            List<String> expected)
            implements SltRecord {}

    /// Runs its body once a value.
    /// @param values may hold variables of loops around it
    record Loop(int line, List<Condition> conditions, String variable, List<String> values, List<SltRecord> body)
            implements SltRecord {}

    /// Ends the file.
    record Halt(int line, List<Condition> conditions) implements SltRecord {}

    /// Ends the file where the engine does not provide what it needs.
    record Require(int line, List<Condition> conditions, String requirement) implements SltRecord {}

    /// Switches the running of records off and on again.
    record SkipMode(int line, List<Condition> conditions, boolean skipping) implements SltRecord {}

    /// Gives a variable a value for the rest of the file.
    record SetVariable(int line, List<Condition> conditions, String variable, String value) implements SltRecord {}

    /// Forgets the result of a label.
    record ResetLabel(int line, List<Condition> conditions, String label) implements SltRecord {}

    /// Says how queries that name no sort mode are compared from here on.
    record DefaultSort(int line, List<Condition> conditions, SortMode sort) implements SltRecord {}

    /// Names the connection of the records that follow, where they name none themselves.
    record UseConnection(int line, List<Condition> conditions, String connection) implements SltRecord {}

    /// Runs the records of other files in its place.
    /// @param pattern a path from the folder of this file; its last part may hold `*`
    record Include(int line, List<Condition> conditions, String pattern) implements SltRecord {}

    /// A directive that this runner does not carry out; the rest of the file would not mean anything without it.
    record Unsupported(int line, List<Condition> conditions, String directive) implements SltRecord {}
}
