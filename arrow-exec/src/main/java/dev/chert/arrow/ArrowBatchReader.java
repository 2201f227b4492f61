package dev.chert.arrow;

import dev.chert.batch.Batch;
import dev.chert.batch.Schema;
import java.io.IOException;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;

/// Streams a query's batches as Arrow: [#loadNextBatch()] fills the one [#getVectorSchemaRoot()] again and again.
///
/// The vectors allocate from the caller's allocator and stay the caller's after the query has closed. Closing the
/// reader closes the query. Not thread-safe.
public final class ArrowBatchReader extends ArrowReader {
    private final Schema schema;
    private final Supplier<Batch> batches;
    private final Runnable closed;
    private final VectorFiller filler = new VectorFiller();
    private long bytesRead;

    /// @param batches gives the next batch, which this reader closes, or null at the end
    /// @param closed  run when the reader closes
    public ArrowBatchReader(Schema schema, Supplier<Batch> batches, Runnable closed, BufferAllocator allocator) {
        super(allocator);
        this.schema = schema;
        this.batches = batches;
        this.closed = closed;
    }

    @Override
    public boolean loadNextBatch() throws IOException {
        prepareLoadNextBatch();
        try (Batch batch = batches.get()) {
            if (batch == null) {
                return false;
            }
            bytesRead += batch.byteSize();
            filler.fill(batch, getVectorSchemaRoot());
            return true;
        }
    }

    /// Bytes of the batches handed on so far, without long strings.
    @Override
    public long bytesRead() {
        return bytesRead;
    }

    @Override
    protected void closeReadSource() {
        closed.run();
    }

    @Override
    protected org.apache.arrow.vector.types.pojo.Schema readSchema() {
        return ArrowSchemas.toArrow(schema);
    }
}
