package dev.chert.operator.sort;

import dev.chert.batch.Batch;
import dev.chert.batch.Step;
import dev.chert.kernel.BatchGather;
import dev.chert.memory.Allocator;
import dev.chert.operator.Operator;
import dev.chert.operator.WorkerContext;
import java.util.List;

/// Merges sorted runs: the source of the pipeline above a sort.
///
/// Keeps order. Holds a heap of the runs by their next entries; memory beyond the runs is the output batch. The
/// runs are given back with the last row, or when this is closed.
final class RunMerge implements Operator {
    private final WorkerContext worker;
    private final List<SortedRun> runs;
    private final EntryOrder order;
    private final BatchGather gather;
    private final int columns;
    private final int batchSize;
    private final Batch[] sources;
    private final int[] firstSource;
    private final int[] next;
    private final int[] heap;
    private final int[] sourceOf;
    private final int[] rowOf;
    private int heapSize;
    private long toSkip;
    private long toGive;

    /// @param runs   borrowed, but closed when they are not needed any more
    /// @param offset rows to leave out at the start
    /// @param fetch  the most rows to give after them
    RunMerge(
            SortSpecification specification,
            List<SortedRun> runs,
            long offset,
            long fetch,
            WorkerContext worker,
            Allocator allocator) {
        this.worker = worker;
        this.runs = runs;
        this.order = new EntryOrder(specification.layout());
        this.gather = new BatchGather(specification.sourceTypes(), false, allocator);
        this.columns = specification.schema().size();
        this.batchSize = worker.query().batchSize();
        this.toSkip = offset;
        this.toGive = fetch;
        this.firstSource = new int[runs.size()];
        int total = 0;
        for (int r = 0; r < runs.size(); r++) {
            firstSource[r] = total;
            total += runs.get(r).sourceCount();
        }
        this.sources = new Batch[total];
        this.next = new int[runs.size()];
        this.heap = new int[runs.size()];
        this.sourceOf = new int[batchSize];
        this.rowOf = new int[batchSize];
        for (int r = 0; r < runs.size(); r++) {
            System.arraycopy(
                    runs.get(r).sources(),
                    0,
                    sources,
                    firstSource[r],
                    runs.get(r).sourceCount());
            if (runs.get(r).count() > 0) {
                heap[heapSize++] = r;
            }
        }
        for (int i = heapSize / 2 - 1; i >= 0; i--) {
            siftDown(i);
        }
    }

    @Override
    public Step next() {
        while (true) {
            if (heapSize == 0 || toGive == 0) {
                close();
                return Step.END;
            }
            if (worker.sliceOver()) {
                return Step.Paused.YIELD;
            }
            worker.query().checkCancelled();
            int wanted = (int) Math.min(batchSize, toSkip > 0 ? toSkip : toGive);
            int count = take(wanted);
            if (toSkip > 0) {
                toSkip -= count;
                continue;
            }
            toGive -= count;
            return gather.gather(sources, sourceOf, rowOf, count, columns);
        }
    }

    @Override
    public void close() {
        heapSize = 0;
        runs.forEach(SortedRun::close);
    }

    /// Takes the next rows of the order.
    ///
    /// @return how many there were, up to `wanted`
    private int take(int wanted) {
        int count = 0;
        while (count < wanted && heapSize > 0) {
            int r = heap[0];
            SortedRun run = runs.get(r);
            long place = run.place(next[r]);
            sourceOf[count] = firstSource[r] + (int) (place >>> 32);
            rowOf[count++] = (int) place;
            if (++next[r] == run.count()) {
                heap[0] = heap[--heapSize];
            }
            siftDown(0);
        }
        return count;
    }

    private void siftDown(int start) {
        int at = start;
        while (true) {
            int least = 2 * at + 1;
            if (least >= heapSize) {
                return;
            }
            if (least + 1 < heapSize && compare(heap[least + 1], heap[least]) < 0) {
                least++;
            }
            if (compare(heap[at], heap[least]) <= 0) {
                return;
            }
            int moved = heap[at];
            heap[at] = heap[least];
            heap[least] = moved;
            at = least;
        }
    }

    private int compare(int a, int b) {
        SortedRun x = runs.get(a);
        SortedRun y = runs.get(b);
        return order.compare(x.entries(), x.at(next[a]), x.sources(), y.entries(), y.at(next[b]), y.sources());
    }
}
