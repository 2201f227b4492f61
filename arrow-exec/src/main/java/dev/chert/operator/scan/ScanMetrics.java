package dev.chert.operator.scan;

import dev.chert.source.ReadMetrics;
import java.util.concurrent.atomic.LongAdder;

/// How far the workers of one scan are. Thread-safe; grows while they read.
public final class ScanMetrics {
    private final int totalSplits;
    private final int keptSplits;
    private final long weight;
    private final LongAdder openedSplits = new LongAdder();
    private final LongAdder doneWeight = new LongAdder();
    private final LongAdder rows = new LongAdder();
    private final LongAdder pages = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    /// @param weight of all splits that are kept
    ScanMetrics(int totalSplits, int keptSplits, long weight) {
        this.totalSplits = totalSplits;
        this.keptSplits = keptSplits;
        this.weight = weight;
    }

    void opened() {
        openedSplits.increment();
    }

    void read(int batchRows) {
        rows.add(batchRows);
    }

    void done(long weightOfRows) {
        doneWeight.add(weightOfRows);
    }

    void closed(ReadMetrics read) {
        pages.add(read.pages());
        bytes.add(read.bytes());
    }

    /// Splits of the source: a Parquet file's row groups.
    public int totalSplits() {
        return totalSplits;
    }

    /// Splits that statistics left out before the scan began.
    public int prunedSplits() {
        return totalSplits - keptSplits;
    }

    /// Splits that a worker has opened.
    public int readSplits() {
        return openedSplits.intValue();
    }

    /// Rows that the source gave.
    public long rowsRead() {
        return rows.sum();
    }

    /// Pages, or whatever the format's unit below a split is, that were read in splits that are done.
    public long pagesRead() {
        return pages.sum();
    }

    /// Bytes that were read from files for values, metadata apart, in splits that are done.
    public long bytesRead() {
        return bytes.sum();
    }

    /// The rows of all splits that were not pruned, where each split of unknown size counts as one row.
    public long weight() {
        return weight;
    }

    /// How much of [#weight()] was read or skipped; never less than before.
    public long doneWeight() {
        return doneWeight.sum();
    }
}
