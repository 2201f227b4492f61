package dev.chert.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResultComparisonTest {
    private static final QueryResult EXPECTED = result(List.of("k", "v"), row(1, "a"), row(2, null));

    @Test
    void sameRowsDoNotDiffer() {
        assertThat(ResultComparison.difference(EXPECTED, result(List.of("x", "y"), row(1L, "a"), row(2L, null))))
                .isEmpty();
    }

    @Test
    void namesTheFirstCellThatDiffers() {
        assertThat(ResultComparison.difference(EXPECTED, result(List.of("k", "v"), row(1, "a"), row(2, "b"))))
                .hasValue("row 2, column v: b, expected null");
    }

    @Test
    void rowsInAnotherOrderDiffer() {
        assertThat(ResultComparison.difference(EXPECTED, result(List.of("k", "v"), row(2, null), row(1, "a"))))
                .hasValue("row 1, column k: 2, expected 1");
    }

    @Test
    void missingRowsDiffer() {
        assertThat(ResultComparison.difference(EXPECTED, result(List.of("k", "v"), row(1, "a"))))
                .hasValue("1 rows, expected 2");
    }

    @Test
    void readsQuotedCellsOfAPublishedAnswer() {
        PublishedAnswer answer = PublishedAnswer.parse("a|b\n1|\"x|\"\"y\"\"\n\"\n2|\n");
        assertThat(answer.columns()).containsExactly("a", "b");
        assertThat(answer.rows()).containsExactly(List.of("1", "x|\"y\"\n"), List.of("2", ""));
    }

    @Test
    void anEmptyLineOfAPublishedAnswerIsOneNull() {
        PublishedAnswer answer = PublishedAnswer.parse("avg_yearly\n\n");
        assertThat(ResultComparison.difference(answer, result(List.of("avg_yearly"), row((Object) null))))
                .isEmpty();
    }

    @Test
    void ignoredColumnsMayHoldAnything() {
        PublishedAnswer answer = PublishedAnswer.parse("k|comment\n1|old\n").ignoring(Set.of("comment", "absent"));
        assertThat(ResultComparison.difference(answer, result(List.of("k", "comment"), row(1, "new"))))
                .isEmpty();
        assertThat(ResultComparison.difference(answer, result(List.of("k", "comment"), row(2, "new"))))
                .hasValue("row 1, column k: 2, expected 1");
    }

    private static QueryResult result(List<String> columns, Object[]... rows) {
        ArrayList<ArrayList<Object>> cells = new ArrayList<>();
        for (Object[] row : rows) {
            cells.add(new ArrayList<>(Arrays.asList(row)));
        }
        return new QueryResult(new ArrayList<>(columns), cells);
    }

    private static Object[] row(Object... cells) {
        return cells;
    }
}
