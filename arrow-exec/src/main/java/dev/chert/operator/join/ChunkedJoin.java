package dev.chert.operator.join;

import dev.chert.batch.Step;
import dev.chert.memory.Allocator;
import dev.chert.operator.Operator;
import dev.chert.operator.WorkerContext;
import dev.chert.query.QueryContext;

/// Joins rows that waited on disk and that no hash tells apart: build rows are loaded chunk by chunk, and all probe
/// rows pass once a chunk.
///
/// What a pass finds out of probe rows is kept for the next ones; build rows meet all probe rows in one pass.
/// Memory: a chunk, which is what there is room for.
final class ChunkedJoin implements Operator {
    /// A chunk of this many bytes is made however tight memory is.
    static final long LEAST_CHUNK_BYTES = 256 << 10;

    /// The part of the spare memory that a chunk may take: other workers load partitions, too.
    private static final double SHARE = 0.5;

    private enum Phase {
        LOADING,
        LINKING,
        PROBING,
        DONE
    }

    private final JoinShape shape;
    private final SpilledPartition rows;
    private final boolean sawNullKey;
    private final WorkerContext worker;
    private final QueryContext query;
    private final Allocator allocator;
    private final BuildLoader loader;
    private final PassOutcomes outcomes;
    private JoinTable table;
    private BuildPart part;
    private long room;
    private int closingPart;
    private JoinLevel level;
    private HashJoinProbe probe;
    private Phase phase = Phase.LOADING;

    /// @param rows       given
    /// @param sawNullKey whether there was a NULL key among all build rows of the join
    ChunkedJoin(JoinShape shape, SpilledPartition rows, boolean sawNullKey, WorkerContext worker, Allocator allocator) {
        this.shape = shape;
        this.rows = rows;
        this.sawNullKey = sawNullKey;
        this.worker = worker;
        this.query = worker.query();
        this.allocator = allocator;
        this.loader = new BuildLoader(
                shape.layout(),
                rows.build(),
                rows.nullKeys(),
                allocator.account().manager());
        this.outcomes = shape.decidesLeft() ? new PassOutcomes(query.batchSize(), allocator) : null;
    }

    @Override
    public Step next() {
        while (true) {
            query.checkCancelled();
            switch (phase) {
                case LOADING -> load();
                case LINKING -> link();
                case PROBING -> {
                    Step step = probe.next();
                    if (!(step instanceof Step.End)) {
                        return step;
                    }
                    endPass();
                }
                case DONE -> {
                    return Step.END;
                }
            }
            if (phase != Phase.DONE && worker.sliceOver()) {
                return Step.Paused.YIELD;
            }
        }
    }

    private void load() {
        if (table == null) {
            room = Math.max((long) (SHARE * allocator.budget().spareBytes()), LEAST_CHUNK_BYTES);
            table = new JoinTable(shape.layout(), shape.keyCount(), allocator, query::checkCancelled);
            part = table.newPart();
        }
        if (loader.hasMore() && (part.heldBytes() == 0 || hasRoom())) {
            loader.load(part);
        } else {
            table.keepAll();
            closingPart = 0;
            phase = Phase.LINKING;
        }
    }

    /// Whether the chunk may take more rows: it ends before their directory cannot be had.
    private boolean hasRoom() {
        return part.heldBytes() + part.directoryBytes() < room
                && !part.needsLargeDirectory()
                && table.expectMore(BuildLoader.LOAD_ROWS);
    }

    private void link() {
        if (closingPart < JoinTable.CLOSING_PARTS) {
            table.close(closingPart++, query::checkCancelled);
            return;
        }
        table.seal(query::checkCancelled);
        boolean isLast = !loader.hasMore();
        if (outcomes != null) {
            outcomes.beginPass(isLast);
        }
        level = new JoinLevel(shape, table, rows.level(), sawNullKey, 1);
        probe = new HashJoinProbe(level, new ProbeRows(rows.probe(), isLast, worker), outcomes, worker, allocator);
        phase = Phase.PROBING;
    }

    private void endPass() {
        releaseTable();
        if (loader.hasMore()) {
            phase = Phase.LOADING;
        } else {
            close();
        }
    }

    private void releaseTable() {
        if (probe != null) {
            probe.close();
            level.release();
            probe = null;
            level = null;
        }
        if (table != null) {
            table.release();
            table = null;
        }
    }

    @Override
    public void close() {
        phase = Phase.DONE;
        releaseTable();
        loader.close();
        rows.release();
        if (outcomes != null) {
            outcomes.release();
        }
    }
}
