package dev.chert.bench.suite;

import dev.chert.bench.result.PublishedAnswer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Tables and the queries over them; what every engine gets to run in the same words.
public interface Suite {
    /// Returns the name that closing lines carry, as in `tpch-parquet`.
    String name();

    /// Returns what the header of a report says about the data, as in `scale factor 1`.
    String dataDescription();

    /// Returns table name and Parquet file; a query names tables by these names.
    Map<String, Path> tables();

    List<Query> queries();

    /// Returns the published result of a query on these data, where there is one.
    Optional<PublishedAnswer> answer(Query query);
}
