package dev.chert.operator.aggregate;

import dev.chert.expression.Evaluators;
import dev.chert.expression.Projection;
import dev.chert.function.aggregate.StateMemory;
import dev.chert.memory.Allocator;
import dev.chert.operator.Breaker;
import dev.chert.operator.OperatorFactory;
import dev.chert.operator.Sink;
import dev.chert.operator.WorkerContext;
import dev.chert.operator.table.RowTable;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import java.util.ArrayList;
import java.util.List;

/// Groups rows and aggregates them: every worker into tables of its own, which are merged partition by partition.
///
/// Breaks the pipeline; groups come out in the order in which they were first met where one worker filled one
/// partition and nothing was spilled, else in any. Without keys there is one group, also of no rows. Merging is left
/// to those who read the groups, so that no more than the partitions in hand are merged at any time. Memory grows
/// with the groups of all workers, and with the distinct tuples of DISTINCT aggregates, until they are spilled.
public final class HashAggregateBreaker implements Breaker {
    /// What is going on.
    private enum Phase {
        /// Workers fill their tables.
        ACCUMULATING,
        /// Groups are merged and read.
        READING
    }

    /// Under a limit of 64 MB, 32 let some hundred MB of groups be merged without being cut up.
    private static final int LEAST_PARTITIONS = 32;

    private final Aggregation aggregation;
    private final QueryContext query;
    private final Allocator allocator;
    private final int partitions;
    private final boolean constantHash;
    private final List<WorkerGroups> workerGroups = new ArrayList<>(); // guards itself
    private volatile Phase phase = Phase.ACCUMULATING;
    private MergeQueue queue;
    private SingleGroup singleGroup; // where there are no keys
    private boolean closed;

    /// @param operatorName the name in messages, as `HashAggregate 3`
    /// @param workers      of the pipeline that fills it
    public HashAggregateBreaker(PhysicalPlan.HashAggregate node, String operatorName, QueryContext query, int workers) {
        this.aggregation = new Aggregation(node, query.settings());
        this.query = query;
        this.allocator = query.memory().allocator(operatorName);
        int wanted = Math.max(LEAST_PARTITIONS, 4 * workers);
        this.partitions = Math.min(Integer.highestOneBit(2 * wanted - 1), RowTable.MOST_PARTITIONS);
        this.constantHash = query.settings().get(Settings.CONSTANT_HASH);
    }

    @Override
    public Sink sink(WorkerContext worker) {
        expect(Phase.ACCUMULATING);
        allocator.spillFile(); // while there is memory for what it needs
        WorkerGroups state = newWorkerGroups();
        synchronized (workerGroups) {
            workerGroups.add(state);
        }
        state.register();
        Projection projection = Evaluators.project(aggregation.expressions(), query, allocator);
        return new HashAggregateSink(aggregation, projection, state, allocator);
    }

    private WorkerGroups newWorkerGroups() {
        int keyCount = aggregation.keyCount();
        List<DistinctSet> sets = new ArrayList<>();
        for (Aggregation.Distinct distinct : aggregation.distincts()) {
            sets.add(new DistinctSet(distinct, keyCount, partitions, constantHash, allocator));
        }
        return new WorkerGroups(newGroups(), sets, keyCount > 0, partitions, allocator, query::checkCancelled);
    }

    private Groups newGroups() {
        int keyCount = aggregation.keyCount();
        if (keyCount == 0) {
            return new SingleGroup(aggregation.layout(), allocator);
        }
        GroupTable table = new GroupTable(aggregation.layout(), keyCount, partitions, constantHash, allocator);
        return new DirectGroups(table, keyCount);
    }

    private void expect(Phase expected) {
        if (phase != expected) {
            throw new IllegalStateException("the aggregation is " + phase + ", not " + expected);
        }
    }

    @Override
    public int closingParts() {
        expect(Phase.ACCUMULATING);
        if (workerGroups.isEmpty()) {
            workerGroups.add(newWorkerGroups());
        }
        boolean hasKeys = aggregation.keyCount() > 0;
        if (!hasKeys) {
            mergeSingleGroups();
        }
        int most =
                workerGroups.stream().mapToInt(WorkerGroups::partitions).max().orElseThrow();
        queue = new MergeQueue(workerGroups, hasKeys, aggregation.distincts().size(), most);
        phase = Phase.READING;
        return 0;
    }

    /// The states of no keys are merged at once, as there is one row a worker.
    private void mergeSingleGroups() {
        for (WorkerGroups worker : workerGroups) {
            SingleGroup other = (SingleGroup) worker.groups();
            if (singleGroup == null) {
                singleGroup = other;
                continue;
            }
            long[] from = {other.place()};
            long[] into = {singleGroup.place()};
            StateMemory memory = new StateMemory(query.memory().manager(), singleGroup.table()::heapOf);
            for (Aggregation.State state : aggregation.states()) {
                state.function().merge(from, into, 1, state.offset(), memory);
            }
        }
    }

    /// The source of the next pipeline: each worker merges and reads partitions until none is left.
    public OperatorFactory source() {
        return worker -> {
            expect(Phase.READING);
            return new HashAggregateOperator(aggregation, queue, singleGroup, constantHash, worker, allocator);
        };
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        workerGroups.forEach(WorkerGroups::close);
        if (queue != null) {
            queue.release();
        }
    }
}
