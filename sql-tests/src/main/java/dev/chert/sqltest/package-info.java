/// Runs SQL logic test files: scripts of SQL with the results that they must give.
///
/// Start at [SltRunner], which walks the records that [SltParser] reads from a file, hands their SQL to a [Session] and
/// lets [ResultCheck] compare. `bin/chert-slt` is [SltCommand].
///
/// The format has no single owner. SQLite's files print one value a line and convert each value by the type letter of
/// its column; DuckDB's put a row on a line with tabs, give no meaning to the letters and expect insertion order;
/// DataFusion's separate the values of a row by a blank. A [Dialect] holds what differs; it is recognised by the head
/// of a file. Our own files are DataFusion's form read strictly: type letters must fit the columns, decimals must have
/// their scale, messages of errors are compared.
///
/// The runner knows engines by the [Engine] interface alone. That lets the tests run the same files against a second
/// engine, which proves both the runner (against files whose results are known) and the expected results of our own
/// files.
///
/// Decisions:
///
/// - What is expected is told by the text after `----`, never by `hash-threshold`: some files hash without saying so.
/// - A query of DuckDB's files without an `ORDER BY` is compared as a set of rows, since the order of rows is promised
///   by `ORDER BY` only; see [SqlText].
/// - An exception of the engine that is not a message to the user never satisfies `statement error`: it is an
///   [Outcome.Crashed].
/// - `${FOLDER}` is the folder of the file, so that a file can read data that lies beside it.
/// - A record that did not run (a condition, `mode skip`, what follows `halt` or an unmet `require`) counts as skipped,
///   and the reason is printed once.
package dev.chert.sqltest;
