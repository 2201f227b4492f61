package dev.chert.operator.join;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.RowPlace;
import dev.chert.batch.Step;
import dev.chert.expression.Evaluators;
import dev.chert.expression.Projection;
import dev.chert.kernel.ColumnGather;
import dev.chert.memory.Allocator;
import dev.chert.operator.Operator;
import dev.chert.operator.join.PairCondition.Outcome;
import dev.chert.operator.table.RowPages;
import dev.chert.operator.table.RowProbe;
import dev.chert.operator.table.RowValues;
import dev.chert.plan.JoinKind;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Looks the rows of the probe side up in a [JoinTable].
///
/// Streams. A batch's keys are looked up together; then pairs are made in rounds, one pair for each row that has
/// build rows left, until an output batch is full: so a row with a million matches fills batch after batch. Rows
/// of a probe batch come out in any order. Where only the probe side's columns are given, and where nearly every
/// row has exactly one match, the output is the input's columns under a narrower selection. Memory: one output
/// batch, and scratch of a few numbers a probe row.
final class HashJoinProbe implements Operator {
    private enum Phase {
        PROBING,
        WAITING,
        SCANNING_BUILD,
        DONE
    }

    /// With fewer rows left than this, each is followed to the end of its build rows: no loads to overlap.
    private static final int FEW_ROWS = 16;

    private final JoinShape shape;
    private final JoinKind kind;
    private final JoinTable table;
    private final ProbeEnd end;
    private final Operator input;
    private final QueryContext query;
    private final Allocator allocator;
    private final ConstantColumns constants;
    private final Projection keyProjection;
    private final PairCondition residual;
    private final OpenRows openRows;
    private final RowProbe probe = new RowProbe();
    private final RowValues keys;
    private final boolean constantHash;
    private final int batchSize;

    private final int[] pairRow;
    private final long[] pairPlace;
    private final long[] byRowPlaces;
    private int pairCount;
    private int[] rows = {};
    private int[] open = {};
    private int[] kept = {};
    private int openCount;
    private int[] absent = {};
    private int absentCount;
    private long[] hashes = {};
    private long[] places = {};
    private byte[] outcomes = {};
    private Batch left;
    private boolean firstRound;
    private RowPages.Scan scan;
    private Phase phase = Phase.PROBING;
    private boolean arrived;
    private boolean closed;

    HashJoinProbe(
            JoinShape shape, JoinTable table, ProbeEnd end, Operator input, QueryContext query, Allocator allocator) {
        this.shape = shape;
        this.kind = shape.kind();
        this.table = table;
        this.end = end;
        this.input = input;
        this.query = query;
        this.allocator = allocator;
        this.constants = new ConstantColumns(allocator);
        this.keyProjection = Evaluators.project(shape.node().probeKeys(), query, allocator);
        this.residual = new PairCondition(shape.node().residual(), query, allocator);
        this.openRows = shape.openCondition() == null ? null : new OpenRows(shape, table, constants, query, allocator);
        this.keys = new RowValues(shape.layout(), shape.keyCount());
        this.constantHash = query.settings().get(Settings.CONSTANT_HASH);
        this.batchSize = query.batchSize();
        this.pairRow = new int[batchSize];
        this.pairPlace = new long[batchSize];
        this.byRowPlaces = new long[batchSize];
        if (isEmptyForSure()) {
            phase = Phase.DONE;
        }
    }

    /// Hashes keys; with the test setting to one value.
    static void hash(RowValues values, int keyCount, long[] hashes, boolean constant) {
        if (constant) {
            Arrays.fill(hashes, 0, values.count(), 0);
        } else {
            values.hash(0, keyCount, hashes, false);
        }
    }

