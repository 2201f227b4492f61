/// Tables whose rows lie in the engine's memory.
///
/// Start with [MemoryTable]: batches in an account of their own, which leaves less for queries but takes no share among
/// them; appended to by [TableAppender], all rows of one statement at once. [MemorySource] is the table as it was at
/// one moment, which a plan scans; whoever runs a plan while others append or drop pins it first.
///
/// Full batches are never moved or changed. Rows that come a few at a time are joined with the batch before as
/// soon as that is no longer, so a table of `n` rows has about log(n) small batches at its end, whoever filled
/// it, and each row is copied about as often. A batch that was joined with others is freed as soon as no pinned
/// version holds it; a source made before that and not pinned in time is stale, and its plan is to be made again.
/// That keeps the common path without any count per query and batch.
package dev.chert.source.memory;
