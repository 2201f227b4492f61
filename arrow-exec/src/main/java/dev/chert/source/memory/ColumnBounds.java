package dev.chert.source.memory;

import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.batch.TypeKind;
import dev.chert.expression.Expression.Literal;
import dev.chert.source.Statistics.ColumnStatistics;
import dev.chert.source.Statistics.Count;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;

/// What is known of a column's values: how many are NULL, and the least and the greatest where they are numbers
/// that fit 64 bits.
///
/// @param known whether every value was looked at
record ColumnBounds(DataType type, boolean known, long nulls, long least, long greatest) {
    static ColumnBounds[] none(Schema schema) {
        return schema.fields().stream()
                .map(field -> new ColumnBounds(field.type(), isNumber(field.type()), 0, Long.MAX_VALUE, Long.MIN_VALUE))
                .toArray(ColumnBounds[]::new);
    }

    static ColumnBounds[] merge(ColumnBounds[] left, ColumnBounds[] right) {
        ColumnBounds[] merged = new ColumnBounds[left.length];
        for (int c = 0; c < merged.length; c++) {
            merged[c] = new ColumnBounds(
                    left[c].type(),
                    left[c].known() && right[c].known(),
                    left[c].nulls() + right[c].nulls(),
                    Math.min(left[c].least(), right[c].least()),
                    Math.max(left[c].greatest(), right[c].greatest()));
        }
        return merged;
    }

    private static boolean isNumber(DataType type) {
        return switch (type.kind()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, DATE, TIME, TIMESTAMP, TIMESTAMP_LTZ -> true;
            case BOOLEAN,
                    REAL,
                    DOUBLE,
                    INTERVAL_YEAR_MONTH,
                    INTERVAL_DAY_TIME,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    UUID,
                    ARRAY,
                    MAP,
                    ROW,
                    NULL,
                    OPAQUE -> false;
        };
    }

    /// These bounds, widened by all rows of a column.
    ColumnBounds with(Column column) {
        int rows = column.rowCount();
        int nullRows = 0;
        if (column.hasNulls()) {
            for (int row = 0; row < rows; row++) {
                nullRows += column.isNull(row) ? 1 : 0;
            }
        }
        boolean readable = known && column.physical() != Physical.INT128;
        long low = least;
        long high = greatest;
        if (readable) {
            MemorySegment values = column.valueColumn().values();
            for (int row = 0; row < rows; row++) {
                if (nullRows > 0 && column.isNull(row)) {
                    continue;
                }
                long value = value(column.physical(), values, column.valueRow(row));
                low = Math.min(low, value);
                high = Math.max(high, value);
            }
        }
        return new ColumnBounds(type, readable, nulls + nullRows, low, high);
    }

    private static long value(Physical physical, MemorySegment values, int at) {
        return switch (physical) {
            case INT8 -> values.get(Layouts.BYTE, at);
            case INT16 -> values.getAtIndex(Layouts.SHORT, at);
            case INT32 -> values.getAtIndex(Layouts.INT, at);
            case INT64 -> values.getAtIndex(Layouts.LONG, at);
            case BIT, INT128, FLOAT32, FLOAT64, VIEW, LIST, MAP, STRUCT, NONE, HANDLE ->
                throw new AssertionError(physical);
        };
    }

    ColumnStatistics statistics() {
        boolean bounded = known && least <= greatest;
        return new ColumnStatistics(
                bounded ? literal(least) : null,
                bounded ? literal(greatest) : null,
                bounded,
                Count.exact(nulls),
                Count.UNKNOWN);
    }

    private Literal literal(long value) {
        return type.kind() == TypeKind.DECIMAL
                ? new Literal(BigDecimal.valueOf(value, ((ScalarType) type).scale()), type)
                : new Literal(value, type);
    }
}
