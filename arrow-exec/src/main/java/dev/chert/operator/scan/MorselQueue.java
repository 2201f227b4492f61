package dev.chert.operator.scan;

import dev.chert.source.Split;
import dev.chert.source.TableSource.ScanRequest;
import dev.chert.source.TableSource.SplitList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// The splits of a scan that no worker has taken yet, in the order of the data.
public final class MorselQueue {
    private final ScanRequest request;
    private final List<? extends Split> splits;
    private final ScanMetrics metrics;
    private final AtomicInteger next = new AtomicInteger();

    public MorselQueue(ScanRequest request, SplitList splits) {
        this.request = request;
        this.splits = splits.splits();
        this.metrics = new ScanMetrics(
                splits.total(),
                this.splits.size(),
                this.splits.stream().mapToLong(MorselQueue::weight).sum());
    }

    /// What a split counts for in the progress of its scan: its rows, or 1 where nobody knows them.
    static long weight(Split split) {
        return split.rowCount() < 0 ? 1 : split.rowCount();
    }

    /// What the workers have read so far.
    public ScanMetrics metrics() {
        return metrics;
    }

    ScanRequest request() {
        return request;
    }

    /// The next split, or null where all are taken.
    Split take() {
        int taken = next.getAndUpdate(i -> Math.min(i + 1, splits.size()));
        return taken < splits.size() ? splits.get(taken) : null;
    }

    /// Splits that statistics left over.
    public int size() {
        return splits.size();
    }

    /// Rows of the splits whose number of rows is known.
    public long rowCount() {
        return splits.stream().mapToLong(split -> Math.max(split.rowCount(), 0)).sum();
    }
}
