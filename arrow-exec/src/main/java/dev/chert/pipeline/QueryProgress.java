package dev.chert.pipeline;

import java.time.Duration;

/// How far a query is.
///
/// @param fraction     from 0 to 1, the part of its sources' rows that was read or skipped, every row counted
///                     alike; never less than before; below 1 until the query has finished, and 1 from then on
/// @param rowsRead     rows that its sources gave
/// @param rowsGiven    rows of the result that the caller has taken
/// @param spilledBytes bytes of state that it has written to disk, as they were in memory
/// @param elapsed      time since the plan was started, until the query has ended
public record QueryProgress(double fraction, long rowsRead, long rowsGiven, long spilledBytes, Duration elapsed) {}
