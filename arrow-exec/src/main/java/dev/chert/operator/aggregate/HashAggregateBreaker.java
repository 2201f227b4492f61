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
import java.util.concurrent.atomic.AtomicInteger;

/// Groups rows and aggregates them: every worker into tables of its own, which are merged partition by partition.
///
/// Breaks the pipeline; groups come out in the order in which they were first met where one worker filled one
/// partition, else in any. Without keys there is one group, also of no rows. Memory grows with the groups of all
/// workers, and with the distinct tuples of DISTINCT aggregates.
public final class HashAggregateBreaker implements Breaker {
    /// What is going on.
    private enum Phase {
        /// Workers fill their tables.
        ACCUMULATING,
        /// Partitions are merged.
        MERGING,
        /// Groups can be read.
        DONE
    }

    private static final int LEAST_PARTITIONS = 16;

    private final Aggregation aggregation;
    private final QueryContext query;
    private final Allocator allocator;
    private final int partitions;
    private final boolean constantHash;
    private final List<RowTable> groupTables = new ArrayList<>(); // guards itself, and the list below
    private final List<List<RowTable>> distinctTables = new ArrayList<>(); // for each DISTINCT, one a worker
    private final AtomicInteger partsLeft = new AtomicInteger();
    private volatile Phase phase = Phase.ACCUMULATING;
    private MergedGroups merged;
    private long singleGroup;
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
        aggregation.distincts().forEach(_ -> distinctTables.add(new ArrayList<>()));
    }

    @Override
    public Sink sink(WorkerContext worker) {
        expect(Phase.ACCUMULATING);
        Groups groups = newGroups();
        List<DistinctSet> sets = new ArrayList<>();
        for (Aggregation.Distinct distinct : aggregation.distincts()) {
            sets.add(new DistinctSet(distinct, aggregation.keyCount(), partitions, constantHash, allocator));
        }
        synchronized (groupTables) {
            groupTables.add(groups.table());
            for (int i = 0; i < sets.size(); i++) {
                distinctTables.get(i).add(sets.get(i).table());
            }
        }
        Projection projection = Evaluators.project(aggregation.expressions(), query, allocator);
        return new HashAggregateSink(aggregation, projection, groups, sets, allocator);
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
        phase = Phase.MERGING;
        if (groupTables.isEmpty()) {
            groupTables.add(newGroups().table());
        }
        int parts = agreeOnPartitions();
        if (aggregation.keyCount() == 0) {
            RowTable only = mergeSingleGroups();
            merged = new MergedGroups(1);
            merged.put(0, only);
            parts = aggregation.distincts().isEmpty() ? 0 : parts;
        } else {
            merged = new MergedGroups(parts);
            if (groupTables.size() == 1 && aggregation.distincts().isEmpty()) {
                for (int p = 0; p < parts; p++) {
                    merged.put(p, groupTables.getFirst());
                }
                parts = 0;
            }
        }
        partsLeft.set(parts);
        if (parts == 0) {
            phase = Phase.DONE;
        }
        return parts;
    }

    /// Splits the small tables where others have been split, so that every partition is one of all tables.
    private int agreeOnPartitions() {
        List<RowTable> all = new ArrayList<>();
        if (aggregation.keyCount() > 0) {
            all.addAll(groupTables);
        }
        distinctTables.forEach(all::addAll);
        int most = all.stream().mapToInt(RowTable::partitions).max().orElse(1);
        for (RowTable table : all) {
            if (table.partitions() < most) {
                table.split(most);
            }
        }
        return most;
    }

    /// The states of no keys are merged at once, as there is one row a worker.
    private RowTable mergeSingleGroups() {
        RowTable target = groupTables.getFirst();
        singleGroup = onlyRow(target);
        for (RowTable other : groupTables) {
            if (other != target) {
                long[] from = {onlyRow(other)};
                long[] into = {singleGroup};
                StateMemory memory = new StateMemory(query.memory().manager(), target::heapOf);
                for (Aggregation.State state : aggregation.states()) {
                    state.function().merge(from, into, 1, state.offset(), memory);
                }
            }
        }
        return target;
    }

    private static long onlyRow(RowTable table) {
        long[] place = new long[1];
        int count = table.pages(0).scan().next(place, 1);
        assert count == 1;
        return place[0];
    }

    @Override
    public void closePart(int part) {
        expect(Phase.MERGING);
        query.checkCancelled();
        RowTable groups;
        if (aggregation.keyCount() == 0) {
            groups = merged.table(0);
        } else {
            groups = new TableMerge(aggregation.states(), query).merge(groupTables, part);
            merged.put(part, groups);
        }
        for (int i = 0; i < distinctTables.size(); i++) {
            RowTable tuples = new TableMerge(List.of(), query).merge(distinctTables.get(i), part);
            DistinctFeed feed = new DistinctFeed(aggregation.distincts().get(i), constantHash, query, groups);
            if (aggregation.keyCount() == 0) {
                feed.feedSingle(tuples.pages(part), groups, singleGroup);
            } else {
                feed.feed(tuples.pages(part), groups);
            }
            tuples.releasePartition(part);
        }
        if (aggregation.keyCount() > 0) {
            groups.directory(part).release();
        }
        if (partsLeft.decrementAndGet() == 0) {
            phase = Phase.DONE;
        }
    }

    /// The source of the next pipeline: each worker reads partitions until none is left.
    public OperatorFactory source() {
        return worker -> {
            expect(Phase.DONE);
            return new HashAggregateOperator(aggregation, merged, worker, allocator);
        };
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        groupTables.forEach(RowTable::release);
        distinctTables.forEach(tables -> tables.forEach(RowTable::release));
    }
}
