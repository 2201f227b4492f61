/// Orders all rows, or the first few of them.
///
/// Start with [SortBreaker] and [TopNBreaker]; both collect rows in a [RunCollector] a worker and hand them on
/// through one [RunMerge]. What they sort are *entries*: a normalized key, whose unsigned byte order is the order
/// that was asked for, and the place of its row.
///
/// ```text
/// batches --> RunCollector (one a worker) --> OrderedRows --> RunMerge --> batches
///             RunBuilder --> SortedRun, SortedRun, ...         RunHeap of MemoryCursor and DiskCursor
///                            | RunWriter, when memory is short
///                            v
///                            SpilledBatches: the rows of a run in order
/// entries: | key, padded to whole words | source, row |
/// sources: the batches as they came; dense copies where few of their rows are wanted
/// ```
///
/// Rows move once, when the merge gathers an output batch: until then a run keeps its source batches (their
/// columns are retained, strings are not copied) and orders entries only. An output batch holds counts on the
/// columns that its long strings come from, or has strings of its own where it comes from disk.
///
/// **When memory is short.** [RunHolder] is what can be asked for runs: the collector until its input ends, then
/// [OrderedRows], then the merge. A run is written through a block that was reserved before, so writing it takes no
/// memory. Entries must double in one piece, so they take a small part of the limit at most, and a run ends where they
/// find no room. A run on disk comes back a block at a time, and its keys are evaluated again; strings that only an
/// expression makes are written beside the columns, since ties need them whole. Runs of which not all blocks fit side
/// by side are merged in passes, the smallest first.
///
/// **Giving way.** A full run, and the last one, are sorted between two batches, a time slice after the other
/// ([EntrySorter]); only one pass over all entries of a run is not interrupted.
///
/// One worker merges and streams: a merge costs a comparison or two a row, and a LIMIT above stops it early. Keys
/// of strings hold 12 bytes; longer ones that agree in those are compared in full (see [KeyLayout]). The sort is
/// not stable: rows that tie come in any order.
package dev.chert.operator.sort;
