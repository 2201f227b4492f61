/// The command `chert-bench`: whole queries against other engines, an engine under stress, and JMH for single loops.
///
/// Start at [ChertBench]. A suite run has its tables and queries from a [dev.chert.bench.suite.Suite], its engines from
/// `engine`, its turns and its table from `run`. JMH benchmarks stand in the package of what they measure, as tests do.
package dev.chert.bench;
