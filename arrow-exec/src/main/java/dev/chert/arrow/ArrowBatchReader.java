package dev.chert.arrow;

import dev.chert.batch.Batch;
import dev.chert.batch.Schema;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;

/// Streams a query's batches as Arrow: [#loadNextBatch()] fills the one [#getVectorSchemaRoot()] again and again.
///
/// The vectors allocate from the caller's allocator and stay the caller's after the query has closed. Closing the
/// reader closes the query. Not thread-safe.
public final class ArrowBatchReader extends ArrowReader {
    private final Schema schema;
    private final Predicate<Consumer<Batch>> next;
    private final Runnable closed;
    private final VectorFiller filler = new VectorFiller();
    private long bytesRead;

    /// @param next   shows the next batch, which stays as it is while it is shown; false at the end
    /// @param closed run when the reader closes
    public ArrowBatchReader(
            Schema schema, Predicate<Consumer<Batch>> next, Runnable closed, BufferAllocator allocator) {
        super(allocator);
        this.schema = schema;
        this.next = next;
        this.closed = closed;
    }

    @Override
    public boolean loadNextBatch() throws IOException {
        prepareLoadNextBatch();
        VectorSchemaRoot root = getVectorSchemaRoot();
        return next.test(batch -> {
            bytesRead += batch.byteSize();
            filler.fill(batch, root);
        });
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
