package dev.chert.build.grammar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GrammarDataTest {
    @Test
    void readsMapsListsStringsAndBooleans() {
        assertThat(GrammarData.read("x", "a: { b: [ \"c\" \"d\\\"e\", \"f\" ] # comment\n g: true }, h: \"\""))
                .isEqualTo(Map.of("a", Map.of("b", List.of("c", "d\"e", "f"), "g", true), "h", ""));
    }

    @Test
    void namesTheLineOfAnError() {
        assertThatThrownBy(() -> GrammarData.read("x", "a: {\n b \"c\" }"))
                .hasMessage("x, line 2: expected ':' after b");
    }
}
