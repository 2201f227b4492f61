package dev.chert.operator.join;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.Step;
import dev.chert.expression.Evaluators;
import dev.chert.expression.Projection;
import dev.chert.memory.Allocator;
import dev.chert.operator.Operator;
import dev.chert.operator.WorkerContext;
import dev.chert.operator.join.PairCondition.Outcome;
import dev.chert.plan.JoinKind;
import dev.chert.query.QueryContext;
import java.util.Arrays;

/// Looks the rows of the probe side up in a [JoinTable].
///
/// Streams. Pairs are made by a [ProbeCursor] until an output batch is full, so a row with a million matches
/// fills batch after batch. Rows of a probe batch come out in any order. Where only the probe side's columns are
/// given, and where nearly every row has exactly one match, the output is the input's columns under a narrower
/// selection. Memory: one output batch, and scratch of a few numbers a probe row.
///
/// Where build rows are on disk, probe rows that may match them go there, too; when all workers have ended, each
/// takes partitions and joins them, until none is left.
final class HashJoinProbe implements Operator {
    private enum Phase {
        PROBING,
        WAITING,
        SCANNING_BUILD,
        LEAVING_TABLE,
        SPILLED,
        DONE
    }

    private final JoinLevel level;
    private final JoinShape shape;
    private final JoinKind kind;
    private final JoinTable table;
    private final ProbeEnd end;
    private final Operator input;
    private final WorkerContext worker;
    private final QueryContext query;
    private final Allocator allocator;
    private final ConstantColumns constants;
    private final Projection keyProjection;
    private final PairCondition residual;
    private final OpenRows openRows;
    private final ProbeCursor cursor;
    private final PairBatches batches;
    private final PassOutcomes passes;
    private final SpilledProbe spilled;

    private byte[] outcomes = {};
    private Batch left;
    private BuildScan scan;
    private Operator waiting; // the join of a partition from disk
    private Phase phase = Phase.PROBING;
    private boolean arrived;
    private boolean leftTable;
    private boolean closed;

    /// @param level  borrowed
    /// @param passes what earlier passes over the same input found out of its rows; null where there is one pass
    HashJoinProbe(JoinLevel level, Operator input, PassOutcomes passes, WorkerContext worker, Allocator allocator) {
        this.level = level;
        this.shape = level.shape();
        this.kind = shape.kind();
        this.table = level.table();
        this.end = level.end();
        this.passes = passes;
        this.input = input;
        this.worker = worker;
        this.query = worker.query();
        this.allocator = allocator;
        this.constants = new ConstantColumns(allocator);
        this.keyProjection = Evaluators.project(shape.node().probeKeys(), query, allocator);
        this.residual = new PairCondition(shape.node().residual(), query, allocator);
        this.cursor = new ProbeCursor(level, query);
        this.batches = new PairBatches(shape, table, cursor, constants, query, allocator);
        this.openRows = shape.openCondition() == null
                ? null
                : new OpenRows(shape, table, batches, constants, worker, allocator);
        this.spilled = level.hasSpilled() ? level.newProbe(worker, allocator) : null;
        if (isEmptyForSure()) {
            phase = Phase.DONE;
        }
    }

    /// Whether the build side alone tells that no row will come out.
    private boolean isEmptyForSure() {
        return switch (kind) {
            case INNER, RIGHT_SEMI, SEMI -> table.keyedRows() == 0;
            case RIGHT, RIGHT_ANTI -> table.rowCount() == 0;
            case NULL_AWARE_ANTI -> shape.openCondition() == null && level.sawNullKey();
            case LEFT, FULL, ANTI, MARK -> false;
        };
    }

