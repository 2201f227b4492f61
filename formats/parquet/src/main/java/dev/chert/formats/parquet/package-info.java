/// Reads Parquet files into batches, from the format's specification up.
///
/// ```text
/// ParquetFormat      by the name of a file
///   ParquetSource    files, schema, statistics     FooterCache: FooterReader, SchemaReader, StatisticsReader
///     ParquetSplit   a row group
///       ParquetSplitReader   batches
///         ChunkReader        columns, one reader a column
///           PageReader       pages of the chunk    ChunkInput: windows of the file; PageDecompressor
///             DataPage       rows of the page      HybridDecoder: levels, codes; ValueDecoder
/// ```
///
/// Start with [ParquetSource] for what a file is to a query, with [PageReader] for how a chunk is read and
/// [ChunkReader] for how its pages become columns.
/// `formats/README.md` has a row for each field, encoding, codec and type of the format.
///
/// Why it is built this way:
/// - **No parquet-java reader.** The generated Thrift classes of parquet-format-structures are all that is used
///   of it: no Hadoop, no per-value virtual calls. Their structures become records of ours ([Footer],
///   [ColumnChunk]) when they have been checked, so that later code need not.
/// - **Every number of a file is doubted once**, where it comes in: a chunk lies within the file, a page within
///   its chunk, levels within their page, codes within their dictionary. The loops behind ([PlainValues],
///   [BitPacking], [Rows]) have no checks of their own but those of [java.lang.foreign.MemorySegment].
/// - **Strings are never copied**: views point into the page, which lives as long as a column needs it.
/// - **One decoder a form of value.** An encoding without a decoder of its own ([Transcoder]: the DELTA encodings
///   and BYTE_STREAM_SPLIT) is written again as PLAIN, at the price of a pass over its page.
/// - **Dictionaries stay**, one [dev.chert.batch.Column] of values a chunk, where consumers gain by them: always
///   for strings, for numbers up to 4,096 values. A batch in which the writer gave up on its dictionary is flat.
/// - **Refused, not guessed**: a column that cannot be read yet keeps its place in the schema and is refused by
///   file, row group and name when a query reads it; the others can be read.
/// - INT96 becomes TIMESTAMP(6), not (9): writers mark "for ever" by the year 9999, and nanoseconds end in 2262.
/// - Bounds of statistics are kept as comparable Java values; which are trusted, [StatisticsReader] says.
/// - **Memory**: pages, dictionaries and windows of the file are reserved before they are allocated. The columns
///   of a split share 8 MiB of read-ahead ([SplitContext]), so a wide table holds no more of it than a narrow one.
///   Metadata alone live on the Java heap, beside the memory limit: [FooterCache] keeps a bounded part of it, and
///   [FooterReader] refuses what its rest cannot hold.
/// - **A query stops within a page**: between reads of 8 MiB, blocks of DELTA, pieces of GZIP and, beyond 16 MiB, of
///   the other codecs in Java; [PageDecompressor] says what cannot be cut.
/// - A file that was changed after it was planned is noticed by its path, size and time, not by its content.
package dev.chert.formats.parquet;
