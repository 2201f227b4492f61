/// The hash aggregation: GROUP BY, aggregates without it, DISTINCT.
///
/// Start with [HashAggregateBreaker], which the workers of one pipeline fill through [HashAggregateSink]s and
/// those of the next read through [HashAggregateOperator]s. [Aggregation] is the plan node, worked out. [Groups]
/// finds the groups of a batch: [DirectGroups] by an array where the keys have few possible values, [GroupTable]
/// by hash, [SingleGroup] without keys. The states live in the groups' rows
/// ([dev.chert.operator.table.RowLayout]).
///
/// ```text
/// worker 0: batches -> Groups -> rows | key | states |   partition 0 ---+--> TableMerge --> operator
///                  \--> DistinctSet                              1 ---|-+--> ...
/// worker 1: batches -> Groups -> ...                     partition 0 ---+ |
///                  \--> DistinctSet                              1 -----+
/// ```
///
/// A DISTINCT aggregate collects the distinct tuples of key and arguments in a set of its own, in the partitions
/// of the groups; when the partitions are merged, each tuple is shown once to the aggregate. The key is stored
/// again in each set: that keeps sets free of references into tables whose rows move when they are split or, one
/// day, spilled. DISTINCT is ignored where it changes nothing, as for MIN.
///
/// One worker's table is one partition until it is large, so that few groups cost little. Where every row makes a
/// group of its own, workers could give up grouping and only partition; the place for that is [Groups#find],
/// which may give new rows to keys that have one already, since merging finds them.
package dev.chert.operator.aggregate;
