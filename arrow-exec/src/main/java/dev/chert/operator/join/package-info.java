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
///                                                        |
///                  partitions that waited on disk --> SpilledJoin: the same, one level deeper
///                                                 --> ChunkedJoin: build rows chunk by chunk
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
/// **Too much for memory.** A worker's build rows ([BuildPart]) go to disk by whole partitions when memory is tight;
/// at the end of the build [JoinTable#settle] sends those along that do not fit with their directories, so that a
/// table never grows while it is probed. Probe rows that may match rows on disk wait there, too ([SpilledProbe]).
/// When all workers have ended and the table is gone, each takes partitions, one at a time: a [JoinLevel] has a table
/// and what waits for it, and a partition is a level of its own with one worker, whose hashes are others
/// ([KeyHashes]). Rows with a NULL key match nothing, so of the probe side they never wait, and of the build side
/// they only come out at the end. Where a level would put nearly all rows into one partition again, no hash helps:
/// then as many build rows as fit are loaded at a time and all probe rows pass each time, their outcomes kept between
/// the passes ([PassOutcomes]), since an outcome over all build rows is the greatest over the chunks. So it is from
/// the start where a NULL leaves more open than two facts can decide and any probe row may need any build row.
///
/// **Three values.** `NULL_AWARE_ANTI` gives rows whose condition is false for every build row, `MARK` the
/// condition's outcome over all of them, where the condition is all key comparisons and the residual. One key
/// without a residual needs two facts of the build side only; else [OpenRows] compares what NULLs leave open.
///
/// **Any condition.** A nested loop keeps the right side as batches, which move to disk while memory is short
/// ([RightPart]); at the end of the build they leave half of what is free to others. Each left batch meets all right
/// batches in turn, those on disk read one at a time, and gives way between two blocks of pairs.
package dev.chert.operator.join;
