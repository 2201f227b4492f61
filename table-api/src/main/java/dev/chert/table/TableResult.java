package dev.chert.table;

import dev.chert.batch.Batch;
import dev.chert.batch.Field;
import dev.chert.batch.Schema;
import dev.chert.error.QueryCancelledException;
import dev.chert.error.ValidationException;
import dev.chert.kernel.BatchCopier;
import dev.chert.pipeline.QueryMetrics;
import dev.chert.pipeline.QueryProgress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;

/// What a statement gives: rows that come while the query runs, or the news that it is done.
///
/// Close it, or read it to its end: until then it holds memory and, once what is read ahead is full, a query that
/// waits. Rows are read in exactly one way: [#rows()], [#forEach], [#collect()], [#batches()] or [#arrow]. What
/// was read stays valid after closing. Not thread-safe, but any thread may call [#cancel()] and [#close()].
public final class TableResult implements AutoCloseable {
    /// What a result is.
    public enum Kind {
        /// The statement gives rows, perhaps none.
        ROWS,
        /// The statement is done and gives no rows.
        COMPLETED
    }

    private final Kind kind;
    private final Schema schema;
    private final long updateCount;
    private final RunningQuery query;
    private String readAs;
    private boolean ended;
    private volatile boolean closed;

    private TableResult(Kind kind, Schema schema, long updateCount, RunningQuery query) {
        this.kind = kind;
        this.schema = schema;
        this.updateCount = updateCount;
        this.query = query;
    }

    /// @param query given
    static TableResult rows(RunningQuery query) {
        return new TableResult(Kind.ROWS, query.schema(), -1, query);
    }

    /// @param updateCount rows that were inserted, or -1 where that means nothing
    static TableResult completed(long updateCount) {
        return new TableResult(Kind.COMPLETED, new Schema(List.of()), updateCount, null);
    }

    public Kind kind() {
        return kind;
    }

    /// The columns of the rows; empty where there are none.
    public List<Field> columns() {
        return schema.fields();
    }

    /// The columns as a schema.
    public Schema schema() {
        return schema;
    }

    /// How many rows an INSERT or CREATE TABLE AS has inserted; -1 of every other statement.
    public long updateCount() {
        return updateCount;
    }

    /// Reads rows one after the other, each as soon as it is there.
    ///
    /// @throws ValidationException where the result was read before
    public Iterator<Row> rows() {
        startReading("rows");
        return new RowIterator();
    }

    /// Shows each row to `consumer`, then closes the result.
    public void forEach(Consumer<? super Row> consumer) {
        try (this) {
            rows().forEachRemaining(consumer);
        }
    }

    /// Reads all rows into a list, then closes the result.
    public List<Row> collect() {
        List<Row> rows = new ArrayList<>();
        forEach(rows::add);
        return rows;
    }

    /// Reads batches of this engine's own kind, each as soon as it is there.
    ///
    /// A batch is the caller's to close, holds the result's rows without a selection, and stays valid after this
    /// result was closed, until it is closed itself.
    ///
    /// @throws ValidationException where the result was read before
    public Iterator<Batch> batches() {
        startReading("batches");
        if (query == null) {
            return Collections.emptyIterator();
        }
        BatchIterator exporting = new BatchIterator();
        query.whenClosed(exporting::close);
        return exporting;
    }

    /// Reads Arrow batches through arrow-java. Closing the reader closes this result; vectors that were
    /// transferred out of its root stay valid.
    ///
    /// @param allocator what the vectors are allocated from; stays the caller's
    /// @return          the caller's
    /// @throws ValidationException where the result was read before
    public ArrowReader arrow(BufferAllocator allocator) {
        startReading("Arrow");
        return ArrowBorder.reader(schema, this::showNextBatch, this::close, allocator);
    }

    /// Stops the query soon; reading then fails with a [dev.chert.error.QueryCancelledException].
    public void cancel() {
        if (query != null) {
            query.cancel("its result was cancelled");
        }
    }

