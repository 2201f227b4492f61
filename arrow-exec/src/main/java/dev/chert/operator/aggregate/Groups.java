package dev.chert.operator.aggregate;

import dev.chert.batch.Column;
import dev.chert.operator.table.RowTable;

/// Finds the group of each row of a batch, and makes the groups that are new. One a worker.
interface Groups {
    /// Finds groups.
    ///
    /// @param columns the key's columns, then others; borrowed
    /// @param rows    which rows, `count` of them
    /// @param places  receives the group's row of `rows[i]` at `i`, valid until the next call
    void find(Column[] columns, int[] rows, int count, long[] places);

    /// The groups so far.
    RowTable table();
}
