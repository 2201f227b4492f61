package dev.chert.cli;

import dev.chert.pipeline.QueryProgress;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/// Runs statements in one session; what the command line needs of the engine.
interface StatementRunner extends AutoCloseable {
    /// Runs a statement up to its first rows.
    /// @param statement one statement, without a semicolon
    /// @return          the caller's to close, which cancels what is still running
    Result run(String statement);

    /// How far the statement that runs is; empty where none does. Any thread.
    Optional<QueryProgress> progress();

    @Override
    void close();

    /// What a statement gave.
    interface Result extends AutoCloseable {
        /// Returns the columns; empty where the statement gives no rows.
        List<Column> columns();

        /// Returns the rows, which come as the query makes them.
        /// Values are `null`, [Boolean], [Number]s, [String], `java.time` types, `byte[]`, lists or maps.
        Iterator<Object[]> rows();

        @Override
        void close();
    }

    /// A column of a result.
    /// @param numeric whether its values are numbers
    record Column(String name, boolean numeric) {}
}
