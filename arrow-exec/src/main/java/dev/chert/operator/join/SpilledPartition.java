package dev.chert.operator.join;

import dev.chert.arrow.SpilledBatches;
import dev.chert.operator.table.SpilledRows;
import java.util.List;

/// The rows of both sides that wait on disk to be joined with each other.
///
/// @param level    how often the rows were partitioned
/// @param build    build rows with keys
/// @param nullKeys build rows with a NULL key
/// @param probe    probe rows
/// @param splits   whether partitioning once more helps
record SpilledPartition(
        int level, List<SpilledRows> build, List<SpilledRows> nullKeys, List<SpilledBatches> probe, boolean splits) {
    /// Build rows, those with a NULL key among them.
    long buildRows() {
        return build.stream().mapToLong(SpilledRows::rowCount).sum()
                + nullKeys.stream().mapToLong(SpilledRows::rowCount).sum();
    }

    /// Bytes of the build rows when they are in memory again.
    long byteSize() {
        return build.stream().mapToLong(SpilledRows::byteSize).sum()
                + nullKeys.stream().mapToLong(SpilledRows::byteSize).sum();
    }

    long probeRows() {
        return probe.stream().mapToLong(SpilledBatches::rowCount).sum();
    }

    /// Gives the rows back; a second call does nothing.
    void release() {
        build.forEach(SpilledRows::release);
        nullKeys.forEach(SpilledRows::release);
        probe.forEach(SpilledBatches::release);
    }
}
