package dev.chert.operator.sort;

import dev.chert.batch.Batch;
import dev.chert.operator.Breaker;
import dev.chert.operator.OperatorFactory;
import dev.chert.operator.Sink;
import dev.chert.operator.WorkerContext;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.QueryContext;
import java.util.Objects;

/// Orders all rows.
///
/// Breaks the pipeline. Each worker sorts its rows in runs as they fill, the last when its input ends;
/// [#source()] merges all of them. Memory grows with the input's rows.
public final class SortBreaker implements Breaker {
    /// A run is cut after this many rows: few long runs are cheaper to merge than many short ones.
    private static final int RUN_ROWS = 1 << 22;

    private final SortSpecification specification;
    private final OrderedRows rows;
    private final QueryContext query;
    private final String name;
    private final int runRows;

    /// @param operatorName in messages and metrics
    public SortBreaker(PhysicalPlan.Sort node, String operatorName, QueryContext query) {
        this(node, operatorName, query, RUN_ROWS);
    }

    SortBreaker(PhysicalPlan.Sort node, String operatorName, QueryContext query, int runRows) {
        this.runRows = runRows;
        this.specification = SortSpecification.of(node.schema(), node.keys());
        this.rows = new OrderedRows(specification);
        this.query = Objects.requireNonNull(query);
        this.name = Objects.requireNonNull(operatorName);
    }

    @Override
    public Sink sink(WorkerContext worker) {
        RunBuilder builder = new RunBuilder(specification, query, worker.allocator(name));
        return new Sink() {
            @Override
            public void accept(Batch batch) {
                builder.add(batch);
                if (builder.count() >= runRows) {
                    rows.add(builder.finish(Integer.MAX_VALUE));
                }
            }

            @Override
            public void finish() {
                rows.add(builder.finish(Integer.MAX_VALUE));
                builder.close();
            }
        };
    }

    /// The rows in order, as the source of the next pipeline. All come from the worker that opens it first.
    public OperatorFactory source() {
        return worker -> rows.open(0, Long.MAX_VALUE, worker, worker.allocator(name));
    }

    @Override
    public void close() {
        rows.close();
    }
}