    /// Whether the build side alone tells that no row will come out.
    private boolean isEmptyForSure() {
        return switch (kind) {
            case INNER, RIGHT_SEMI, SEMI -> table.keyedRows() == 0;
            case RIGHT, RIGHT_ANTI -> table.rowCount() == 0;
            case NULL_AWARE_ANTI -> shape.openCondition() == null && table.sawNullKey();
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
                    phase = Phase.SCANNING_BUILD;
                }
                case SCANNING_BUILD -> {
                    Batch batch = scanBuild();
                    if (batch != null) {
                        return batch;
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
                phase = shape.marksRight() ? Phase.WAITING : Phase.DONE;
                return null;
            }
            if (!(step instanceof Batch batch)) {
                return step;
            }
            if (batch.selectedRows() == 0) {
                batch.close();
                return null;
            }
            start(batch);
        }
        return switch (kind) {
            case INNER, LEFT, RIGHT, FULL -> pairs();
            case SEMI, ANTI, NULL_AWARE_ANTI, MARK -> decided();
            case RIGHT_SEMI, RIGHT_ANTI -> marked();
        };
    }

    /// Looks up all keys of a batch; those found are open afterwards.
    private void start(Batch batch) {
        left = batch;
        int count = batch.selectedRows();
        reserve(count, batch.rowCount());
        LeftRows.rows(batch, rows);
        Column[] columns = keyProjection.evaluate(batch);
        keys.pack(columns, rows, count);
        for (int i = 0; i < count; i++) {
            open[i] = i;
        }
        int present = keys.keepPresent(shape.keyCount(), open, count);
        hash(keys, shape.keyCount(), hashes, constantHash);
        table.find(probe, keys, hashes, open, present, places);
        for (Column column : columns) {
            column.release();
        }
        Arrays.fill(outcomes, 0, batch.rowCount(), Outcome.FALSE);
        absentCount = 0;
        if (shape.isThreeValued() && present < count) {
            collectAbsent(present, count);
        }
        openCount = 0;
        for (int i = 0; i < present; i++) {
            int position = open[i];
            open[openCount] = position;
            openCount += places[position] == RowPlace.NONE ? 0 : 1;
        }
        firstRound = true;
    }

    /// Collects the rows with a NULL in their keys: those not among the first `present` open positions.
    private void collectAbsent(int present, int count) {
        int next = 0;
        for (int i = 0; i < count; i++) {
            if (next < present && open[next] == i) {
                next++;
            } else {
                absent[absentCount++] = rows[i];
            }
        }
    }

    private void reserve(int count, int rowCount) {
        if (rows.length < count) {
            int room = Math.max(count, batchSize);
            rows = new int[room];
            open = new int[room];
            kept = new int[room];
            absent = new int[room];
            hashes = new long[room];
            places = new long[room];
        }
        if (outcomes.length < rowCount) {
            outcomes = new byte[Math.max(rowCount, batchSize)];
        }
    }

    private Step pairs() {
        while (openCount > 0) {
            fillPairs(false);
            Batch block = pairBatch(false);
            residual.narrow(block);
            mark(block);
            if (block.selectedRows() > 0) {
                return block;
            }
            block.close();
        }
        Batch done = left;
        left = null;
        if ((kind == JoinKind.LEFT || kind == JoinKind.FULL) && keepLeft(done, Outcome.FALSE) > 0) {
            List<Column> columns = LeftRows.columns(done);
            columns.addAll(constants.nulls(shape.rightTypes(), done.rowCount()));
            return LeftRows.replaced(done, columns);
        }
        done.close();
        return null;
    }

    /// Makes pairs of open rows with their next build rows until a batch is full or none is left.
    ///
    /// @param once whether to stop after one round, since a row may be decided by it
    private void fillPairs(boolean once) {
        pairCount = 0;
        do {
            if (openCount < FEW_ROWS) {
                followOne();
            } else {
                round();
            }
        } while (!once && openCount > 0 && pairCount < batchSize);
    }

