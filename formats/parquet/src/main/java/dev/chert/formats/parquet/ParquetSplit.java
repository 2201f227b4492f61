package dev.chert.formats.parquet;

import dev.chert.batch.Schema;
import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;
import dev.chert.source.FileSystem;
import dev.chert.source.Split;
import dev.chert.source.SplitReader;
import dev.chert.source.TableSource.ScanRequest;
import java.util.ArrayList;
import java.util.List;

/// A row group of a file.
///
/// @param schema of the source, in which a request numbers its columns; the file has them by name
public record ParquetSplit(FileSystem fileSystem, FileSystem.FileEntry file, int rowGroup, long rowCount, Schema schema)
        implements Split {
    @Override
    public SplitReader open(ScanRequest request, QueryContext query, Allocator allocator) {
        Location location = Location.of(file.path()).inRowGroup(rowGroup);
        Footer footer = FooterCache.get(fileSystem, file, query::checkCancelled);
        if (rowGroup >= footer.rowGroups().size()
                || footer.rowGroups().get(rowGroup).numRows() != rowCount) {
            throw location.corrupt("the file has changed since the query was planned; run it again");
        }
        List<ParquetSplitReader.Chunk> chunks = new ArrayList<>();
        for (int number : request.columns()) {
            ParquetColumn column =
                    ParquetSource.columnOf(footer, schema.field(number).name());
            if (column == null) {
                throw location.corrupt("the file has changed since the query was planned; run it again");
            }
            Location place = location.inColumn(column.name());
            if (column.refusal() != null) {
                throw place.unsupported("the column %s", column.refusal());
            }
            ColumnChunk chunk = footer.rowGroups().get(rowGroup).columns().get(column.leaf());
            if (chunk.refusal() != null) {
                throw place.unsupported("the column chunk %s", chunk.refusal());
            }
            if (chunk.damage() != null) {
                throw place.corrupt("the column chunk %s", chunk.damage());
            }
            if (!PageDecompressor.supports(chunk.codec())) {
                throw place.unsupported(
                        "it is compressed with %s, which is not supported yet; write it with ZSTD or SNAPPY",
                        chunk.codec());
            }
            chunks.add(new ParquetSplitReader.Chunk(column, chunk, place));
        }
        return new ParquetSplitReader(fileSystem, file, rowCount, chunks, query, allocator);
    }
}
