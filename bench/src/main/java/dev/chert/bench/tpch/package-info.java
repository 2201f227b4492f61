/// TPC-H: its rows as Parquet files, its 22 queries and their published answers.
///
/// Start at [TpchSuite]; [TpchData] makes the files. The rows come from Trino's port of dbgen, which yields the
/// same rows. DuckDB writes the Parquet, so that no engine reads
/// files of its own making: rows go through delimited text, since DuckDB's `read_csv` takes exact column types and
/// its appender would pay a JNI call a cell. zstd and 122,880 rows a row group are DuckDB's defaults for large data;
/// below scale factor 0.1 a row group has 10,240 rows, so that small tests also meet more than one.
///
/// The published answers of the corpus belong to another generator, whose numbers, dates, names and keys are dbgen's
/// but whose addresses and comments are not. So four columns are left out of the comparison with them, and Q13, which
/// counts orders by a word in their comments, is compared between engines only.
///
/// [OperatorsSuite] has one large operator a query, over the same lineitem: what a memory limit is tried with.
package dev.chert.bench.tpch;