    @Override
    public Step next() {
        while (true) {
            switch (phase) {
                case PROBING -> {
                    Step step = probe();
                    if (step != null) {
                        return step;
                    }
                }
                case WAITING -> {
                    if (!end.isReached()) {
                        return end.pause();
                    }
                    if (shape.marksRight()) {
                        scan = new BuildScan(kind, table, end, batches, query.batchSize());
                        phase = Phase.SCANNING_BUILD;
                    } else {
                        leaveTable();
                    }
                }
                case SCANNING_BUILD -> {
                    query.checkCancelled();
                    Batch batch = scan.next();
                    if (batch != null) {
                        return batch;
                    }
                    if (scan.isDone()) {
                        leaveTable();
                    } else if (worker.sliceOver()) {
                        return Step.Paused.YIELD;
                    }
                }
                case LEAVING_TABLE -> {
                    if (!end.isClosed()) {
                        return end.pauseUntilClosed();
                    }
                    phase = Phase.SPILLED;
                }
                case SPILLED -> {
                    Step step = joinSpilled();
                    if (step != null) {
                        return step;
                    }
                }
                case DONE -> {
                    return Step.END;
                }
            }
        }
    }

    /// @return null where there is nothing to hand on yet
    private Step probe() {
        if (left == null) {
            Step step = input.next();
            if (step instanceof Step.End) {
                if (spilled != null) {
                    spilled.finish();
                }
                arrive();
                phase = shape.marksRight() || spilled != null ? Phase.WAITING : Phase.DONE;
                return null;
            }
            if (!(step instanceof Batch batch)) {
                return step;
            }
            if (batch.selectedRows() == 0) {
                batch.close();
                return null;
            }
            if (level.allWait()) {
                spilled.takeAll(batch);
                return null;
            }
            start(batch);
            if (left.selectedRows() == 0) { // all wait on disk
                left.close();
                left = null;
                return null;
            }
        }
        return switch (kind) {
            case INNER, LEFT, RIGHT, FULL -> pairs();
            case SEMI, ANTI, NULL_AWARE_ANTI, MARK -> decided();
            case RIGHT_SEMI, RIGHT_ANTI -> marked();
        };
    }

    private void start(Batch batch) {
        left = batch;
        if (outcomes.length < batch.rowCount()) {
            outcomes = new byte[Math.max(batch.rowCount(), query.batchSize())];
        }
        if (passes == null) {
            Arrays.fill(outcomes, 0, batch.rowCount(), Outcome.FALSE);
        } else {
            passes.load(outcomes, batch.rowCount());
        }
        Column[] keys = keyProjection.evaluate(batch);
        cursor.start(batch, keys, spilled);
        for (Column key : keys) {
            key.release();
        }
    }

    private Step pairs() {
        while (cursor.hasMore()) {
            cursor.makePairs(false);
            Batch block = batches.pairs(left, false);
            residual.narrow(block);
            mark(block);
            if (block.selectedRows() > 0) {
                return block;
            }
            block.close();
            if (givesWay()) {
                return Step.Paused.YIELD;
            }
        }
        if (isDecidedLater()) {
            return null;
        }
        Batch done = left;
        left = null;
        if (kind == JoinKind.LEFT || kind == JoinKind.FULL) {
            return LeftRows.unmatched(done, outcomes, shape.rightTypes(), constants, query.selections());
        }
        done.close();
        return null;
    }

    /// Whether further build rows come in another pass: what is known of the probe batch's rows is kept until then.
    private boolean isDecidedLater() {
        if (passes == null || passes.isLast()) {
            return false;
        }
        passes.store(outcomes, left.rowCount());
        left.close();
        left = null;
        return true;
    }

    /// Whether to leave the rest of the probe batch for later: its rows may have any number of pairs, of which
    /// the residual need not let through any.
    private boolean givesWay() {
        query.checkCancelled();
        return cursor.hasMore() && worker.sliceOver();
    }

    /// Notes the matches of the pairs that a batch of them selects.
    private void mark(Batch block) {
        boolean marksLeft = switch (kind) {
            case LEFT, FULL, SEMI, ANTI -> true;
            case INNER, RIGHT, NULL_AWARE_ANTI, MARK, RIGHT_SEMI, RIGHT_ANTI -> false;
        };
        int count = block.selectedRows();
        int[] selection = block.selection();
        if (marksLeft) {
            for (int i = 0; i < count; i++) {
                outcomes[cursor.pairRows()[selection == null ? i : selection[i]]] = Outcome.TRUE;
            }
        }
        if (shape.marksRight()) {
            for (int i = 0; i < count; i++) {
                table.mark(cursor.pairPlaces()[selection == null ? i : selection[i]]);
            }
        }
    }

