package dev.chert.operator.join;

import dev.chert.batch.Batch;
import dev.chert.memory.Allocator;
import dev.chert.operator.WorkerContext;
import dev.chert.operator.table.RowPages;
import java.util.List;

/// Decides, for the three-valued kinds of join, rows that the hash table cannot: those that a NULL key, theirs or
/// a build row's, may leave open. Not thread-safe.
///
/// Compares pairs by the whole condition: a probe row with a NULL key with all build rows, then every row with the
/// build rows that have a NULL key. Few rows are expected to come here; build rows are loaded a few at a time, so
/// that there are never many pairs between two looks at the time slice. Memory: one such block.
final class OpenRows {
    /// So many pairs take a millisecond or two.
    private static final int MOST_PAIRS = 1 << 18;

    private enum Stage {
        IDLE,
        NULL_PROBE_KEYS,
        NULL_BUILD_KEYS
    }

    private final JoinTable table;
    private final PairBatches batches;
    private final WorkerContext worker;
    private final PairCondition condition;
    private final PairSearch search;
    private final long[] places;

    private Stage stage = Stage.IDLE;
    private int[] open = {};
    private int openCount;
    private int scanNumber;
    private RowPages.Scan scan;

    /// @param batches   load build rows
    /// @param constants borrowed
    OpenRows(
            JoinShape shape,
            JoinTable table,
            PairBatches batches,
            ConstantColumns constants,
            WorkerContext worker,
            Allocator allocator) {
        this.table = table;
        this.batches = batches;
        this.worker = worker;
        this.condition = new PairCondition(shape.openCondition(), worker.query(), allocator);
        this.search = new PairSearch(condition, constants, worker.query());
        this.places = new long[worker.query().batchSize()];
    }

    /// Raises the outcomes of rows that have no match yet.
    ///
    /// @return whether that is done; else the time slice is over, and it is to be called again with the same
    boolean decide(Batch left, ProbeCursor cursor, byte[] outcomes) {
        if (stage == Stage.IDLE) {
            stage = Stage.NULL_PROBE_KEYS;
            begin(cursor.absent(), cursor.absentCount(), 0);
        }
        if (stage == Stage.NULL_PROBE_KEYS) {
            if (!compare(left, outcomes)) {
                return false;
            }
            stage = Stage.NULL_BUILD_KEYS;
            begin(cursor.rows(), cursor.rowCount(), JoinTable.PARTITIONS);
        }
        if (!compare(left, outcomes)) {
            return false;
        }
        stage = Stage.IDLE;
        return true;
    }

    private void begin(int[] rows, int count, int firstScan) {
        if (open.length < count) {
            open = new int[Math.max(count, places.length)];
        }
        System.arraycopy(rows, 0, open, 0, count);
        openCount = count;
        scanNumber = firstScan;
        scan = null;
    }

    private boolean compare(Batch left, byte[] outcomes) {
        while (openCount > 0) {
            int count = nextPlaces(Math.clamp(MOST_PAIRS / openCount, 1, places.length));
            if (count == 0) {
                return true;
            }
            try (Batch block = batches.right(places, count)) {
                RightRows right = RightRows.of(List.of(block), null);
                openCount = search.decide(left, open, openCount, right, outcomes, true);
            }
            if (worker.sliceOver()) {
                return false;
            }
        }
        return true;
    }

    /// @return how many; 0 at the end
    private int nextPlaces(int most) {
        while (true) {
            if (scan == null) {
                if (scanNumber == table.scanCount()) {
                    return 0;
                }
                scan = table.scan(scanNumber++);
            }
            int count = scan.next(places, most);
            if (count > 0) {
                return count;
            }
            scan = null;
        }
    }

    void close() {
        condition.close();
    }
}
