package dev.chert.bench.engine;

import dev.chert.bench.result.QueryResult;
import java.io.IOException;

/// A query engine with a suite's tables open; used by one thread.
sealed interface Engine extends AutoCloseable permits ChertEngine, DuckDbEngine {
    /// Returns name, version and what else a published figure must say, on one line.
    String description();

    /// Runs a query and fetches all its rows as Java values.
    /// @throws Exception whatever the engine throws; the caller reports its message
    QueryResult run(String sql) throws Exception;

    @Override
    void close() throws IOException;
}
