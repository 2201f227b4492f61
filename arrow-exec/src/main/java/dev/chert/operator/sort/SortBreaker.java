package dev.chert.operator.sort;

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
/// [#source()] merges all of them. Memory grows with the input's rows until it is short: then runs move to disk, and a
/// block of each comes back at a time.
public final class SortBreaker implements Breaker {
    /// A run is cut after this many rows: few long runs are cheaper to merge than many short ones, but a pass over one
    /// is not interrupted.
    private static final int RUN_ROWS = 1 << 20;

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
        this.query = Objects.requireNonNull(query);
        this.name = Objects.requireNonNull(operatorName);
        this.rows = new OrderedRows(specification, query, query.memory().allocator(name));
    }

    @Override
    public Sink sink(WorkerContext worker) {
        RunCollector collector =
                new RunCollector(specification, query, worker.allocator(name), runRows, Integer.MAX_VALUE);
        collector.register();
        return collector.sink(rows, worker);
    }

    /// The rows in order, as the source of the next pipeline. All come from the worker that opens it first.
    public OperatorFactory source() {
        return worker -> rows.open(0, Long.MAX_VALUE, worker);
    }

    @Override
    public void close() {
        rows.close();
    }
}
