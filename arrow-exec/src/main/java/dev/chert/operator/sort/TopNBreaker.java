package dev.chert.operator.sort;

import dev.chert.batch.Batch;
import dev.chert.operator.Breaker;
import dev.chert.operator.OperatorFactory;
import dev.chert.operator.Sink;
import dev.chert.operator.WorkerContext;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.QueryContext;
import java.util.Objects;

/// Gives the first rows of an order.
///
/// Breaks the pipeline. Each worker buffers rows until it holds twice as many as are wanted, keeps the first of
/// them, and from then on lets in only what comes before the last of these: a threshold that moves down.
/// [#source()] merges what the workers kept. Memory grows with offset + fetch, a worker, until it is short: then rows
/// move to disk in sorted runs.
public final class TopNBreaker implements Breaker {
    /// Few rows are worth a larger buffer: it is cut less often.
    private static final int LEAST_BUFFERED = 1 << 12;

    /// The most rows for which a worker keeps one buffer; more are sorted in runs, each cut to what is wanted.
    private static final int MOST_BUFFERED = 1 << 19;

    private final SortSpecification specification;
    private final OrderedRows rows;
    private final QueryContext query;
    private final String name;
    private final long offset;
    private final long fetch;
    private final long wanted;

    /// @param operatorName in messages and metrics
    public TopNBreaker(PhysicalPlan.TopN node, String operatorName, QueryContext query) {
        this.specification = SortSpecification.of(node.schema(), node.keys());
        this.query = Objects.requireNonNull(query);
        this.name = Objects.requireNonNull(operatorName);
        this.rows = new OrderedRows(specification, query, query.memory().allocator(name));
        this.offset = node.offset();
        this.fetch = node.fetch();
        this.wanted = fetch == 0 ? 0 : fetch > Long.MAX_VALUE - offset ? Long.MAX_VALUE : offset + fetch;
    }

    @Override
    public Sink sink(WorkerContext worker) {
        int most = (int) Math.min(wanted, Integer.MAX_VALUE);
        if (most == 0) {
            return new NoRows();
        }
        int buffered = (int) Math.min(MOST_BUFFERED, Math.max(LEAST_BUFFERED, 2L * most));
        RunCollector collector = new RunCollector(specification, query, worker.allocator(name), buffered, most);
        collector.register();
        return collector.sink(rows, worker);
    }

    /// Where no row is wanted.
    private static final class NoRows implements Sink {
        @Override
        public void accept(Batch batch) {
            batch.close();
        }

        @Override
        public void finish() {
            // holds nothing
        }
    }

    /// True at once where no row is wanted.
    @Override
    public boolean isSatisfied() {
        return wanted == 0;
    }

    /// The rows wanted, in order, as the source of the next pipeline. All come from the worker that opens it
    /// first.
    public OperatorFactory source() {
        return worker -> rows.open(offset, fetch, worker);
    }

    @Override
    public void close() {
        rows.close();
    }
}
