package dev.chert.formats.parquet;

import java.util.List;

/// A horizontal piece of a file.
///
/// @param columns one a leaf of the schema
record RowGroup(long numRows, List<ColumnChunk> columns) {
    RowGroup {
        columns = List.copyOf(columns);
    }
}
