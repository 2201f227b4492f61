package dev.chert.operator.join;

import dev.chert.batch.Batch;
import dev.chert.operator.table.RowPages;
import dev.chert.plan.JoinKind;

/// Looks through the build rows once no more marks are set, for those with or without a match, as the kind wants
/// them. One worker's; the parts of the table are shared among all. Not thread-safe.
final class BuildScan {
    private final JoinTable table;
    private final ProbeEnd end;
    private final PairBatches batches;
    private final boolean wantsMarked;
    private final long[] places;
    private RowPages.Scan scan;
    private boolean done;

    BuildScan(JoinKind kind, JoinTable table, ProbeEnd end, PairBatches batches, int batchSize) {
        this.table = table;
        this.end = end;
        this.batches = batches;
        this.wantsMarked = kind == JoinKind.RIGHT_SEMI;
        this.places = new long[batchSize];
    }

    /// The next rows, the caller's; null when there are none among the rows looked through by this call.
    Batch next() {
        if (scan == null) {
            int part = end.takePart();
            if (part >= table.scanCount()) {
                done = true;
                return null;
            }
            scan = table.scan(part);
        }
        int count = scan.next(places, places.length);
        if (count == 0) {
            scan = null;
            return null;
        }
        int size = 0;
        for (int i = 0; i < count; i++) {
            long place = places[i];
            places[size] = place;
            size += table.isMarked(place) == wantsMarked ? 1 : 0;
        }
        return size == 0 ? null : batches.rightAlone(places, size);
    }

    /// Whether no rows are left for this worker.
    boolean isDone() {
        return done;
    }
}
