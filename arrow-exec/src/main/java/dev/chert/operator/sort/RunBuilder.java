package dev.chert.operator.sort;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.Layouts;
import dev.chert.error.ResourceException;
import dev.chert.expression.Evaluators;
import dev.chert.expression.Projection;
import dev.chert.expression.SortKey;
import dev.chert.kernel.BatchGather;
import dev.chert.kernel.HeldBytes;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.query.QueryContext;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/// One worker's rows on their way to a sorted run: batches come in, entries and their sources grow. Not
/// thread-safe.
///
/// A batch of which few rows are wanted would keep many in memory, and a small one costs as much to look after as
/// a large one; so such batches are gathered into dense ones as soon as there is a batch full of them.
/// Memory grows with the rows held: the sources, and an entry a row.
final class RunBuilder {
    private static final int FIRST_ENTRY_BYTES = 32 << 10;

    /// Entries take at most this part of the memory limit, since they must double in one piece.
    private static final int ENTRIES_PART = 16;

    private static final long MOST_ENTRY_BYTES = 1 << 30;
    private static final int MOST_LOOSE_SOURCES = 32;

    private enum Sorting {
        NOT,
        BEGUN,
        DONE
    }

    private final SortSpecification specification;
    private final KeyLayout layout;
    private final Projection keyProjection;
    private final EntryOrder order;
    private final EntrySorter sorter;
    private final BatchGather gather;
    private final Allocator allocator;
    private final int entryBytes;
    private final long mostEntryBytes;
    private final int batchSize;

    private Buffer entries;
    private Sorting sorting = Sorting.NOT;
    private int capacity;
    private int count;
    private Batch[] sources = new Batch[16];
    private int sourceCount;
    private long sourceBytes;
    private int looseSources;
    private int looseEntries;
    private int looseRows;
    private int[] scratch;

    /// An entry that every further row must come before, in a run of its own; null while any row is welcome.
    private Buffer threshold;

    private Batch[] thresholdSource;

    RunBuilder(SortSpecification specification, QueryContext query, Allocator allocator) {
        this.specification = specification;
        this.layout = specification.layout();
        this.keyProjection = Evaluators.project(
                specification.keys().stream().map(SortKey::expression).toList(), query, allocator);
        this.order = new EntryOrder(layout);
        this.sorter = new EntrySorter(layout, order, query);
        this.gather = new BatchGather(specification.sourceTypes(), true, allocator);
        this.allocator = allocator;
        this.entryBytes = layout.entryBytes();
        this.mostEntryBytes = Math.max(
                FIRST_ENTRY_BYTES,
                Long.highestOneBit(
                        Math.clamp(allocator.account().manager().limitBytes() / ENTRIES_PART, 1, MOST_ENTRY_BYTES)));
        this.batchSize = query.batchSize();
        this.scratch = new int[batchSize];
    }

    /// Rows held.
    int count() {
        return count;
    }

    /// About how much memory comes back when the builder is emptied.
    long heldBytes() {
        return (entries == null ? 0 : entries.reservedBytes()) + sourceBytes;
    }

    /// Takes the selected rows of a batch, as far as the threshold lets them in.
    ///
    /// @param batch given; [#makeRoom] was called for as many rows
    void add(Batch batch) {
        sorting = Sorting.NOT;
        int selected = batch.selectedRows();
        if (selected == 0) {
            batch.close();
            return;
        }
        if (scratch.length < selected) {
            scratch = new int[selected];
        }
        Column[] keys = keyProjection.evaluate(batch);
        MemorySegment segment = entries.segment();
        layout.write(keys, batch.selection(), selected, segment, at(count), scratch);
        int[] selection = batch.selection();
        for (int i = 0; i < selected; i++) {
            int row = selection == null ? i : selection[i];
            segment.set(Layouts.LONG, at(count + i) + layout.placeOffset(), (long) sourceCount << 32 | row);
        }
        addSource(asSource(batch, keys));
        int kept = threshold == null ? selected : keepBelowThreshold(selected);
        if (kept == 0) {
            Batch unwanted = sources[--sourceCount];
            sourceBytes -= HeldBytes.of(unwanted);
            unwanted.close();
            sources[sourceCount] = null;
            return;
        }
        count += kept;
        looseEntries += kept;
        looseSources++;
        looseRows += batch.rowCount();
        if (looseEntries >= batchSize || looseSources == MOST_LOOSE_SOURCES) {
            settle();
        }
    }

