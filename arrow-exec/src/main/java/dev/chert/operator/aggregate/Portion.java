package dev.chert.operator.aggregate;

import java.util.List;

/// Groups that are merged, finished and read by one worker, with the distinct tuples of their DISTINCT aggregates:
/// a partition, or a part of one.
///
/// @param groups null where there are no keys: then only tuples are merged, for the only group
/// @param tuples for each DISTINCT
record Portion(RowMerge.Part groups, List<List<MergeInput>> tuples) {
    /// Gives everything back; a second call does nothing.
    void release() {
        if (groups != null) {
            groups.release();
        }
        tuples.forEach(inputs -> inputs.forEach(MergeInput::release));
    }
}
