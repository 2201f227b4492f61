package dev.chert.table;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.Field;
import dev.chert.batch.Layouts;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.batch.Step;
import dev.chert.error.CorruptFileException;
import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;
import dev.chert.source.ColumnPredicate;
import dev.chert.source.PredicateUse;
import dev.chert.source.Split;
import dev.chert.source.SplitReader;
import dev.chert.source.Statistics;
import dev.chert.source.TableSource;
import java.util.List;
import java.util.stream.IntStream;

/// Splits of batches of two BIGINT columns, a (0, 1, 2 ... in each batch) and b (a modulo 10), the last of which
/// fails.
///
/// @param batches good batches in each split before its end or the failure; a failing reader keeps its last batch
///                open
/// @param fails   whether the last split fails
record FailingSource(int splitCount, int batches, boolean fails) implements TableSource {
    static final String MESSAGE = "this source fails";
    static final int ROWS = 1000;

    @Override
    public Schema schema() {
        return Schema.of(Field.of("a", ScalarType.BIGINT), Field.of("b", ScalarType.BIGINT));
    }

    @Override
    public Statistics statistics() {
        return Statistics.unknown(2);
    }

    @Override
    public String describe() {
        return "failing source";
    }

    @Override
    public PredicateUse use(ColumnPredicate predicate) {
        return PredicateUse.IGNORED;
    }

    @Override
    public SplitList splits(ScanRequest request) {
        List<Part> parts = IntStream.range(0, splitCount)
                .mapToObj(i -> new Part(batches, fails && i == splitCount - 1))
                .toList();
        return new SplitList(parts, splitCount);
    }

    private record Part(int batches, boolean fails) implements Split {
        @Override
        public SplitReader open(ScanRequest request, QueryContext query, Allocator allocator) {
            return new Reader(request, batches, fails, allocator);
        }

        @Override
        public long rowCount() {
            return -1;
        }
    }

    private static final class Reader implements SplitReader {
        private final ScanRequest request;
        private final boolean fails;
        private final Allocator allocator;
        private int left;

        Reader(ScanRequest request, int batches, boolean fails, Allocator allocator) {
            this.request = request;
            this.left = batches;
            this.fails = fails;
            this.allocator = allocator;
        }

        @Override
        public Step next() {
            if (left == 0) {
                if (fails) {
                    column(0); // a buffer that nobody closes
                    throw new CorruptFileException("source", "", MESSAGE);
                }
                return Step.END;
            }
            left--;
            return new Batch(request.columns().stream().map(this::column).toArray(Column[]::new), ROWS);
        }

        private Column column(int number) {
            ColumnWriter writer = new ColumnWriter(ScalarType.BIGINT, ROWS, allocator);
            for (int row = 0; row < ROWS; row++) {
                writer.values().setAtIndex(Layouts.LONG, row, number == 0 ? row : row % 10);
            }
            return writer.seal(ROWS);
        }

        @Override
        public void close() {
            // its buffers are the query's
        }
    }
}
