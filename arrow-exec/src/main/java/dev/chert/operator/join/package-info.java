/// Joins: by hashed keys, or by comparing every pair.
///
/// Start with [HashJoinBuild] and [HashJoinProbe]; between them stands [JoinTable], which knows no operator. What
/// a join stores and must find out follows from its plan node in [JoinShape]. [NestedLoopBuild] and
/// [NestedLoopJoin] are the same pair for any condition; their blocks of pairs come from [PairSearch], as those
/// of the hash join come from [ProbeCursor].
///
/// ```text
/// build side --> HashJoinBuild (a part a worker) --> JoinTable: 16 partitions, linked in parallel
///                                                        |
/// probe side ------------------------------------> HashJoinProbe --> batches: left columns, then right ones
///                                                        |
///                                  ProbeEnd: all workers have ended --> build rows without a match
/// ```
///
/// **One row a key in the directory**, the others linked to it: the keys are compared once a probe row, not once
/// a pair, and a table whose keys turned out unique needs no look at links at all. Pairs are made in rounds over
/// all rows of a batch, so that the loads of many links are in flight.
///
/// **Values move late.** A semi join narrows the selection. Where the table's keys are unique and nearly every
/// probe row has a match, the output is the probe batch's own columns, and only the build columns are loaded.
/// Rows without a match leave as the probe batch under a narrower selection beside constant NULLs. Conditions see
/// candidate pairs as a batch, with constants for the columns that they do not read.
///
/// **Who has no match** is known when all workers have ended: each row has a byte that any worker sets, without
/// order, and [ProbeEnd] is where workers pause until the last has come; then they share the scan of the build
/// side. So every worker of a probing pipeline must be opened, and read to its end or closed.
///
/// **Three values.** `NULL_AWARE_ANTI` gives rows whose condition is false for every build row, `MARK` the
/// condition's outcome over all of them, where the condition is all key comparisons and the residual. One key
/// without a residual needs two facts of the build side only; else [OpenRows] compares what NULLs leave open.
package dev.chert.operator.join;
