package dev.chert.bench.result;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/// Finds the first cell in which two results differ.
///
/// Rows are compared in order: the suites' queries sort by what makes their rows distinct.
public final class ResultComparison {
    private ResultComparison() {}

    /// Returns where `actual` departs from another engine's result, or nothing.
    public static Optional<String> difference(QueryResult expected, QueryResult actual) {
        return difference(expected.rows(), actual, Set.of(), CellComparison::same);
    }

    /// Returns where `actual` departs from the published answer, or nothing.
    public static Optional<String> difference(PublishedAnswer expected, QueryResult actual) {
        Set<Integer> ignored =
                expected.ignored().stream().map(expected.columns()::indexOf).collect(Collectors.toSet());
        return difference(expected.rows(), actual, ignored, CellComparison::sameAsText);
    }

    private static <T> Optional<String> difference(
            List<? extends List<T>> expected, QueryResult actual, Set<Integer> ignored, BiPredicate<T, Object> same) {
        List<? extends List<Object>> rows = actual.rows();
        for (int row = 0; row < Math.min(expected.size(), rows.size()); row++) {
            List<T> expectedRow = expected.get(row);
            List<Object> actualRow = rows.get(row);
            if (expectedRow.size() != actualRow.size()) {
                return Optional.of("%d columns, expected %d".formatted(actualRow.size(), expectedRow.size()));
            }
            for (int column = 0; column < expectedRow.size(); column++) {
                if (!ignored.contains(column) && !same.test(expectedRow.get(column), actualRow.get(column))) {
                    return Optional.of("row %d, column %s: %s, expected %s"
                            .formatted(
                                    row + 1,
                                    actual.columns().get(column),
                                    actualRow.get(column),
                                    expectedRow.get(column)));
                }
            }
        }
        if (expected.size() != rows.size()) {
            return Optional.of("%d rows, expected %d".formatted(rows.size(), expected.size()));
        }
        return Optional.empty();
    }
}
