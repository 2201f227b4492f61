package dev.chert.planner.statistics;

import java.util.List;

/// What is guessed of an operator's output.
///
/// @param rows    at least 0
/// @param columns one a field
public record Estimate(double rows, List<ColumnEstimate> columns) {
    public Estimate {
        columns = List.copyOf(columns);
    }

    /// The different values of a column, at least 1.
    public double distinct(int column) {
        return columns.get(column).distinct();
    }

    /// Fewer rows, taken at random.
    Estimate reduced(double to) {
        double left = Math.min(rows, to);
        return new Estimate(
                left, columns.stream().map(c -> c.within(rows, left)).toList());
    }
}
