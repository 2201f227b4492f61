/// Loops over one or two columns that know nothing of functions and operators.
///
/// Start with [Selections] (what is done with row numbers), [ColumnGather] (rows of columns into new columns) and
/// [Int128] (arithmetic that 64 bits do not hold). A kernel is a static method with one loop; who calls it has
/// chosen the shape before. Memory always comes in from outside: selection vectors are plain arrays of the
/// caller, columns are written through a [dev.chert.batch.ColumnWriter].
package dev.chert.kernel;
