/// The front door: SQL in, rows, Arrow or batches out.
///
/// Start with [TableEnvironment]: a session with its tables, views and settings. A [Table] is a query or a source
/// that is not run yet, [TableResult] one that is, and [Row] a row of it in Java values. [EnvironmentSettings] is
/// where a setting of the engine is given.
///
/// ```java
/// try (TableEnvironment environment = TableEnvironment.create();
///         TableResult result = environment.executeSql("SELECT l_orderkey, l_tax FROM 'lineitem.parquet'");
///         BufferAllocator allocator = new RootAllocator();
///         ArrowReader reader = result.arrow(allocator)) {
///     while (reader.loadNextBatch()) {
///         System.out.println(reader.getVectorSchemaRoot().contentToTSVString());
///     }
/// }
/// ```
///
/// Names are those of Flink's Table API. Decisions that shape this package:
/// - Environments share one engine (memory, threads) a JVM; see [EnvironmentSettings].
/// - A table made of SQL is the text of a query, read again whenever it is run, as a view is: it follows the
///   tables that it names.
/// - A result is read in exactly one way and streams: a slow reader stops the scan. What leaves it outlives it:
///   rows are Java objects, Arrow vectors the caller's, batches copies in the engine's export account.
/// - TIMESTAMP is [java.time.LocalDateTime], TIMESTAMP_LTZ [java.time.Instant], year-month intervals
///   [java.time.Period], day-time intervals [java.time.Duration].
/// - What a query did is read from [dev.chert.pipeline.QueryMetrics], while it runs and afterwards, by
///   [TableResult#metrics()], [TableResult#progress()] and EXPLAIN ANALYZE alike. EXPLAIN ANALYZE prints the figures
///   before the tree of operators, so that they stay in columns however long an operator's text is.
/// - Nothing of arrow-java is loaded before a method that names its types is called; the same holds of Calcite
///   and of file formats, which a program that scans a source without SQL never loads or loads without Calcite.
package dev.chert.table;