    /// Sorts what is held, as far as the time slice goes; adding rows begins anew.
    ///
    /// @return whether it is sorted
    boolean sortMore(BooleanSupplier sliceOver) {
        if (sorting == Sorting.NOT && count > 0) {
            sorter.start(entries.segment(), count, sources);
            sorting = Sorting.BEGUN;
        }
        if (sorting == Sorting.BEGUN && sorter.sortMore(sliceOver)) {
            sorting = Sorting.DONE;
        }
        return sorting != Sorting.BEGUN;
    }

    private void sort() {
        while (!sortMore(() -> false)) {
            // goes on to the end
        }
    }

    /// Sorts what is held and hands it over; the builder is empty afterwards, its threshold stays.
    ///
    /// @param most rows after this many of the order are left out
    /// @return     null if there are no rows
    SortedRun finish(int most) {
        if (count == 0) {
            return null;
        }
        sort();
        SortedRun run = new SortedRun(entries, Math.min(count, most), sources, sourceCount, sourceBytes, layout);
        entries = null;
        capacity = 0;
        count = 0;
        sorting = Sorting.NOT;
        sources = new Batch[16];
        sourceCount = 0;
        sourceBytes = 0;
        looseSources = 0;
        looseEntries = 0;
        looseRows = 0;
        return run;
    }

    /// Keeps the first `most` rows of the order and lets in no row from now on that would not be among them.
    ///
    /// @throws ResourceException if there is no memory for that: it may hold no more than the `most` rows then, sorted,
    ///     and lets in what it did before
    void cut(int most) {
        if (count <= most) {
            return;
        }
        sort();
        count = most;
        densify(0, 0);
        looseSources = 0;
        looseEntries = 0;
        looseRows = 0;
        long last = at(count - 1);
        long place = entries.segment().get(Layouts.LONG, last + layout.placeOffset());
        Batch source = sources[(int) (place >>> 32)];
        Batch lastRow = gather.gather(
                new Batch[] {source},
                new int[] {0},
                new int[] {(int) place},
                1,
                specification.sourceTypes().size());
        if (threshold == null) {
            threshold = thresholdOrClose(lastRow);
            thresholdSource = new Batch[1];
        } else {
            thresholdSource[0].close();
        }
        thresholdSource[0] = lastRow;
        MemorySegment.copy(entries.segment(), last, threshold.segment(), 0, entryBytes);
        threshold.segment().set(Layouts.LONG, layout.placeOffset(), 0);
    }

    private Buffer thresholdOrClose(Batch lastRow) {
        try {
            return allocator.allocate(entryBytes);
        } catch (ResourceException e) {
            lastRow.close();
            throw e;
        }
    }

    /// Gives back all that it holds.
    void close() {
        keyProjection.close();
        if (entries != null) {
            entries.release();
            entries = null;
        }
        for (int s = 0; s < sourceCount; s++) {
            sources[s].close();
        }
        sourceCount = 0;
        count = 0;
        if (threshold != null) {
            threshold.release();
            thresholdSource[0].close();
            threshold = null;
        }
    }

    /// The batch with the computed strings that its ties need as further columns.
    private Batch asSource(Batch batch, Column[] keys) {
        int width = batch.columnCount();
        Column[] columns = Arrays.copyOf(
                batch.columns().toArray(Column[]::new),
                width + layout.computedStrings().size());
        for (int key : layout.computedStrings()) {
            columns[width++] = keys[key];
            keys[key].retain();
        }
        for (int c = 0; c < batch.columnCount(); c++) {
            columns[c].retain();
        }
        for (Column key : keys) {
            key.release();
        }
        Batch source = new Batch(columns, batch.rowCount());
        batch.close();
        return source;
    }

    /// Drops those of the `added` last entries that do not come before the threshold.
    private int keepBelowThreshold(int added) {
        MemorySegment segment = entries.segment();
        int kept = 0;
        for (int i = 0; i < added; i++) {
            long from = at(count + i);
            if (order.compare(segment, from, sources, threshold.segment(), 0, thresholdSource) < 0) {
                if (kept != i) {
                    MemorySegment.copy(segment, from, segment, at(count + kept), entryBytes);
                }
                kept++;
            }
        }
        return kept;
    }

