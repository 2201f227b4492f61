package dev.chert.planner.parse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StatementSplitterTest {
    @Test
    void cutsAtSemicolonsOutsideOfQuotesAndComments() {
        assertThat(StatementSplitter.split("select ';', \"a;b\", `;` -- ;\n from t; /* ; */ select 2"))
                .extracting(SqlText::text)
                .containsExactly("select ';', \"a;b\", `;` -- ;\n from t", "select 2");
    }

    @Test
    void keepsTheLineAndColumnOfEachStatement() {
        assertThat(StatementSplitter.split("select 1;\n\n  -- note\n  select 'a\nb'; x"))
                .containsExactly(
                        new SqlText("select 1", 1, 1), new SqlText("select 'a\nb'", 4, 3), new SqlText("x", 5, 5));
    }

    @Test
    void leavesOutPiecesWithoutAWord() {
        assertThat(StatementSplitter.split(";; -- nothing\n;")).isEmpty();
    }

    @Test
    void endsADoubledQuoteWhereItEnds() {
        assertThat(StatementSplitter.split("select 'it''s; fine'; y"))
                .extracting(SqlText::text)
                .containsExactly("select 'it''s; fine'", "y");
    }

    @Test
    void keepsWhatIsNotClosedInTheLastStatement() {
        assertThat(StatementSplitter.split("select 1; select 'a; b"))
                .extracting(SqlText::text)
                .containsExactly("select 1", "select 'a; b");
    }

    @Test
    void tellsWhetherAShellMustWaitForMore() {
        assertThat(StatementSplitter.isComplete("select 1;")).isTrue();
        assertThat(StatementSplitter.isComplete("select 1; -- done\n")).isTrue();
        assertThat(StatementSplitter.isComplete("select 1")).isFalse();
        assertThat(StatementSplitter.isComplete("select ';")).isFalse();
    }
}
