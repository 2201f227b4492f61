package dev.chert.bench.engine;

import dev.chert.bench.result.QueryResult;
import java.io.Serializable;

/// What the two JVMs of an engine say to each other, as serialised objects over the child's standard streams.
///
///     parent                      child
///     Open                   ->
///                            <-   Ready | Failed
///     Run                    ->
///                            <-   Finished | Failed        as often as the parent likes
///     end of the stream      ->   exits
sealed interface Message extends Serializable {

    record Open(EngineName engine, EngineSetup setup) implements Message {}

    record Ready(String description) implements Message {}

    /// @param rowsWanted whether the rows are sent back; they are fetched into Java values either way
    record Run(String sql, boolean rowsWanted) implements Message {}

    /// @param nanos  from handing the text to the engine until the last row was fetched
    /// @param result null where no rows were wanted
    record Finished(long nanos, QueryResult result) implements Message {}

    /// @param reason one line
    record Failed(String reason) implements Message {}
}
