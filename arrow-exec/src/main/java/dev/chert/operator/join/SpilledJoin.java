package dev.chert.operator.join;

import dev.chert.batch.Step;
import dev.chert.memory.Allocator;
import dev.chert.operator.Operator;
import dev.chert.operator.WorkerContext;
import dev.chert.query.QueryContext;

/// Joins the two sides of a partition that waited on disk as the whole join does, one level deeper: what does not
/// fit into memory then waits once more.
final class SpilledJoin implements Operator {
    private enum Phase {
        LOADING,
        LINKING,
        PROBING,
        DONE
    }

    /// The part of the memory that a table's rows have or may take: other workers load partitions, too.
    private static final double SHARE = 0.5;

    private final JoinShape shape;
    private final SpilledPartition rows;
    private final boolean sawNullKey;
    private final WorkerContext worker;
    private final QueryContext query;
    private final Allocator allocator;
    private final BuildLoader loader;
    private final JoinTable table;
    private final BuildPart part;
    private int closingPart;
    private JoinLevel level;
    private HashJoinProbe probe;
    private Phase phase = Phase.LOADING;

    /// @param rows       given
    /// @param sawNullKey whether there was a NULL key among all build rows of the join
    SpilledJoin(JoinShape shape, SpilledPartition rows, boolean sawNullKey, WorkerContext worker, Allocator allocator) {
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
        this.table = new JoinTable(shape.layout(), shape.keyCount(), allocator, query::checkCancelled);
        this.part = table.newPart();
        part.register();
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
                    close();
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
        if (loader.hasMore()) {
            part.work(() -> loader.load(part));
        } else {
            loader.close();
            part.finish();
            table.settle(SHARE, false);
            phase = Phase.LINKING;
        }
    }

    private void link() {
        if (closingPart < JoinTable.CLOSING_PARTS) {
            table.close(closingPart++, query::checkCancelled);
        } else {
            table.seal(query::checkCancelled);
            level = new JoinLevel(shape, table, rows.level(), sawNullKey, 1);
            probe = new HashJoinProbe(level, new ProbeRows(rows.probe(), true, worker), null, worker, allocator);
            phase = Phase.PROBING;
        }
    }

    @Override
    public void close() {
        phase = Phase.DONE;
        if (probe != null) {
            probe.close();
            level.release();
        }
        loader.close();
        table.release();
        rows.release();
    }
}
