package dev.chert.source;

import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;
import java.io.Serializable;

/// A morsel of a source: a row group, a stripe, a range of rows. Serialisable; holds no open resource.
public interface Split extends Serializable {
    /// Opens the split for one reader.
    ///
    /// @param request   the request for which the split was made
    /// @param allocator what the reader's memory is charged to
    SplitReader open(TableSource.ScanRequest request, QueryContext query, Allocator allocator);

    /// Rows, or -1 where that is not known before reading.
    long rowCount();
}
