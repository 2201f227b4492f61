/// How many rows an operator gives, as far as statistics tell.
///
/// Start with [Estimator], which walks a tree and answers with an [Estimate] of rows and of each column's distinct
/// values and bounds. It reads the [dev.chert.source.Statistics] of the sources, where exact and estimated values are
/// kept apart; its own answers are estimates all. [Selectivity] is the share of rows that a predicate keeps.
///
/// The formulas are the textbook's (Selinger et al., 1979): independence of predicates, uniform values within bounds,
/// and for a join on equal keys the larger of both distinct counts as divisor. A column of integers whose distinct
/// count is unknown has at most as many values as lie between its bounds, which makes keys look like keys.
package dev.chert.planner.statistics;
