package dev.chert.operator.aggregate;

import dev.chert.function.aggregate.StateMemory;
import dev.chert.memory.Allocator;
import dev.chert.operator.table.RowLayout;
import dev.chert.operator.table.RowPages;
import dev.chert.operator.table.RowProbe;
import dev.chert.operator.table.RowRouter;
import dev.chert.operator.table.RowSource;
import dev.chert.operator.table.RowTable;
import dev.chert.operator.table.RowValues;
import dev.chert.operator.table.SpilledRows;
import dev.chert.query.QueryContext;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/// Merges the rows of one part of the keys out of several inputs into one table: rows with the same key become one.
///
/// ```text
/// target directory <--- rows in memory whose key is new: entered where they lie, their pages are adopted
///       |          <--- rows on disk whose key is new: copied
///       +-> row    <--- states of rows whose key is there already: merged, and the row goes
/// ```
///
/// Where the table becomes too large it can be cut up at any time between two steps: what there is and what comes
/// goes to parts on disk by further bits of the hash, each to be merged alone. Not thread-safe. Memory: the inputs
/// in memory and the groups of the others, one block of an input on disk; the blocks of a [RowRouter] after it was cut
/// up.
final class RowMerge {
    private static final int BATCH_ROWS = 1024;

    /// What is smaller fits anywhere, so it is not cut up.
    private static final long LEAST_BYTES = 32 << 10;

    /// After so many levels on which all rows went to the same part, their hashes must be the same.
    private static final int MOST_FRUITLESS = 3;

    /// What decides to which part a row goes; equal for rows with equal keys.
    interface PartHash {
        void read(long[] rows, int count, MemorySegment[] slabs, long[] hashes);
    }

    /// What is to be merged.
    ///
    /// @param level     how often it was cut out of something larger
    /// @param fruitless how often of late that helped nothing
    record Part(List<MergeInput> inputs, int level, int fruitless) {
        /// What was never cut.
        static Part whole(List<MergeInput> inputs) {
            return new Part(inputs, 0, 0);
        }

        long rowCount() {
            return inputs.stream().mapToLong(MergeInput::rowCount).sum();
        }

        long byteSize() {
            return inputs.stream().mapToLong(MergeInput::byteSize).sum();
        }

        void release() {
            inputs.forEach(MergeInput::release);
        }
    }

    private final RowLayout layout;
    private final int keyCount;
    private final List<Aggregation.State> states;
    private final Part part;
    private final QueryContext query;
    private final Allocator allocator;
    private final PartHash partHash;
    private final Deque<MergeInput> inputs = new ArrayDeque<>();
    private final RowProbe probe = new RowProbe();
    private final RowValues keys;
    private final long[] rows = new long[BATCH_ROWS];
    private final long[] hashes = new long[BATCH_ROWS];
    private final long[] places = new long[BATCH_ROWS];
    private final long[] from = new long[BATCH_ROWS];
    private final long[] into = new long[BATCH_ROWS];
    private RowTable target;
    private StateMemory memory;
    private MergeInput current;
    private RowSource source; // of the current input
    private RowRouter router; // once it is cut up
    private boolean done;
    private boolean taken;

    /// @param states of the rows; none for a set of distinct tuples
    /// @param part   given
    RowMerge(
            RowLayout layout,
            int keyCount,
            List<Aggregation.State> states,
            Part part,
            QueryContext query,
            Allocator allocator) {
        this(layout, keyCount, states, part, query, allocator, RowMerge::keptHashes);
    }

    private RowMerge(
            RowLayout layout,
            int keyCount,
            List<Aggregation.State> states,
            Part part,
            QueryContext query,
            Allocator allocator,
            PartHash partHash) {
        this.layout = layout;
        this.keyCount = keyCount;
        this.states = states;
        this.part = part;
        this.query = query;
        this.allocator = allocator;
        this.partHash = partHash;
        this.keys = new RowValues(layout, keyCount);
        List<MergeInput> ordered = new ArrayList<>(part.inputs());
        if (ordered.stream().allMatch(input -> input instanceof MergeInput.InMemory)) {
            ordered.sort(Comparator.comparingLong(MergeInput::rowCount).reversed()); // the first is not moved
        }
        inputs.addAll(ordered);
    }

    /// Merges nothing, but cuts up from the begin.
    ///
    /// @param part     given
    /// @param partHash decides to which part a row goes
    static RowMerge cutUp(RowLayout layout, Part part, PartHash partHash, QueryContext query, Allocator allocator) {
        RowMerge cut = new RowMerge(layout, layout.fieldCount(), List.of(), part, query, allocator, partHash);
        cut.router = new RowRouter(layout, part.level() + 1, part.byteSize(), allocator, query::checkCancelled);
        return cut;
    }

    private static void keptHashes(long[] rows, int count, MemorySegment[] slabs, long[] hashes) {
        for (int i = 0; i < count; i++) {
            hashes[i] = RowTable.hash(slabs, rows[i]);
        }
    }

    /// Merges some rows more.
    ///
    /// @return false once there are no more
    boolean step() {
        if (done) {
            return false;
        }
        if (current == null && !nextInput()) {
            done = true;
            if (router != null) {
                router.finish();
            }
            return false;
        }
        if (source == null) {
            return true; // the input became the target
        }
        int count = source.next(rows, BATCH_ROWS);
        if (count == 0) {
            endInput();
        } else if (router != null) {
            route(count);
        } else {
            merge(count);
        }
        return true;
    }

