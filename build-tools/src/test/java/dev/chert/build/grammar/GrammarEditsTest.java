package dev.chert.build.grammar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GrammarEditsTest {
    private static final String TEMPLATE = "one\n  two\nthree\n  two\n";

    private static GrammarEdits edit(String find, String replace) {
        return GrammarEdits.read("edits.txt", "a comment\n=== the edit\n--- find\n" + find + "--- replace\n" + replace);
    }

    @Test
    void replacesWholeLinesThatOccurOnce() {
        assertThat(edit("one\n", "1\n1\n").apply(TEMPLATE)).isEqualTo("1\n1\n  two\nthree\n  two\n");
    }

    @Test
    void takesLinesAwayWhereNothingReplacesThem() {
        assertThat(edit("three\n", "").apply(TEMPLATE)).isEqualTo("one\n  two\n  two\n");
    }

    @Test
    void namesAnEditThatMatchesTwice() {
        assertThatThrownBy(() -> edit("  two\n", "").apply(TEMPLATE))
                .hasMessageContaining("'the edit' matches 2 places");
    }

    @Test
    void namesAnEditThatMatchesNowhere() {
        assertThatThrownBy(() -> edit("four\n", "").apply(TEMPLATE))
                .hasMessageContaining("'the edit' matches 0 places");
    }

    @Test
    void refusesAnEditWithoutAReplacement() {
        assertThatThrownBy(() -> GrammarEdits.read("edits.txt", "=== half\n--- find\nx\n"))
                .hasMessage("edits.txt: edit 'half' has no '--- replace'");
    }
}
