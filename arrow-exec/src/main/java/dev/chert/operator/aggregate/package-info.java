/// The hash aggregation: GROUP BY, aggregates without it, DISTINCT.
///
/// Start with [HashAggregateBreaker], which the workers of one pipeline fill through [HashAggregateSink]s and
/// those of the next read through [HashAggregateOperator]s. [Aggregation] is the plan node, worked out. [Groups]
/// finds the groups of a batch: [DirectGroups] by an array where the keys have few possible values, [GroupTable]
/// by hash, [SingleGroup] without keys. The states live in the groups' rows
/// ([dev.chert.operator.table.RowLayout]).
///
/// ```text
///           WorkerGroups                                           MergeQueue      PortionMerge
/// worker 0: batches -> Groups -> rows | key | states |   partition 0 ---+--> merged, then read, by one worker
///                  \--> DistinctSet                              1 ---|-+--> by another one
/// worker 1: batches -> Groups -> ...                     partition 0 ---+ |
///                  \--> DistinctSet                              1 -----+
/// ```
///
/// A DISTINCT aggregate collects the distinct tuples of key and arguments in a set of its own, in the partitions
/// of the groups; when the partitions are merged, each tuple is shown once to the aggregate. The key is stored
/// again in each set: that keeps sets free of references into tables whose rows move when they are split or
/// spilled. DISTINCT is ignored where it changes nothing, as for MIN.
///
/// One worker's table is one partition until it is large, so that few groups cost little. Where every row makes a
/// group of its own, workers could give up grouping and only partition; the place for that is [Groups#find],
/// which may give new rows to keys that have one already, since merging finds them.
///
/// **Merging** is left to those who read the groups: a partition is merged when a worker is ready to read it and
/// given back when it was read, so no more partitions than workers are merged at any time, and the others stay as
/// they are, in memory or on disk. It gives way at the end of a time slice.
///
/// **Spilling.** What a worker has gathered is a [dev.chert.memory.GuardedState] from its first batch until its last
/// partition was taken out: whole partitions of groups and tuples go to disk ([SpillingTable]), and the keys that
/// come after that get new rows. A partition that is merged holds what is in memory and the groups of what is on
/// disk; where these do not fit, and all that waits in memory is on disk, it is cut up by further bits of the hash
/// into portions that are merged alone ([RowMerge]). Where the groups fit but the tuples of one DISTINCT do not, the
/// tuples are cut up by hashes of their own and fed part by part, so that one group may have any number of distinct
/// values. What must fit: the groups whose hashes are equal, which is what a constant hash makes of all.
package dev.chert.operator.aggregate;
