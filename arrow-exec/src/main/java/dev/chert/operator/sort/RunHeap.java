package dev.chert.operator.sort;

import dev.chert.batch.Batch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Takes rows in order from many sorted runs: a heap of their next entries. Not thread-safe.
///
/// What was taken are places; the sources that they name stay until [#letGo].
final class RunHeap {
    /// With this much of blocks that were read to their ends, a take stops early, since large rows fill them.
    private static final long MOST_DONE_BYTES = 512 << 10;

    private final EntryOrder order;
    private final RunCursor[] heap;
    private int size;
    private final List<RunCursor> all;
    private final List<RunCursor> unread = new ArrayList<>();
    private Batch[] sources = new Batch[16];
    private int sourceCount;
    private final int[] sourceOf;
    private final int[] rowOf;
    private long doneBytes;

    /// @param cursors given
    /// @param rows    the most that are taken at a time
    RunHeap(List<? extends RunCursor> cursors, EntryOrder order, int rows) {
        this.order = order;
        this.all = new ArrayList<>(cursors);
        this.heap = new RunCursor[cursors.size()];
        this.sourceOf = new int[rows];
        this.rowOf = new int[rows];
    }

    /// Reads the first entries of all runs.
    void open() {
        for (RunCursor cursor : all) {
            if (cursor.left() > 0 || cursor.fill()) {
                heap[size++] = cursor;
                number(cursor);
            }
        }
        for (int i = size / 2 - 1; i >= 0; i--) {
            siftDown(i);
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    /// Whether any of the runs that are left lies on disk.
    boolean readsDisk() {
        for (int i = 0; i < size; i++) {
            if (heap[i] instanceof DiskCursor) {
                return true;
            }
        }
        return doneBytes > 0;
    }

    /// Takes the next rows of the order.
    ///
    /// @return how many there were, up to `wanted`; 0 only where there are none
    int take(int wanted) {
        for (RunCursor cursor : unread) {
            cursor.fill();
            number(cursor);
        }
        unread.clear();
        int count = 0;
        while (count < wanted && size > 0 && doneBytes < MOST_DONE_BYTES) {
            RunCursor least = heap[0];
            long place = least.place();
            sourceOf[count] = least.firstSource() + (int) (place >>> 32);
            rowOf[count++] = (int) place;
            if (!least.advance() && !fill(least)) {
                heap[0] = heap[--size];
            }
            siftDown(0);
        }
        return count;
    }

    /// The sources that the rows taken last name, borrowed until [#letGo].
    Batch[] sources() {
        return sources;
    }

    /// Which source each of the rows taken last comes from.
    int[] sourceOf() {
        return sourceOf;
    }

    /// The number in its source of each of the rows taken last.
    int[] rowOf() {
        return rowOf;
    }

    /// Gives back what only the rows taken last needed.
    void letGo() {
        all.forEach(RunCursor::letGo);
        all.removeIf(cursor -> cursor.left() == 0);
        doneBytes = 0;
        Arrays.fill(sources, 0, sourceCount, null);
        sourceCount = 0;
        for (int i = 0; i < size; i++) {
            number(heap[i]);
        }
    }

    /// Bytes of the runs in memory.
    long memoryBytes() {
        long bytes = 0;
        for (RunCursor cursor : all) {
            bytes += cursor instanceof MemoryCursor inMemory ? inMemory.heldBytes() : 0;
        }
        return bytes;
    }

    /// Moves the rest of runs in memory to disk, the largest first, until enough came back. Not between [#take] and
    /// [#letGo].
    ///
    /// @return bytes that did
    long spill(long wantedBytes, RunWriter writer, RunKeys keys) {
        List<MemoryCursor> largestFirst = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            if (heap[i] instanceof MemoryCursor inMemory) {
                largestFirst.add(inMemory);
            }
        }
        largestFirst.sort(Comparator.comparingLong(MemoryCursor::heldBytes).reversed());
        long freed = 0;
        for (MemoryCursor cursor : largestFirst) {
            if (freed >= wantedBytes) {
                break;
            }
            DiskCursor onDisk = new DiskCursor(cursor.spill(writer), keys);
            heap[Arrays.asList(heap).indexOf(cursor)] = onDisk; // whose first entry is the one that was next
            all.remove(cursor);
            all.add(onDisk);
            unread.add(onDisk); // later, since reading takes memory
            freed += cursor.heldBytes();
            cursor.close();
        }
        return freed;
    }

    /// Gives back all runs.
    void close() {
        size = 0;
        all.forEach(RunCursor::close);
        all.clear();
    }

    private boolean fill(RunCursor cursor) {
        long before = cursor.doneBytes();
        boolean more = cursor.fill();
        doneBytes += cursor.doneBytes() - before;
        if (more) {
            number(cursor);
        }
        return more;
    }

    /// Gives the sources that a cursor shows numbers among all.
    private void number(RunCursor cursor) {
        int end = sourceCount + cursor.sourceCount();
        if (end > sources.length) {
            sources = Arrays.copyOf(sources, Math.max(end, 2 * sources.length));
        }
        System.arraycopy(cursor.sources(), 0, sources, sourceCount, cursor.sourceCount());
        cursor.setFirstSource(sourceCount);
        sourceCount = end;
    }

    private void siftDown(int start) {
        int at = start;
        while (true) {
            int least = 2 * at + 1;
            if (least >= size) {
                return;
            }
            if (least + 1 < size && compare(heap[least + 1], heap[least]) < 0) {
                least++;
            }
            if (compare(heap[at], heap[least]) <= 0) {
                return;
            }
            RunCursor moved = heap[at];
            heap[at] = heap[least];
            heap[least] = moved;
            at = least;
        }
    }

    private int compare(RunCursor a, RunCursor b) {
        return order.compare(a.entries(), a.at(), a.sources(), b.entries(), b.at(), b.sources());
    }
}
