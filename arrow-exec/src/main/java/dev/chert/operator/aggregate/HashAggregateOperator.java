package dev.chert.operator.aggregate;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.Step;
import dev.chert.batch.StringHeap;
import dev.chert.memory.Allocator;
import dev.chert.operator.Operator;
import dev.chert.operator.WorkerContext;
import dev.chert.operator.table.RowLayout;
import dev.chert.operator.table.RowPages;
import dev.chert.operator.table.RowTable;
import java.lang.foreign.MemorySegment;

/// Reads finished groups: keys, then aggregates.
///
/// A source: takes partitions until none is left, gives way when the worker's time slice is over, and gives back
/// a partition that it has read. Memory: the columns of one batch.
final class HashAggregateOperator implements Operator {
    private final Aggregation aggregation;
    private final MergedGroups groups;
    private final WorkerContext worker;
    private final Allocator allocator;
    private final long[] places;
    private int partition = -1;
    private RowPages.Scan scan;

    HashAggregateOperator(Aggregation aggregation, MergedGroups groups, WorkerContext worker, Allocator allocator) {
        this.aggregation = aggregation;
        this.groups = groups;
        this.worker = worker;
        this.allocator = allocator;
        this.places = new long[worker.query().batchSize()];
    }

    @Override
    public Step next() {
        if (worker.sliceOver()) {
            return Step.Paused.YIELD;
        }
        while (true) {
            if (scan == null) {
                partition = groups.take();
                if (partition < 0) {
                    return Step.END;
                }
                scan = groups.table(partition).pages(partition).scan();
            }
            int count = scan.next(places, places.length);
            if (count > 0) {
                return batch(groups.table(partition), count);
            }
            groups.table(partition).releasePartition(partition);
            scan = null;
        }
    }

    private Batch batch(RowTable table, int count) {
        RowLayout layout = table.layout();
        RowPages pages = table.pages(partition);
        MemorySegment[] slabs = table.slabs();
        StringHeap heap = pages.heap();
        int keyCount = aggregation.keyCount();
        Column[] columns = new Column[keyCount + aggregation.results().size()];
        for (int f = 0; f < keyCount; f++) {
            columns[f] =
                    layout.ops(f).load(places, 0, count, layout.field(f), pages.mayBeNull(f), slabs, allocator, heap);
        }
        for (int i = keyCount; i < columns.length; i++) {
            Aggregation.State state = aggregation.results().get(i - keyCount);
            columns[i] = state.function().finish(places, 0, count, state.offset(), slabs, allocator, heap);
        }
        return new Batch(columns, count);
    }

    @Override
    public void close() {
        scan = null; // what was not read goes back with the breaker
    }
}
