package dev.chert.bench.suite;

/// One query of a suite.
///
/// @param name short and unique in the suite, as in `q01`
public record Query(String name, String sql) {}
