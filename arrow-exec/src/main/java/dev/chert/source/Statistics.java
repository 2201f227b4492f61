package dev.chert.source;

import dev.chert.expression.Expression.Literal;
import java.io.Serializable;
import java.util.Collections;
import java.util.List;

/// What is known of a source's rows without reading them. Exact and estimated values are kept apart.
///
/// @param rowCount      rows
/// @param columns       one a column of the schema
public record Statistics(Count rowCount, List<ColumnStatistics> columns) implements Serializable {
    public Statistics {
        columns = List.copyOf(columns);
    }

    /// Nothing known, for `columns` columns.
    public static Statistics unknown(int columns) {
        return new Statistics(Count.UNKNOWN, Collections.nCopies(columns, ColumnStatistics.UNKNOWN));
    }

    /// A number that may be unknown, estimated or exact.
    ///
    /// @param value at least 0, or NaN where unknown
    public record Count(double value, boolean exact) implements Serializable {
        public static final Count UNKNOWN = new Count(Double.NaN, false);

        public static Count exact(long value) {
            return new Count(value, true);
        }

        public static Count estimated(double value) {
            return new Count(value, false);
        }

        public boolean isKnown() {
            return !Double.isNaN(value);
        }
    }

    /// What is known of one column.
    ///
    /// @param minimum        no value is below it; null where unknown
    /// @param maximum        no value is above it; null where unknown
    /// @param boundsExact    whether minimum and maximum occur in the data
    /// @param nullCount      rows that are NULL
    /// @param distinctCount  different values that are not NULL
    public record ColumnStatistics(
            Literal minimum, Literal maximum, boolean boundsExact, Count nullCount, Count distinctCount)
            implements Serializable {
        public static final ColumnStatistics UNKNOWN =
                new ColumnStatistics(null, null, false, Count.UNKNOWN, Count.UNKNOWN);
    }
}
