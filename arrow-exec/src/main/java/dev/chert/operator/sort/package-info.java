/// Orders all rows, or the first few of them.
///
/// Start with [SortBreaker] and [TopNBreaker]; both collect rows in a [RunBuilder] a worker and hand them on
/// through one [RunMerge]. What they sort are *entries*: a normalized key, whose unsigned byte order is the order
/// that was asked for, and the place of its row.
///
/// ```text
/// batches --> RunBuilder (one a worker) --> SortedRun, SortedRun, ... --> RunMerge --> batches
///             entries: | key, padded to whole words | source, row |
///             sources: the batches as they came; dense copies where few of their rows are wanted
/// ```
///
/// Rows move once, when the merge gathers an output batch: until then a run keeps its source batches (their
/// columns are retained, strings are not copied) and orders entries only. An output batch holds counts on the
/// columns that its long strings come from. A run is read through its entries in order and its sources, so one
/// that was written to disk differs only in that its sources are batches in the order of its entries, held one at
/// a time.
///
/// One worker merges and streams: a merge costs a comparison or two a row, and a LIMIT above stops it early. Keys
/// of strings hold 12 bytes; longer ones that agree in those are compared in full (see [KeyLayout]). The sort is
/// not stable: rows that tie come in any order.
package dev.chert.operator.sort;
