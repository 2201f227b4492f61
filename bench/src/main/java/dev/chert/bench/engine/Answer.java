package dev.chert.bench.engine;

import dev.chert.bench.result.QueryResult;

/// What came of a query in an engine's JVM.
public sealed interface Answer {

    /// @param nanos  from handing the text to the engine until the last row was fetched
    /// @param result the rows, null where they stayed in the engine's JVM
    record Rows(long nanos, QueryResult result) implements Answer {}

    /// @param reason one line, in the engine's words
    record Failure(String reason) implements Answer {}
}