    private boolean nextInput() {
        current = inputs.poll();
        if (current == null) {
            return false;
        }
        switch (current) {
            case MergeInput.InMemory(RowTable table) -> {
                if (router != null) {
                    router.expectNullsOf(table.pages(0));
                } else if (target == null) {
                    take(table);
                    current = null;
                    source = null;
                    return true;
                } else {
                    target.pages(0).expectNullsOf(table.pages(0));
                }
                source = table.pages(0).scan();
            }
            case MergeInput.OnDisk(SpilledRows spilled) -> {
                if (router != null) {
                    router.expectNullsOf(spilled);
                } else if (target == null) {
                    take(new RowTable(layout, keyCount, 1, allocator));
                }
                source = spilled.reader();
            }
        }
        return true;
    }

    private void take(RowTable table) {
        target = table;
        memory = new StateMemory(query.memory().manager(), table::heapOf);
    }

    private void endInput() {
        switch (current) {
            case MergeInput.InMemory(RowTable table) -> {
                if (router == null) {
                    target.pages(0).adopt(table.pages(0));
                }
            }
            case MergeInput.OnDisk _ -> releaseReader();
        }
        current.release();
        current = null;
        source = null;
    }

    private void releaseReader() {
        if (source instanceof SpilledRows.Reader reader) {
            reader.release();
        }
    }

    private void merge(int count) {
        RowPages pages = target.pages(0);
        keys.gather(layout, rows, count, pages.slabs());
        pages.readHashes(rows, count, hashes);
        if (current instanceof MergeInput.InMemory(RowTable table)) {
            probe.findOrEnter(target, keys, hashes, rows, places);
            int merged = 0;
            for (int i = 0; i < count; i++) {
                from[merged] = rows[i];
                into[merged] = places[i];
                merged += rows[i] != places[i] ? 1 : 0;
            }
            mergeStates(from, into, merged);
            table.pages(0).bury(from, merged);
        } else {
            probe.findOrAdd(target, keys, hashes, places);
            mergeStates(rows, places, count); // a new row has empty states
        }
    }

    private void mergeStates(long[] fromRows, long[] intoRows, int count) {
        for (Aggregation.State state : states) {
            state.function().merge(fromRows, intoRows, count, state.offset(), memory);
        }
    }

    /// Whether [#cutUp] could help.
    boolean canBeCut() {
        return router == null
                && !done
                && target != null
                && target.rowCount() > 1
                && byteSize() >= LEAST_BYTES
                && part.level() < RowTable.MOST_LEVELS
                && part.fruitless() < MOST_FRUITLESS;
    }

    /// What the table costs so far.
    long byteSize() {
        return target == null ? 0 : target.byteSize();
    }

    /// Moves all rows to parts on disk, also those still to come. If that fails, nothing has changed.
    void cutUp() {
        RowRouter parts = new RowRouter(layout, part.level() + 1, byteSize(), allocator, query::checkCancelled);
        boolean complete = false;
        try {
            route(target.pages(0), parts);
            if (current instanceof MergeInput.InMemory(RowTable table)) {
                route(table.pages(0), parts); // the rows that the target has entered lie here
            }
            complete = true;
        } finally {
            if (!complete) {
                parts.abandon();
            }
        }
        router = parts;
        target.release();
        target = null;
        if (current instanceof MergeInput.InMemory) {
            current.release();
            current = null;
            source = null;
        }
    }

    private void route(RowPages pages, RowRouter parts) {
        parts.expectNullsOf(pages);
        long[] found = new long[BATCH_ROWS];
        long[] foundHashes = new long[BATCH_ROWS];
        RowPages.Scan scan = pages.scan();
        for (int count = scan.next(found, BATCH_ROWS); count > 0; count = scan.next(found, BATCH_ROWS)) {
            MemorySegment[] slabs = pages.slabs();
            partHash.read(found, count, slabs, foundHashes);
            parts.add(found, count, foundHashes, slabs);
        }
    }

    private void route(int count) {
        MemorySegment[] slabs = query.memory().manager().slabs();
        partHash.read(rows, count, slabs, hashes);
        router.add(rows, count, hashes, slabs);
    }

    boolean isCutUp() {
        return router != null;
    }

    /// The merged rows, in the only partition of a table, once [#step] has ended without a cut. The caller's.
    RowTable table() {
        assert done && router == null;
        RowTable table = target == null ? new RowTable(layout, keyCount, 1, allocator) : target;
        target = null;
        return table;
    }

    /// The parts, once [#step] has ended after a cut; all of them, also empty ones. The caller's.
    List<Part> parts() {
        assert done && router != null;
        taken = true;
        SpilledRows[] spilled = router.finish();
        long total = Arrays.stream(spilled).mapToLong(SpilledRows::rowCount).sum();
        return Arrays.stream(spilled)
                .map(rowsOfPart -> new Part(
                        List.of(new MergeInput.OnDisk(rowsOfPart)),
                        part.level() + 1,
                        rowsOfPart.rowCount() == total ? part.fruitless() + 1 : 0))
                .toList();
    }

    /// Gives back what was not taken; a second call does nothing.
    void release() {
        if (target != null) {
            target.release();
            target = null;
        }
        releaseReader();
        source = null;
        if (current != null) {
            current.release();
            current = null;
        }
        if (router != null && !taken) {
            router.abandon();
        }
        inputs.forEach(MergeInput::release);
        inputs.clear();
        done = true;
    }
}
