package dev.chert.operator;

import dev.chert.batch.Batch;
import dev.chert.batch.Schema;
import dev.chert.batch.Step;
import dev.chert.memory.Allocator;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.QueryContext;
import dev.chert.source.ColumnPredicate;
import dev.chert.source.PredicateUse;
import dev.chert.source.Split;
import dev.chert.source.SplitReader;
import dev.chert.source.Statistics;
import dev.chert.source.TableSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/// Given rows as a source, in splits of a thousand; may pause between batches, and tells when a batch is asked for.
public final class RowSource implements TableSource {
    private static final long serialVersionUID = 1;
    private static final int SPLIT_ROWS = 1000;

    /// Batches of up to so many rows come in random forms: dictionaries, constants, selections.
    private static final int MOST_ROWS_OF_RANDOM_FORMS = 100;

    private final Schema schema;
    private final transient List<List<Object>> rows;
    private transient volatile boolean pauses;
    private transient volatile Runnable beforeBatch = () -> {};

    public RowSource(Schema schema, List<List<Object>> rows) {
        this.schema = schema;
        this.rows = rows;
    }

    /// A scan of all columns.
    public PhysicalPlan.Scan scan() {
        return new PhysicalPlan.Scan(
                this, IntStream.range(0, schema.size()).boxed().toList(), List.of(), rows.size());
    }

    /// How the scans that begin later behave.
    void behave(boolean withPauses, Runnable beforeEachBatch) {
        pauses = withPauses;
        beforeBatch = beforeEachBatch;
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public Statistics statistics() {
        return Statistics.unknown(schema.size());
    }

    @Override
    public String describe() {
        return "rows";
    }

    @Override
    public PredicateUse use(ColumnPredicate predicate) {
        return PredicateUse.IGNORED;
    }

    @Override
    public SplitList splits(ScanRequest request) {
        List<Rows> splits = new ArrayList<>();
        for (int from = 0; from < rows.size(); from += SPLIT_ROWS) {
            splits.add(new Rows(from, Math.min(rows.size(), from + SPLIT_ROWS)));
        }
        return new SplitList(splits, splits.size());
    }

    private final class Rows implements Split {
        private static final long serialVersionUID = 1;

        private final int from;
        private final int to;

        Rows(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public long rowCount() {
            return to - from;
        }

        @Override
        public SplitReader open(ScanRequest request, QueryContext query, Allocator allocator) {
            return new Reader(from, to, request.columns(), query, allocator);
        }
    }

    private final class Reader implements SplitReader {
        private final int to;
        private final List<Integer> columns;
        private final QueryContext query;
        private final Allocator allocator;
        private final Random random;
        private final Deque<Batch> made = new ArrayDeque<>();
        private int next;

        Reader(int from, int to, List<Integer> columns, QueryContext query, Allocator allocator) {
            this.next = from;
            this.to = to;
            this.columns = columns;
            this.query = query;
            this.allocator = allocator;
            this.random = new Random(from);
        }

        @Override
        public Step next() {
            if (pauses && random.nextInt(8) == 0) {
                return new Step.Paused(CompletableFuture.runAsync(
                        () -> {}, CompletableFuture.delayedExecutor(200, TimeUnit.MICROSECONDS)));
            }
            if (made.isEmpty() && next < to) {
                int end = Math.min(to, next + query.batchSize());
                List<List<Object>> wanted = new ArrayList<>();
                rows.subList(next, end).forEach(row -> wanted.add(pick(row)));
                Random forms = query.batchSize() <= MOST_ROWS_OF_RANDOM_FORMS ? random : null;
                made.addAll(TestRows.batches(schema.select(columns), wanted, query, allocator, forms));
                next = end;
            }
            beforeBatch.run();
            return made.isEmpty() ? Step.END : made.poll();
        }

        private List<Object> pick(List<Object> row) {
            List<Object> values = new ArrayList<>(); // with nulls
            columns.forEach(column -> values.add(row.get(column)));
            return values;
        }

        @Override
        public void close() {
            made.forEach(Batch::close);
            made.clear();
        }
    }
}
