package dev.chert.planner.statistics;

/// What is guessed of one column.
///
/// @param distinct values that are not NULL, at least 1
/// @param minimum  as a number (days, units, the value), or NaN
/// @param maximum  as a number, or NaN
/// @param nulls    share of rows that are NULL
/// @param counted  whether statistics say something of the distinct values
record ColumnEstimate(double distinct, double minimum, double maximum, double nulls, boolean counted) {
    static ColumnEstimate unknown(double rows) {
        return new ColumnEstimate(Math.max(1, rows), Double.NaN, Double.NaN, 0, false);
    }

    /// A column of one value, or of as many as are known.
    static ColumnEstimate of(double distinct) {
        return new ColumnEstimate(Math.max(1, distinct), Double.NaN, Double.NaN, 0, true);
    }

    ColumnEstimate withDistinct(double value) {
        return new ColumnEstimate(Math.max(1, value), minimum, maximum, nulls, counted);
    }

    /// In fewer rows: of `before` rows, `after` are left, taken without regard to this column.
    ColumnEstimate within(double before, double after) {
        if (after >= before || distinct <= 1) {
            return distinct > Math.max(1, after) ? withDistinct(after) : this;
        }
        // Expected number of values that are hit by a sample: n * (1 - (1 - rate)^(rows per value)).
        double perValue = before / distinct;
        double hit = distinct * (1 - Math.pow(1 - after / before, perValue));
        return withDistinct(Math.min(hit, after));
    }
}