    private void round() {
        int taken = Math.min(openCount, batchSize - pairCount);
        for (int i = 0; i < taken; i++) {
            int position = open[i];
            pairRow[pairCount + i] = rows[position];
            pairPlace[pairCount + i] = places[position];
        }
        pairCount += taken;
        int more = 0;
        if (!table.isUnique()) {
            for (int i = 0; i < taken; i++) {
                int position = open[i];
                long next = table.next(places[position]);
                places[position] = next;
                kept[more] = position;
                more += next == RowPlace.NONE ? 0 : 1;
            }
        }
        System.arraycopy(open, taken, open, 0, openCount - taken);
        System.arraycopy(kept, 0, open, openCount - taken, more);
        openCount = openCount - taken + more;
    }

    private void followOne() {
        int position = open[openCount - 1];
        long place = places[position];
        while (place != RowPlace.NONE && pairCount < batchSize) {
            pairRow[pairCount] = rows[position];
            pairPlace[pairCount++] = place;
            place = table.next(place);
        }
        places[position] = place;
        openCount -= place == RowPlace.NONE ? 1 : 0;
    }

    /// The pairs as a batch of left, then right columns.
    ///
    /// @param forResidual whether columns that the residual does not read may be left out as NULLs
    private Batch pairBatch(boolean forResidual) {
        if (isInPlace()) {
            return pairsInPlace(forResidual);
        }
        firstRound = false;
        Column[] columns =
                new Column[shape.leftTypes().size() + shape.rightTypes().size()];
        for (int c = 0; c < left.columnCount(); c++) {
            columns[c] = forResidual && !shape.residualReads(c)
                    ? constants.nulls(shape.leftTypes().get(c), pairCount)
                    : ColumnGather.take(left.column(c), pairRow, pairCount, allocator);
        }
        loadRight(columns, pairPlace, pairCount, forResidual);
        return new Batch(columns, pairCount);
    }

    private boolean isInPlace() {
        int rowCount = left.rowCount();
        return firstRound
                && openCount == 0
                && table.isUnique()
                && rowCount <= batchSize
                && pairCount >= FEW_ROWS
                && 4L * pairCount >= 3L * rowCount;
    }

    /// The pairs over the left batch's own columns: each row has one match, and few have none. The right columns
    /// of those hold some other row's values.
    private Batch pairsInPlace(boolean forResidual) {
        int rowCount = left.rowCount();
        int[] selection = query.selections().take(pairCount);
        System.arraycopy(pairRow, 0, selection, 0, pairCount);
        long[] byRow = byRowPlaces;
        Arrays.fill(byRow, 0, rowCount, pairPlace[0]);
        for (int i = 0; i < pairCount; i++) {
            byRow[pairRow[i]] = pairPlace[i];
        }
        for (int row = 0; row < rowCount; row++) {
            pairRow[row] = row;
            pairPlace[row] = byRow[row];
        }
        Column[] columns =
                new Column[shape.leftTypes().size() + shape.rightTypes().size()];
        for (int c = 0; c < left.columnCount(); c++) {
            columns[c] = left.column(c);
            columns[c].retain();
        }
        loadRight(columns, pairPlace, rowCount, forResidual);
        Batch block = new Batch(columns, rowCount);
        if (pairCount < rowCount) {
            block.select(selection, pairCount, query.selections());
        } else {
            query.selections().give(selection);
        }
        return block;
    }

