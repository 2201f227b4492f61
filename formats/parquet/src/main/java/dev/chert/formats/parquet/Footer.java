package dev.chert.formats.parquet;

import dev.chert.batch.Schema;
import java.util.List;

/// The metadata of a file, checked: every chunk lies within the file, every count is at least 0.
///
/// @param columns   the fields of the schema's root, readable or not
/// @param byteSize of the metadata in the file
record Footer(List<ParquetColumn> columns, List<RowGroup> rowGroups, int byteSize) {
    Footer {
        columns = List.copyOf(columns);
        rowGroups = List.copyOf(rowGroups);
    }

    Schema schema() {
        return new Schema(columns.stream().map(ParquetColumn::field).toList());
    }

    long rowCount() {
        return rowGroups.stream().mapToLong(RowGroup::numRows).sum();
    }
}
