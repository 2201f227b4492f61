package dev.chert.formats.parquet;

import org.apache.parquet.format.CompressionCodec;

/// Where the pages of one column of one row group lie, and what is said about their values.
///
/// @param codec                 how pages are compressed
/// @param numValues             values with NULLs; rows, where the column is flat
/// @param totalUncompressedSize bytes of the pages with their headers, decompressed
/// @param totalCompressedSize   bytes of the pages with their headers, as they lie in the file
/// @param offset                byte of the file at which the first page, of whatever kind, begins
/// @param statistics            of the column's values
/// @param refusal               why the pages cannot be read yet, and what helps; null where they can
/// @param damage                what is wrong with this description; null where nothing is
record ColumnChunk(
        CompressionCodec codec,
        long numValues,
        long totalUncompressedSize,
        long totalCompressedSize,
        long offset,
        ChunkStatistics statistics,
        String refusal,
        String damage) {}
