package dev.chert.sqltest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PairwiseSettingsTest {
    @Test
    void letsAnyTwoValuesMeet() {
        Map<String, List<String>> values = new LinkedHashMap<>();
        values.put("a", List.of("1", "2", "3"));
        values.put("b", List.of("x", "y"));
        values.put("c", List.of("p", "q"));
        values.put("d", List.of("u", "v"));

        List<Map<String, String>> assignments = PairwiseSettings.of(values);

        for (String first : values.keySet()) {
            for (String second : values.keySet()) {
                if (!first.equals(second)) {
                    for (String v : values.get(first)) {
                        for (String w : values.get(second)) {
                            assertThat(assignments)
                                    .as("%s=%s with %s=%s", first, v, second, w)
                                    .anyMatch(a -> a.get(first).equals(v)
                                            && a.get(second).equals(w));
                        }
                    }
                }
            }
        }
        assertThat(assignments)
                .hasSizeLessThanOrEqualTo(8)
                .allMatch(a -> a.keySet().equals(values.keySet()));
    }
}
