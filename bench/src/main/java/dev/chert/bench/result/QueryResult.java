package dev.chert.bench.result;

import java.io.Serializable;
import java.util.ArrayList;

/// All rows of a query as Java values: numbers, `BigDecimal`, `String`, `java.time`, or null.
///
/// A plain value that crosses the pipe between an engine's JVM and the one that compares, hence the concrete lists.
public record QueryResult(ArrayList<String> columns, ArrayList<ArrayList<Object>> rows) implements Serializable {}
