package dev.chert.operator.join;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.Field;
import dev.chert.batch.Layouts;
import dev.chert.batch.Step;
import dev.chert.kernel.BatchGather;
import dev.chert.kernel.ColumnGather;
import dev.chert.memory.Allocator;
import dev.chert.operator.Operator;
import dev.chert.operator.WorkerContext;
import dev.chert.operator.join.PairCondition.Outcome;
import dev.chert.plan.JoinKind;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.QueryContext;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Joins on any condition by comparing every pair.
///
/// Streams the left side. Pairs that match are collected until they fill a batch, unless many left rows match one
/// right row: those leave as the left columns under a narrower selection. Memory: one output batch, and one of the
/// right batches that lie on disk.
final class NestedLoopJoin implements Operator {
    private enum Phase {
        PROBING,
        WAITING,
        UNMATCHED_RIGHT,
        DONE
    }

    private final JoinKind kind;
    private final RightRows right;
    private final RightReader reader;
    private final Batch[] pairSources;
    private final ProbeEnd end;
    private final Operator input;
    private final WorkerContext worker;
    private final QueryContext query;
    private final Allocator allocator;
    private final ConstantColumns constants;
    private final PairCondition condition;
    private final PairSearch search;
    private final List<DataType> leftTypes;
    private final List<DataType> rightTypes;
    private final BatchGather rightGather;
    private final boolean marksRight;
    private final boolean marksLeft;
    private final int batchSize;

    private final int[] pairLeft;
    private final int[] pairBatch;
    private final int[] pairRow;
    private int pairCount;
    private byte[] outcomes = {};
    private int[] open;
    private Batch left;
    private Phase phase = Phase.PROBING;
    private boolean arrived;
    private boolean closed;

