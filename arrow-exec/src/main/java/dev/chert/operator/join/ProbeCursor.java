package dev.chert.operator.join;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.RowPlace;
import dev.chert.operator.join.PairCondition.Outcome;
import dev.chert.operator.table.RowProbe;
import dev.chert.operator.table.RowValues;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import java.util.Arrays;

/// Where a probe batch stands: its rows that have build rows left, and the pairs that were made of them last. Not
/// thread-safe.
///
/// Keys are looked up once a batch. Then each round makes one pair for each row that is still open and moves it
/// on to the next build row with its key, so that the loads of many rows are in flight.
final class ProbeCursor {
    /// With fewer rows left than this, each is followed to the end of its build rows: no loads to overlap.
    private static final int FEW_ROWS = 16;

    private final JoinTable table;
    private final int keyCount;
    private final RowProbe probe = new RowProbe();
    private final RowValues keys;
    private final KeyHashes keyHashes;
    private final int batchSize;

    private int[] rows = {};
    private int rowCount;
    private int[] absent = {};
    private int absentCount;
    private long[] hashes = {};
    private long[] places = {};
    private int[] open = {};
    private int[] kept = {};
    private int openCount;
    private boolean begun; // pairs were made of this batch
    private boolean isFirst; // and the last ones were the first

    private final int[] pairRows;
    private final long[] pairPlaces;
    private final long[] spread;
    private int pairCount;

    ProbeCursor(JoinLevel level, QueryContext query) {
        JoinShape shape = level.shape();
        this.table = level.table();
        this.keyCount = shape.keyCount();
        this.keys = new RowValues(shape.layout(), keyCount);
        this.keyHashes =
                new KeyHashes(keyCount, level.number(), query.settings().get(Settings.CONSTANT_HASH));
        this.batchSize = query.batchSize();
        this.pairRows = new int[batchSize];
        this.pairPlaces = new long[batchSize];
        this.spread = new long[batchSize];
    }

    /// Looks up the keys of a batch's selected rows; those that are found are open afterwards.
    ///
    /// @param keyColumns borrowed for this call
    /// @param spilled    takes the rows out of the batch whose partition is on disk; null where there is none
    void start(Batch batch, Column[] keyColumns, SpilledProbe spilled) {
        rowCount = batch.selectedRows();
        reserve(rowCount);
        LeftRows.rows(batch, rows);
        keys.pack(keyColumns, rows, rowCount);
        for (int i = 0; i < rowCount; i++) {
            open[i] = i;
        }
        int present = keys.keepPresent(keyCount, open, rowCount);
        collectAbsent(present);
        keyHashes.hash(keys, hashes);
        if (spilled != null) {
            present = spilled.divert(batch, rows, hashes, open, present);
        }
        table.find(probe, keys, hashes, open, present, places);
        openCount = 0;
        for (int i = 0; i < present; i++) {
            int position = open[i];
            open[openCount] = position;
            openCount += places[position] == RowPlace.NONE ? 0 : 1;
        }
        begun = false;
    }

    private void reserve(int count) {
        if (rows.length < count) {
            int room = Math.max(count, batchSize);
            rows = new int[room];
            absent = new int[room];
            open = new int[room];
            kept = new int[room];
            hashes = new long[room];
            places = new long[room];
        }
    }

    private void collectAbsent(int present) {
        absentCount = 0;
        int next = 0;
        for (int i = 0; present < rowCount && i < rowCount; i++) {
            if (next < present && open[next] == i) {
                next++;
            } else {
                absent[absentCount++] = rows[i];
            }
        }
    }

    /// The rows that the batch selected at its start, [#rowCount()] of them; overwritten by the next [#start].
    int[] rows() {
        return rows;
    }

    int rowCount() {
        return rowCount;
    }

    /// The rows that have a NULL in their keys, [#absentCount()] of them; overwritten by the next [#start].
    int[] absent() {
        return absent;
    }

    int absentCount() {
        return absentCount;
    }

    /// Whether a row is open: has build rows of which no pair was made yet.
    boolean hasMore() {
        return openCount > 0;
    }

    /// Gives the open rows the outcome TRUE.
    void raiseFound(byte[] outcomes) {
        for (int i = 0; i < openCount; i++) {
            outcomes[rows[open[i]]] = Outcome.TRUE;
        }
    }

    /// Marks every build row that has the key of an open row.
    void markFound() {
        for (int i = 0; i < openCount; i++) {
            long place = places[open[i]];
            if (!table.mark(place)) { // whoever marks a first row marks the others with its key
                for (long next = table.next(place); next != RowPlace.NONE; next = table.next(next)) {
                    table.mark(next);
                }
            }
        }
    }

    /// Closes the open rows whose outcome is TRUE.
    void dropDecided(byte[] outcomes) {
        int size = 0;
        for (int i = 0; i < openCount; i++) {
            int position = open[i];
            open[size] = position;
            size += outcomes[rows[position]] == Outcome.TRUE ? 0 : 1;
        }
        openCount = size;
    }

    /// Makes pairs of open rows with their next build rows, until there is a batch of them or no row is open.
    ///
    /// @param oneRound whether to stop after one round, since what is found out about its pairs may decide a row
    void makePairs(boolean oneRound) {
        isFirst = !begun;
        begun = true;
        pairCount = 0;
        do {
            if (openCount < FEW_ROWS) {
                followLast();
            } else {
                round();
            }
        } while (!oneRound && openCount > 0 && pairCount < batchSize);
    }

    private void round() {
        int taken = Math.min(openCount, batchSize - pairCount);
        for (int i = 0; i < taken; i++) {
            int position = open[i];
            pairRows[pairCount + i] = rows[position];
            pairPlaces[pairCount + i] = places[position];
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
        openCount += more - taken;
    }

    private void followLast() {
        int position = open[openCount - 1];
        long place = places[position];
        while (place != RowPlace.NONE && pairCount < batchSize) {
            pairRows[pairCount] = rows[position];
            pairPlaces[pairCount++] = place;
            place = table.next(place);
        }
        places[position] = place;
        openCount -= place == RowPlace.NONE ? 1 : 0;
    }

    /// Pairs made last.
    int pairCount() {
        return pairCount;
    }

    /// The probe row of each pair.
    int[] pairRows() {
        return pairRows;
    }

    /// The build row of each pair.
    long[] pairPlaces() {
        return pairPlaces;
    }

    /// Whether the pairs made last are all there are, each of another row, in order, and few rows have none.
    ///
    /// @param batchRows rows of the batch, selected or not
    boolean nearlyEachHasOne(int batchRows) {
        return isFirst
                && openCount == 0
                && table.isUnique()
                && batchRows <= batchSize
                && pairCount >= FEW_ROWS
                && 4L * pairCount >= 3L * batchRows;
    }

    /// Rearranges such pairs so that the one of row `r` is pair `r`; rows without one get some other row's build
    /// row.
    ///
    /// @param selection receives the rows that have one
    void spreadPairs(int batchRows, int[] selection) {
        System.arraycopy(pairRows, 0, selection, 0, pairCount);
        Arrays.fill(spread, 0, batchRows, pairPlaces[0]);
        for (int i = 0; i < pairCount; i++) {
            spread[pairRows[i]] = pairPlaces[i];
        }
        System.arraycopy(spread, 0, pairPlaces, 0, batchRows);
        for (int row = 0; row < batchRows; row++) {
            pairRows[row] = row;
        }
    }
}
