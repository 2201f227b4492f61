/// The errors that leave Chert, sorted by who can act on them.
///
/// ```
/// ChertException
///   ValidationException      the query's author       line 4, column 17: SUM overflowed BIGINT; cast ...
///   TableException           us: a feature we lack    line 1, column 8: PIVOT is not supported
///   CorruptFileException     the file's owner         orders.parquet, row group 3: ... holds 32 bytes, ... need 40
///   ResourceException        whoever runs the process HashJoin 3, build side: needs 64 MiB more, ...
///   QueryCancelledException  whoever cancelled it     the query ran longer than query.timeout, 30 s
/// ```
///
/// Start at [dev.chert.error.ChertException]. A message says where, what was found, what was expected and what
/// helps; the place in the statement ([dev.chert.error.SourcePosition]) is a value of its own beside the text,
/// so that a tool can underline it, and the text begins with it. All of them are unchecked: a query runs
/// through code of many layers, none of which can do more than hand the error on. They stand in the lowest
/// module, since every layer raises them.
///
/// The family is sealed. Errors of Java itself (`IllegalStateException`, `AssertionError`) that leave Chert are
/// bugs of Chert.
package dev.chert.error;
