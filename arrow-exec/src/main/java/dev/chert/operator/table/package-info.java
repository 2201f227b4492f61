/// Rows in hash tables: their layout, the pages that hold them, the directory that finds them. Shared by
/// aggregation and join.
///
/// Start with [RowTable], then [RowProbe], which looks many keys up at a time. [RowLayout] draws a row,
/// [RowPages] the pages, [Directory] the entries, [RowBlock] rows on their way to disk. [RowValues] is the form in
/// which rows come from batches: packed arrays, read by the loops of [dev.chert.batch.TypeOps].
///
/// A row is known by its place ([dev.chert.batch.RowPlace]): slab number and offset, valid in the whole engine,
/// as the places of long strings are. So an entry of the directory leads to its row without a page table between,
/// a column loads from rows of any worker, and merging two workers' tables enters the rows of one into the
/// directory of the other and moves none. The price is that a page must not be longer than a slab, and that rows get
/// new places when they come back from disk, as their directory is then built anew from the hashes that they keep.
///
/// ```text
/// RowTable: partition 0 ... n --- spillPartition ---> SpilledRows --- reader() ---> rows in a block, known by places
///           pages, heap, directory                        |
///                                                         +--- RowRouter ---> SpilledRows, by bits of a deeper level
/// ```
///
/// A partition has pages and strings of its own, so it can be spilled, taken out or given back alone. What is too
/// large also when it is alone is cut up by further bits of the hash. Strings are written behind the rows of their
/// block, with views that say how far from its end they lie; which extra bytes of a row are strings is known to its
/// layout ([dev.chert.batch.RowString]).
///
/// NULLs: the bytes of a NULL are zero and the null bits of a row are compared as words, once for all fields of
/// the key; so the loops over values need not know of NULL. In tables NULL equals NULL; a join leaves such rows
/// out beforehand.
///
/// The upper 16 bits of a hash go into the entry, bits 40 to 47 choose the partition, the lower ones the slot.
package dev.chert.operator.table;