    /// Lets the last batches be sources as they are if they are few and mostly wanted, else gathers them.
    private void settle() {
        if (looseSources > 2 || looseEntries < looseRows / 2) {
            densify(count - looseEntries, sourceCount - looseSources);
        }
        looseSources = 0;
        looseEntries = 0;
        looseRows = 0;
    }

    /// Replaces the sources from `firstSource` on by dense ones that have the rows of the entries from
    /// `firstEntry` on, in the entries' order. Where that is refused, sources and entries stay as they were.
    private void densify(int firstEntry, int firstSource) {
        int denseSources = Math.ceilDiv(count - firstEntry, batchSize);
        Batch[] dense = Arrays.copyOf(sources, Math.max(16, firstSource + denseSources));
        int denseCount = firstSource;
        try {
            for (int from = firstEntry; from < count; from += batchSize) {
                dense[denseCount] = gathered(from, Math.min(batchSize, count - from));
                denseCount++;
            }
        } catch (ResourceException e) {
            for (int s = firstSource; s < denseCount; s++) {
                dense[s].close();
            }
            throw e;
        }
        MemorySegment segment = entries.segment();
        for (int entry = firstEntry; entry < count; entry++) {
            long source = firstSource + (entry - firstEntry) / batchSize;
            long row = (entry - firstEntry) % batchSize;
            segment.set(Layouts.LONG, at(entry) + layout.placeOffset(), source << 32 | row);
        }
        for (int s = firstSource; s < sourceCount; s++) {
            sourceBytes -= HeldBytes.of(sources[s]);
            sources[s].close();
        }
        for (int s = firstSource; s < denseCount; s++) {
            sourceBytes += HeldBytes.of(dense[s]);
        }
        Arrays.fill(dense, denseCount, dense.length, null);
        sources = dense;
        sourceCount = denseCount;
    }

    /// The rows of some entries, in their order.
    private Batch gathered(int firstEntry, int rows) {
        MemorySegment segment = entries.segment();
        int[] sourceOf = new int[rows];
        int[] rowOf = new int[rows];
        for (int i = 0; i < rows; i++) {
            long place = segment.get(Layouts.LONG, at(firstEntry + i) + layout.placeOffset());
            sourceOf[i] = (int) (place >>> 32);
            rowOf[i] = (int) place;
        }
        return gather.gather(
                sources, sourceOf, rowOf, rows, specification.sourceTypes().size());
    }

    private void addSource(Batch source) {
        if (sourceCount == sources.length) {
            sources = Arrays.copyOf(sources, 2 * sourceCount);
        }
        sources[sourceCount++] = source;
        sourceBytes += HeldBytes.of(source);
    }

    /// Makes room for some rows more.
    ///
    /// @return false if there is none, because entries have a large part of the memory or because it was refused: what
    ///     is held should become a run, after which there is room
    boolean makeRoom(int rows) {
        if (count > 0 && entryBytesFor(rows) > mostEntryBytes) {
            return false;
        }
        try {
            takeRoom(rows);
            return true;
        } catch (ResourceException _) {
            return false;
        }
    }

    /// Makes room for some rows more.
    ///
    /// @throws ResourceException if it is refused
    void takeRoom(int rows) {
        long bytes = entryBytesFor(rows);
        if (bytes == 0) {
            return;
        }
        Buffer grown = allocator.allocate(bytes);
        if (entries != null) {
            MemorySegment.copy(entries.segment(), 0, grown.segment(), 0, at(count));
            entries.release();
        }
        entries = grown;
        capacity = (int) Math.min(Integer.MAX_VALUE, bytes / entryBytes);
    }

    /// Bytes of the entries that hold some rows more, and the one more that sorting needs; 0 if the present ones do.
    private long entryBytesFor(int rows) {
        int wanted = Math.addExact(count, rows) + 1;
        return wanted <= capacity
                ? 0
                : Long.highestOneBit(2 * Math.max(FIRST_ENTRY_BYTES, (long) wanted * entryBytes) - 1);
    }

    private long at(int entry) {
        return (long) entry * entryBytes;
    }
}