    private void loadRight(Column[] columns, long[] from, int count, boolean forResidual) {
        int leftColumns = shape.leftTypes().size();
        for (int c = 0; c < shape.rightTypes().size(); c++) {
            columns[leftColumns + c] = shape.fieldOf(c) < 0 || forResidual && !shape.residualReads(leftColumns + c)
                    ? constants.nulls(shape.rightTypes().get(c), count)
                    : table.load(shape.fieldOf(c), from, count, allocator);
        }
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
                outcomes[pairRow[selection == null ? i : selection[i]]] = Outcome.TRUE;
            }
        }
        if (shape.marksRight()) {
            for (int i = 0; i < count; i++) {
                table.mark(pairPlace[selection == null ? i : selection[i]]);
            }
        }
    }

    private Step decided() {
        if (residual.isAlwaysTrue()) {
            for (int i = 0; i < openCount; i++) {
                outcomes[rows[open[i]]] = Outcome.TRUE;
            }
        } else {
            decideByResidual();
        }
        if (openRows != null) {
            openRows.decide(left, absent, absentCount, rows, left.selectedRows(), outcomes);
        } else if (shape.isThreeValued()) {
            decideByNulls();
        }
        Batch done = left;
        left = null;
        if (kind == JoinKind.MARK) {
            List<Column> columns = LeftRows.columns(done);
            columns.add(LeftRows.marks(outcomes, done.rowCount(), allocator));
            return LeftRows.replaced(done, columns);
        }
        if (keepLeft(done, kind == JoinKind.SEMI ? Outcome.TRUE : Outcome.FALSE) > 0) {
            return done;
        }
        done.close();
        return null;
    }

    private void decideByResidual() {
        while (openCount > 0) {
            fillPairs(true);
            try (Batch block = pairBatch(true)) {
                if (shape.isThreeValued()) {
                    int count = block.selectedRows();
                    int[] selection = block.selection();
                    byte[] found = residual.decide(block);
                    for (int i = 0; i < count; i++) {
                        int row = pairRow[selection == null ? i : selection[i]];
                        outcomes[row] = (byte) Math.max(outcomes[row], found[i]);
                    }
                } else {
                    residual.narrow(block);
                    mark(block);
                }
            }
            int undecided = 0;
            for (int i = 0; i < openCount; i++) {
                int position = open[i];
                open[undecided] = position;
                undecided += outcomes[rows[position]] == Outcome.TRUE ? 0 : 1;
            }
            openCount = undecided;
        }
    }

    /// With one key and no residual a NULL leaves open whether there is a match: a build row's for every row
    /// without one, a probe row's for itself.
    private void decideByNulls() {
        if (table.sawNullKey()) {
            for (int i = 0; i < left.selectedRows(); i++) {
                outcomes[rows[i]] = (byte) Math.max(outcomes[rows[i]], Outcome.UNKNOWN);
            }
        } else if (table.keyedRows() > 0) {
            for (int i = 0; i < absentCount; i++) {
                outcomes[absent[i]] = Outcome.UNKNOWN;
            }
        }
    }

    private Step marked() {
        if (residual.isAlwaysTrue()) {
            for (int i = 0; i < openCount; i++) {
                long place = places[open[i]];
                if (!table.mark(place)) { // whoever marks a first row marks the others with its key
                    for (long next = table.next(place); next != RowPlace.NONE; next = table.next(next)) {
                        table.mark(next);
                    }
                }
            }
        } else {
            while (openCount > 0) {
                fillPairs(false);
                try (Batch block = pairBatch(true)) {
                    residual.narrow(block);
                    mark(block);
                }
            }
        }
        left.close();
        left = null;
        return null;
    }

    /// The next build rows with or without a match, as the kind wants them; null when there are none now or no
    /// more.
    private Batch scanBuild() {
        if (scan == null) {
            int part = end.takePart();
            if (part >= table.scanCount()) {
                phase = Phase.DONE;
                return null;
            }
            scan = table.scan(part);
        }
        query.checkCancelled();
        int count = scan.next(pairPlace, batchSize);
        if (count == 0) {
            scan = null;
            return null;
        }
        boolean wanted = kind == JoinKind.RIGHT_SEMI;
        int size = 0;
        for (int i = 0; i < count; i++) {
            long place = pairPlace[i];
            pairPlace[size] = place;
            size += table.isMarked(place) == wanted ? 1 : 0;
        }
        if (size == 0) {
            return null;
        }
        List<Column> columns = new ArrayList<>();
        if (kind.givesLeft()) {
            columns.addAll(constants.nulls(shape.leftTypes(), size));
        }
        for (int c = 0; c < shape.rightTypes().size(); c++) {
            columns.add(table.load(shape.fieldOf(c), pairPlace, size, allocator));
        }
        return new Batch(columns.toArray(Column[]::new), size);
    }

    private int keepLeft(Batch batch, byte outcome) {
        return LeftRows.keep(batch, outcomes, outcome, query.selections());
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
        end.close();
    }
}
