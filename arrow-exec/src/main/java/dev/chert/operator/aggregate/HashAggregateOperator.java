package dev.chert.operator.aggregate;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.RowPlace;
import dev.chert.batch.Step;
import dev.chert.batch.StringHeap;
import dev.chert.memory.Allocator;
import dev.chert.operator.Operator;
import dev.chert.operator.WorkerContext;
import dev.chert.operator.table.RowLayout;
import dev.chert.operator.table.RowPages;
import dev.chert.operator.table.RowTable;
import dev.chert.query.QueryContext;
import java.lang.foreign.MemorySegment;

/// Merges groups and reads them: keys, then aggregates.
///
/// A source: takes partitions from a [MergeQueue] until none is left, gives way when the worker's time slice is over,
/// also within a partition, and gives back a partition that it has read. Without keys whoever finishes the last
/// partition reads the only group. Memory: one partition's groups, or those of a part of it, and the columns of one
/// batch.
final class HashAggregateOperator implements Operator {
    private final Aggregation aggregation;
    private final MergeQueue queue;
    private final SingleGroup singleGroup;
    private final boolean constantHash;
    private final WorkerContext worker;
    private final QueryContext query;
    private final Allocator allocator;
    private final long[] places;
    private PortionMerge merge;
    private RowTable groups; // merged, being read
    private RowPages.Scan scan;

    /// @param singleGroup where there are no keys, borrowed; else null
    HashAggregateOperator(
            Aggregation aggregation,
            MergeQueue queue,
            SingleGroup singleGroup,
            boolean constantHash,
            WorkerContext worker,
            Allocator allocator) {
        this.aggregation = aggregation;
        this.queue = queue;
        this.singleGroup = singleGroup;
        this.constantHash = constantHash;
        this.worker = worker;
        this.query = worker.query();
        this.allocator = allocator;
        this.places = new long[query.batchSize()];
    }

    @Override
    public Step next() {
        while (!worker.sliceOver()) {
            if (groups != null) {
                int count = scan.next(places, places.length);
                if (count > 0) {
                    return batch(groups, count);
                }
                releaseGroups();
            } else if (merge != null) {
                query.checkCancelled();
                if (!merge.step()) {
                    endMerge();
                }
            } else if (!beginMerge()) {
                return Step.END;
            }
        }
        return Step.Paused.YIELD;
    }

    private boolean beginMerge() {
        Portion portion = queue.take();
        if (portion == null) {
            return false;
        }
        RowTable onlyTable = singleGroup == null ? null : singleGroup.table();
        long onlyGroup = singleGroup == null ? RowPlace.NONE : singleGroup.place();
        merge = new PortionMerge(aggregation, portion, queue, onlyTable, onlyGroup, constantHash, query, allocator);
        merge.register();
        return true;
    }

    private void endMerge() {
        queue.add(merge.cutPortions());
        groups = merge.table();
        merge.close();
        merge = null;
        if (singleGroup != null && queue.finish()) {
            groups = singleGroup.table();
        }
        scan = groups == null ? null : groups.pages(0).scan();
    }

    private void releaseGroups() {
        groups.release();
        groups = null;
        scan = null;
    }

    private Batch batch(RowTable table, int count) {
        RowLayout layout = table.layout();
        RowPages pages = table.pages(0);
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
        if (merge != null) {
            merge.close();
            merge = null;
        }
        if (groups != null) {
            releaseGroups();
        }
    }
}
