package dev.chert.formats.parquet;

import dev.chert.batch.DataType;
import dev.chert.batch.Field;
import org.apache.parquet.format.Type;

/// A column of a file's schema: a top-level field, and how its values are stored.
///
/// @param leaf         number of its column chunk in each row group; of its first, where it is nested
/// @param physicalType of the file; null where the column is nested
/// @param typeLength   bytes of a FIXED_LEN_BYTE_ARRAY, else 0
/// @param form         what becomes of a value; null where `refusal` is not
/// @param refusal      why the column cannot be read, and what helps; null where it can
record ParquetColumn(
        String name,
        DataType type,
        boolean nullable,
        int leaf,
        Type physicalType,
        int typeLength,
        ValueForm form,
        String refusal) {
    Field field() {
        return new Field(name, type, nullable);
    }
}
