/// The engines that are measured, each in a JVM of its own.
///
/// Start at [EngineProcess], the parent's end; [EngineChild] is the other. A new engine is an [Engine] and a line in
/// [EngineName]. An engine gets the tables as views of the same Parquet files and fetches every row into Java values,
/// since that is what its caller would do. Messages are serialised records: both ends are the same class path.
package dev.chert.bench.engine;
