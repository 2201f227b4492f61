package dev.chert.bench.engine;

import java.io.Serializable;
import java.util.LinkedHashMap;

/// What an engine is opened with.
///
/// @param threads  how many threads may compute
/// @param settings engine settings beyond that, by name
/// @param tables   table name and Parquet file
public record EngineSetup(int threads, LinkedHashMap<String, String> settings, LinkedHashMap<String, String> tables)
        implements Serializable {}
