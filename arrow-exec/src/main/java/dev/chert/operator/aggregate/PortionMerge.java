package dev.chert.operator.aggregate;

import dev.chert.batch.RowPlace;
import dev.chert.memory.Allocator;
import dev.chert.memory.GuardedState;
import dev.chert.operator.table.RowTable;
import dev.chert.query.QueryContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Finishes the groups of one [Portion], step by step.
///
/// ```text
/// groups: RowMerge --- fits ---> table of groups <--- DistinctFeed <--- fits --- RowMerge :tuples of a DISTINCT
///            |                                             ^               |
///            +-- cut up by the key's hash, with            +---------------+-- cut up by the tuple's hash: the
///                the tuples: portions of their own             parts are fed one after the other
/// ```
///
/// So neither many groups nor one group with many tuples must fit at once; what must fit are the groups whose
/// hashes are all the same. Memory: the table, and one of tuples.
final class PortionMerge extends GuardedState {
    private final Aggregation aggregation;
    private final Portion portion;
    private final MergeQueue queue;
    private final RowTable onlyTable;
    private final long onlyGroup;
    private final boolean constantHash;
    private final QueryContext query;
    private final Allocator allocator;
    private final RowMerge groups;
    private final Deque<RowMerge.Part> tupleParts = new ArrayDeque<>();
    private final List<List<RowMerge.Part>> cutTuples = new ArrayList<>(); // for each DISTINCT that was cut up
    private List<RowMerge.Part> cutGroups;
    private RowTable table;
    private int distinct = -1;
    private DistinctFeed feed;
    private RowMerge tuples;
    private RowTable tupleTable;
    private volatile long held;

    /// @param portion   given
    /// @param queue     from which it comes
    /// @param onlyTable where there are no keys, the table with the only group, borrowed; else null
    /// @param onlyGroup its row, or [RowPlace#NONE]
    PortionMerge(
            Aggregation aggregation,
            Portion portion,
            MergeQueue queue,
            RowTable onlyTable,
            long onlyGroup,
            boolean constantHash,
            QueryContext query,
            Allocator allocator) {
        super(allocator);
        this.aggregation = aggregation;
        this.portion = portion;
        this.queue = queue;
        this.onlyTable = onlyTable;
        this.onlyGroup = onlyGroup;
        this.constantHash = constantHash;
        this.query = query;
        this.allocator = allocator;
        this.groups = portion.groups() == null
                ? null
                : new RowMerge(
                        aggregation.layout(),
                        aggregation.keyCount(),
                        aggregation.states(),
                        portion.groups(),
                        query,
                        allocator);
    }

    /// Works on some rows.
    ///
    /// @return false once all is done
    boolean step() {
        return workFor(() -> {
            boolean more = advance();
            held = releasable();
            return more;
        });
    }

    private boolean advance() {
        if (groups != null && table == null && cutGroups == null) {
            if (!groups.step()) {
                endGroups();
            }
            return true;
        }
        return cutGroups == null ? feedTuples() : cutTuples();
    }

    private void endGroups() {
        if (groups.isCutUp()) {
            cutGroups = groups.parts();
        } else {
            table = groups.table();
        }
    }

    /// The tuples go where their groups went.
    private boolean cutTuples() {
        if (tuples == null) {
            if (++distinct == portion.tuples().size()) {
                return false;
            }
            RowMerge.Part part = new RowMerge.Part(
                    portion.tuples().get(distinct), portion.groups().level(), 0);
            Aggregation.Distinct which = aggregation.distincts().get(distinct);
            tuples = RowMerge.cutUp(which.layout(), part, tupleHash(which), query, allocator);
        } else if (!tuples.step()) {
            cutTuples.add(tuples.parts());
            tuples = null;
        }
        return true;
    }

    private TupleHash tupleHash(Aggregation.Distinct which) {
        return new TupleHash(which.layout(), aggregation.keyCount(), constantHash);
    }

    private boolean feedTuples() {
        if (tupleTable != null) {
            if (!feed.step()) {
                tupleTable.release();
                tupleTable = null;
            }
        } else if (tuples != null) {
            if (!tuples.step()) {
                endTuples();
            }
        } else if (!tupleParts.isEmpty()) {
            beginTuples(tupleParts.pop());
        } else {
            if (++distinct == portion.tuples().size()) {
                return false;
            }
            Aggregation.Distinct which = aggregation.distincts().get(distinct);
            feed = new DistinctFeed(which, groups == null ? onlyTable : table, onlyGroup, tupleHash(which), query);
            tupleParts.push(RowMerge.Part.whole(portion.tuples().get(distinct)));
        }
        return true;
    }

    private void beginTuples(RowMerge.Part part) {
        if (part.rowCount() == 0) {
            part.release();
            return;
        }
        Aggregation.Distinct which = aggregation.distincts().get(distinct);
        tuples = new RowMerge(which.layout(), which.layout().fieldCount(), List.of(), part, query, allocator);
    }

    private void endTuples() {
        if (tuples.isCutUp()) {
            tuples.parts().forEach(tupleParts::push);
        } else {
            tupleTable = tuples.table();
            tupleTable.directory(0).release();
            feed.begin(tupleTable.pages(0));
        }
        tuples = null;
    }

    /// The finished groups, in one partition without a directory; null where there are none. The caller's, once.
    RowTable table() {
        RowTable finished = table;
        table = null;
        if (finished != null) {
            finished.directory(0).release();
        }
        return finished;
    }

    /// The portions into which this one was cut, the caller's, once; none where it was not.
    List<Portion> cutPortions() {
        List<Portion> portions = new ArrayList<>();
        for (int p = 0; cutGroups != null && p < cutGroups.size(); p++) {
            List<List<MergeInput>> inputs = new ArrayList<>();
            for (List<RowMerge.Part> parts : cutTuples) {
                inputs.add(parts.get(p).inputs());
            }
            if (cutGroups.get(p).rowCount() > 0) { // else it has no tuples either
                portions.add(new Portion(cutGroups.get(p), inputs));
            }
        }
        cutGroups = null;
        cutTuples.clear();
        return portions;
    }

    @Override
    protected long heldBytes() {
        return held;
    }

    private long releasable() {
        RowMerge merge = releasableMerge();
        return merge == null ? 0 : merge.byteSize();
    }

    private RowMerge releasableMerge() {
        if (groups != null && groups.canBeCut()) {
            return groups;
        }
        return tuples != null && tuples.canBeCut() ? tuples : null;
    }

    @Override
    protected long release(long wantedBytes) {
        RowMerge merge = releasableMerge();
        if (merge == null) {
            return 0;
        }
        long freed = queue.spillWaiting(wantedBytes); // written once, where a cut writes what comes from disk again
        if (freed < wantedBytes) {
            freed += merge.byteSize();
            merge.cutUp();
            held = 0;
        }
        return freed;
    }

    /// Gives back what was not taken; called once.
    void close() {
        unregister();
        if (groups != null) {
            groups.release();
        }
        if (tuples != null) {
            tuples.release();
        }
        for (RowTable any : new RowTable[] {table, tupleTable}) {
            if (any != null) {
                any.release();
            }
        }
        tupleParts.forEach(RowMerge.Part::release);
        cutPortions().forEach(Portion::release);
        for (int d = distinct + 1; d < portion.tuples().size(); d++) {
            portion.tuples().get(d).forEach(MergeInput::release);
        }
    }
}