    /// What the query and each of its operators did so far: rows, batches, times, bytes. May be asked while the
    /// query runs, by any thread, and after closing; then it grows no more. Empty where the statement gives no rows.
    public Optional<QueryMetrics> metrics() {
        return Optional.ofNullable(query).map(RunningQuery::metrics);
    }

    /// How far the query is, of a moment ago: the fraction of its sources' rows that was read, rows, bytes that were
    /// spilled, time. May be asked by any thread, and after closing. Empty where the statement gives no rows.
    public Optional<QueryProgress> progress() {
        return metrics().map(QueryMetrics::progress);
    }

    /// Stops the query if it still runs and gives back what it holds. A second call does nothing.
    @Override
    public void close() {
        closed = true;
        if (query != null) {
            query.close();
        }
    }

    private void startReading(String way) {
        if (readAs != null) {
            throw new ValidationException("a result is read once: this one was read as " + readAs
                    + " before it was asked for " + way + "; run the statement again");
        }
        if (closed) {
            throw new ValidationException("the result is closed; read it before that, or run the statement again");
        }
        readAs = way;
    }

    /// The next batch (borrowed from the query) or null at the end, where the query is closed, as it is on an
    /// error.
    private Batch nextBatch() {
        if (query == null || ended) {
            return null;
        }
        if (closed) {
            throw closedEarly();
        }
        Batch batch = null;
        try {
            batch = query.take();
            ended = batch == null;
            return batch;
        } finally {
            if (batch == null) {
                query.close();
            }
        }
    }

    /// Shows the next batch to `reader`; whoever closes the environment waits until that is done.
    ///
    /// @return false at the end
    private boolean showNextBatch(Consumer<Batch> reader) {
        if (query == null) {
            return false;
        }
        return query.read(() -> {
            try (Batch batch = nextBatch()) {
                if (batch != null) {
                    reader.accept(batch);
                }
                return batch != null;
            }
        });
    }

    /// Makes the rows of a batch when the one before is used up.
    private final class RowIterator implements Iterator<Row> {
        private final List<String> names =
                schema.fields().stream().map(Field::name).toList();
        private final List<ColumnReader> readers = schema.fields().stream()
                .map(field -> ColumnReader.of(field.type()))
                .toList();
        private Object[][] values = {};
        private int next;
        private boolean ended = query == null;

        @Override
        public boolean hasNext() {
            while (next == values.length && !ended) {
                next = 0;
                values = new Object[0][];
                ended = !showNextBatch(this::read);
            }
            return next < values.length;
        }

        private void read(Batch batch) {
            int count = batch.selectedRows();
            Object[][] rows = new Object[count][readers.size()];
            for (int c = 0; c < readers.size(); c++) {
                readers.get(c).read(batch.column(c), batch.selection(), count, rows, c);
            }
            values = rows;
        }

        @Override
        public Row next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the result has no more rows");
            }
            Object[] row = values[next];
            values[next++] = null;
            return new Row(row, names);
        }
    }

    /// Copies each batch out of the query's memory.
    private final class BatchIterator implements Iterator<Batch> {
        private final BatchCopier copier = new BatchCopier(query.exports());
        private Batch ready;
        private boolean ended;

        @Override
        public boolean hasNext() {
            while (ready == null && !ended) {
                ended = true; // also where reading fails
                try {
                    ended = !showNextBatch(this::read);
                } finally {
                    if (ended) {
                        copier.close();
                    }
                }
            }
            return ready != null;
        }

        private void read(Batch batch) {
            if (batch.selectedRows() > 0) {
                ready = copier.copy(batch);
            }
        }

        /// Gives back what nobody has asked for.
        void close() {
            Batch unread = takeReady();
            if (unread != null) {
                unread.close();
            }
            copier.close();
        }

        private Batch takeReady() {
            Batch batch = ready;
            ready = null;
            return batch;
        }

        @Override
        public Batch next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the result has no more batches");
            }
            Batch batch = query.read(this::takeReady);
            if (batch == null) {
                throw closedEarly();
            }
            return batch;
        }
    }

    private static QueryCancelledException closedEarly() {
        return new QueryCancelledException("the result was closed before it was read to its end");
    }
}
