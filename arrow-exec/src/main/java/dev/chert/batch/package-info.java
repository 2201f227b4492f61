/// Batches of columns, their types, and the steps that operators hand each other.
///
/// Start with [Batch], then [Column] and [DataType]. A batch is up to 4,096 rows, column by column, with an
/// optional selection vector. The layout in memory *is* the Arrow columnar format, with these differences:
/// strings are 16-byte views whose place is a slab number and an offset, valid in the whole engine, so that a
/// gather copies 16 bytes and no characters; decimals are 64 bits wide while a batch's values fit; a dictionary
/// column knows its values by the identity of one [Column] object.
///
/// ```text
/// view, 16 bytes, little-endian    0        4           8           12         16
///   up to 12 bytes                 | length | bytes, the rest zero             |
///   longer                         | length | 4 bytes   | slab      | offset   |
/// ```
///
/// Ownership is counted per column: [Column#retain()] and [Column#release()]; a batch holds one count on each of
/// its columns and gives it back in [Batch#close()]. A column holds one count on each owner of its memory.
package dev.chert.batch;