    private Step decided() {
        if (residual.isAlwaysTrue()) {
            cursor.raiseFound(outcomes);
        } else if (!decideByResidual()) {
            return Step.Paused.YIELD;
        }
        if (openRows != null) {
            if (!openRows.decide(left, cursor, outcomes)) {
                return Step.Paused.YIELD;
            }
        } else if (shape.isThreeValued()) {
            decideByNulls();
        }
        if (isDecidedLater()) {
            return null;
        }
        Batch done = left;
        left = null;
        return LeftRows.decided(kind, done, outcomes, query.selections(), allocator);
    }

    /// @return whether that is done, else it is to be called again
    private boolean decideByResidual() {
        while (cursor.hasMore()) {
            cursor.makePairs(true);
            try (Batch block = batches.pairs(left, true)) {
                if (shape.isThreeValued()) {
                    int count = block.selectedRows();
                    int[] selection = block.selection();
                    byte[] found = residual.decide(block);
                    for (int i = 0; i < count; i++) {
                        int row = cursor.pairRows()[selection == null ? i : selection[i]];
                        outcomes[row] = (byte) Math.max(outcomes[row], found[i]);
                    }
                } else {
                    residual.narrow(block);
                    mark(block);
                }
            }
            cursor.dropDecided(outcomes);
            if (givesWay()) {
                return false;
            }
        }
        return true;
    }

    /// With one key and no residual a NULL leaves open whether there is a match: a build row's for every row
    /// without one, a probe row's for itself.
    private void decideByNulls() {
        if (level.sawNullKey()) {
            raiseToUnknown(cursor.rows(), cursor.rowCount());
        } else if (table.keyedRows() > 0) {
            raiseToUnknown(cursor.absent(), cursor.absentCount());
        }
    }

    private void raiseToUnknown(int[] rows, int count) {
        for (int i = 0; i < count; i++) {
            outcomes[rows[i]] = (byte) Math.max(outcomes[rows[i]], Outcome.UNKNOWN);
        }
    }

    private Step marked() {
        if (residual.isAlwaysTrue()) {
            cursor.markFound();
        } else {
            while (cursor.hasMore()) {
                cursor.makePairs(false);
                try (Batch block = batches.pairs(left, true)) {
                    residual.narrow(block);
                    mark(block);
                }
                if (givesWay()) {
                    return Step.Paused.YIELD;
                }
            }
        }
        left.close();
        left = null;
        return null;
    }

    /// The next step of the joins of partitions that waited on disk; null where there is nothing to hand on yet.
    private Step joinSpilled() {
        if (waiting == null) {
            waiting = level.nextWaiting(worker, allocator);
            if (waiting == null) {
                phase = Phase.DONE;
                return null;
            }
        }
        Step step = waiting.next();
        if (step instanceof Step.End) {
            waiting.close();
            waiting = null;
            return null;
        }
        return step;
    }

    /// Needs the table no more: its memory is for what waited on disk, once all workers say so.
    private void leaveTable() {
        endTable();
        phase = spilled == null ? Phase.DONE : Phase.LEAVING_TABLE;
    }

    private void endTable() {
        if (!leftTable) {
            leftTable = true;
            end.close();
        }
    }

    private void arrive() {
        if (!arrived) {
            arrived = true;
            end.arrive();
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        arrive();
        phase = Phase.DONE;
        if (left != null) {
            left.close();
            left = null;
        }
        if (openRows != null) {
            openRows.close();
        }
        keyProjection.close();
        residual.close();
        constants.close();
        input.close();
        if (spilled != null) {
            spilled.release();
        }
        if (waiting != null) {
            waiting.close();
            waiting = null;
        }
        endTable();
    }
}