    NestedLoopJoin(
            PhysicalPlan.NestedLoopJoin node,
            RightRows right,
            ProbeEnd end,
            Operator input,
            WorkerContext worker,
            QueryContext query,
            Allocator allocator) {
        this.kind = node.kind();
        this.right = right;
        this.reader = new RightReader(right);
        this.pairSources = Arrays.copyOf(right.inMemory(), right.inMemory().length + 1);
        this.end = end;
        this.input = input;
        this.worker = worker;
        this.query = query;
        this.allocator = allocator;
        this.constants = new ConstantColumns(allocator);
        this.condition = new PairCondition(node.condition(), query, allocator);
        this.search = new PairSearch(condition, constants, query);
        this.leftTypes = node.left().schema().fields().stream().map(Field::type).toList();
        this.rightTypes =
                node.right().schema().fields().stream().map(Field::type).toList();
        this.rightGather = new BatchGather(rightTypes, false, allocator);
        this.marksRight = NestedLoopBuild.marksRight(kind);
        this.marksLeft = kind == JoinKind.LEFT || kind == JoinKind.FULL;
        this.batchSize = query.batchSize();
        this.pairLeft = new int[batchSize];
        this.pairBatch = new int[batchSize];
        this.pairRow = new int[batchSize];
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
                    phase = Phase.UNMATCHED_RIGHT;
                }
                case UNMATCHED_RIGHT -> {
                    query.checkCancelled();
                    int part = end.takePart();
                    if (part >= right.batchCount()) {
                        phase = Phase.DONE;
                    } else {
                        Batch batch = unmatchedRight(
                                reader.at(part), right.matched(part).segment());
                        if (batch != null) {
                            return batch;
                        }
                        if (worker.sliceOver()) {
                            return Step.Paused.YIELD;
                        }
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
                arrive();
                phase = marksRight ? Phase.WAITING : Phase.DONE;
                return null;
            }
            if (!(step instanceof Batch batch)) {
                return step;
            }
            if (batch.selectedRows() == 0) {
                batch.close();
                return null;
            }
            left = batch;
            if (outcomes.length < batch.rowCount()) {
                outcomes = new byte[Math.max(batchSize, batch.rowCount())];
            }
            Arrays.fill(outcomes, 0, batch.rowCount(), Outcome.FALSE);
            search.start(batch, reader);
        }
        return switch (kind) {
            case INNER, LEFT, RIGHT, FULL -> pairs();
            case SEMI, ANTI, NULL_AWARE_ANTI, MARK -> decided();
            case RIGHT_SEMI, RIGHT_ANTI -> marked();
        };
    }

    private Step pairs() {
        while (true) {
            if (pairCount > 0 && (pairCount + mostOfBlock() > batchSize || search.leavesDisk())) {
                return collected();
            }
            if (worker.sliceOver()) {
                return Step.Paused.YIELD;
            }
            Batch block = search.next();
            if (block == null) {
                break;
            }
            mark(block);
            if (pairCount == 0 && block.selectedRows() >= (batchSize + 1) / 2) {
                return block;
            }
            collect(block);
            block.close();
        }
        if (pairCount > 0) {
            return collected();
        }
        Batch done = left;
        left = null;
        if (marksLeft) {
            return LeftRows.unmatched(done, outcomes, rightTypes, constants, query.selections());
        }
        done.close();
        return null;
    }

    /// The most pairs that the next block may give.
    private int mostOfBlock() {
        return search.byRightRow() ? left.selectedRows() : batchSize;
    }

    private void mark(Batch block) {
        int count = block.selectedRows();
        if (count == 0) {
            return;
        }
        int[] selection = block.selection();
        if (marksLeft) {
            if (search.byRightRow()) {
                for (int i = 0; i < count; i++) {
                    outcomes[selection == null ? i : selection[i]] = Outcome.TRUE;
                }
            } else {
                outcomes[search.leftRow()] = Outcome.TRUE;
            }
        }
        if (marksRight) {
            MemorySegment marks = right.matched(search.rightBatch()).segment();
            if (search.byRightRow()) {
                marks.set(Layouts.BYTE, search.rightRow(), (byte) 1);
            } else {
                for (int i = 0; i < count; i++) {
                    marks.set(Layouts.BYTE, selection == null ? i : selection[i], (byte) 1);
                }
            }
        }
    }

    private void collect(Batch block) {
        int[] selection = block.selection();
        int source = Math.min(search.rightBatch(), right.inMemory().length); // the last is the one from disk
        for (int i = 0; i < block.selectedRows(); i++) {
            int row = selection == null ? i : selection[i];
            pairLeft[pairCount] = search.byRightRow() ? row : search.leftRow();
            pairBatch[pairCount] = source;
            pairRow[pairCount++] = search.byRightRow() ? search.rightRow() : row;
        }
    }

    private Batch collected() {
        List<Column> columns = new ArrayList<>();
        for (Column column : left.columns()) {
            columns.add(ColumnGather.take(column, pairLeft, pairCount, allocator));
        }
        if (right.isOnDisk(search.rightBatch())) {
            pairSources[right.inMemory().length] = reader.at(search.rightBatch());
        }
        columns.addAll(Arrays.asList(
                rightGather.gatherColumns(pairSources, pairBatch, pairRow, pairCount, rightTypes.size())));
        Batch batch = new Batch(columns.toArray(Column[]::new), pairCount);
        pairCount = 0;
        return batch;
    }

    private Step decided() {
        if (open == null) {
            boolean unknowns = kind == JoinKind.NULL_AWARE_ANTI || kind == JoinKind.MARK;
            open = query.selections().take(left.selectedRows());
            search.startDeciding(left, open, LeftRows.rows(left, open), reader, outcomes, unknowns);
        }
        while (search.decideMore()) {
            if (worker.sliceOver()) {
                return Step.Paused.YIELD;
            }
        }
        query.selections().give(open);
        open = null;
        Batch done = left;
        left = null;
        return LeftRows.decided(kind, done, outcomes, query.selections(), allocator);
    }

    private Step marked() {
        while (true) {
            if (worker.sliceOver()) {
                return Step.Paused.YIELD;
            }
            Batch block = search.next();
            if (block == null) {
                break;
            }
            mark(block);
            block.close();
        }
        left.close();
        left = null;
        return null;
    }

    private Batch unmatchedRight(Batch batch, MemorySegment marks) {
        int[] selection = query.selections().take(batch.rowCount());
        int wanted = kind == JoinKind.RIGHT_SEMI ? 1 : 0;
        int count = 0;
        for (int row = 0; row < batch.rowCount(); row++) {
            selection[count] = row;
            count += marks.get(Layouts.BYTE, row) == wanted ? 1 : 0;
        }
        if (count == 0) {
            query.selections().give(selection);
            return null;
        }
        List<Column> columns = new ArrayList<>();
        if (kind.givesLeft()) {
            columns.addAll(constants.nulls(leftTypes, batch.rowCount()));
        }
        columns.addAll(LeftRows.columns(batch));
        Batch unmatched = new Batch(columns.toArray(Column[]::new), batch.rowCount());
        unmatched.select(selection, count, query.selections());
        return unmatched;
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
        reader.close();
        condition.close();
        constants.close();
        input.close();
        end.close();
    }
}
