package dev.chert.formats.parquet;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.Step;
import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;
import dev.chert.source.FileSystem;
import dev.chert.source.InputFile;
import dev.chert.source.ReadMetrics;
import dev.chert.source.SplitReader;
import java.util.List;

/// Reads the wanted columns of a row group side by side, a batch at a time.
///
/// Opens the file when the first batch is asked for, and not at all where no column is wanted: then the footer's
/// count of rows is the answer. Memory: a [ChunkReader] a column, and codes of one batch.
final class ParquetSplitReader implements SplitReader {
    private final FileSystem fileSystem;
    private final FileSystem.FileEntry entry;
    private final List<Chunk> chunks;
    private final int batchSize;
    private final SplitContext context;

    private InputFile file;
    private ChunkReader[] readers;
    private long rowsLeft;
    private boolean closed;
    private ReadMetrics metrics = ReadMetrics.NONE;

    /// A column chunk that can be read, and where it is.
    record Chunk(ParquetColumn column, ColumnChunk chunk, Location location) {}

    ParquetSplitReader(
            FileSystem fileSystem,
            FileSystem.FileEntry entry,
            long rowCount,
            List<Chunk> chunks,
            QueryContext query,
            Allocator allocator) {
        this.fileSystem = fileSystem;
        this.entry = entry;
        this.rowsLeft = rowCount;
        this.chunks = chunks;
        this.batchSize = query.batchSize();
        this.context = SplitContext.of(query, allocator, chunks.size());
    }

    @Override
    public Step next() {
        if (rowsLeft == 0 || closed) {
            close(); // its memory is of use to others while the operator asks for the next split
            return Step.END;
        }
        if (readers == null) {
            open();
        }
        int rows = (int) Math.min(batchSize, rowsLeft);
        Column[] columns = new Column[readers.length];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = readers[i].read(rows);
        }
        rowsLeft -= rows;
        return new Batch(columns, rows);
    }

    private void open() {
        if (!chunks.isEmpty()) {
            file = fileSystem.open(entry);
        }
        readers = chunks.stream().map(this::open).toArray(ChunkReader[]::new);
    }

    private ChunkReader open(Chunk chunk) {
        long end = chunk.chunk().offset() + chunk.chunk().totalCompressedSize();
        ChunkInput input = new ChunkInput(file, end, context);
        PageReader pages = new PageReader(chunk.column(), chunk.chunk(), chunk.location(), input, context);
        return new ChunkReader(chunk.column(), pages, context);
    }

    @Override
    public ReadMetrics metrics() {
        if (readers != null && !closed) {
            metrics = ReadMetrics.NONE;
            for (ChunkReader reader : readers) {
                metrics = metrics.plus(new ReadMetrics(reader.pagesRead(), reader.bytesRead()));
            }
        }
        return metrics;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        metrics();
        closed = true;
        if (readers != null) {
            for (ChunkReader reader : readers) {
                reader.close();
            }
        }
        context.close();
        if (file != null) {
            file.close();
        }
    }
}
