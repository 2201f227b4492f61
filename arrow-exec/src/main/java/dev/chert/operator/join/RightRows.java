package dev.chert.operator.join;

import dev.chert.batch.Batch;
import dev.chert.memory.Buffer;
import java.util.List;

/// The right side of a nested loop, as batches without selections, and a byte a row that says whether it has a
/// match.
///
/// Bytes are set by any worker at any time, without order between them; they are read when all have ended.
///
/// @param matched null where nobody asks
record RightRows(Batch[] batches, Buffer[] matched, long rowCount) {
    static final RightRows NONE = new RightRows(new Batch[0], null, 0);

    static RightRows of(List<Batch> batches, Buffer[] matched) {
        return new RightRows(
                batches.toArray(Batch[]::new),
                matched,
                batches.stream().mapToLong(Batch::rowCount).sum());
    }
}
