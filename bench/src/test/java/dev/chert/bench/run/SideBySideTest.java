package dev.chert.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.bench.engine.EngineName;
import dev.chert.bench.engine.EngineProcess;
import dev.chert.bench.engine.EngineSetup;
import dev.chert.bench.result.PublishedAnswer;
import dev.chert.bench.suite.Query;
import dev.chert.bench.suite.Suite;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SideBySideTest {
    private static final EngineSetup SETUP = new EngineSetup(1, new LinkedHashMap<>(), new LinkedHashMap<>());

    @Test
    void timesWhatAgreesAndNamesWhatDoesNot() throws IOException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Report report = new Report(
                new PrintStream(printed, true, StandardCharsets.UTF_8), "numbers", List.of("duckdb", "duckdb"));
        boolean agreed;
        try (EngineProcess first = EngineProcess.start(EngineName.DUCKDB, "duckdb", SETUP, List.of());
                EngineProcess second = EngineProcess.start(EngineName.DUCKDB, "duckdb", SETUP, List.of())) {
            SideBySide sideBySide = new SideBySide(new Numbers(), List.of(first, second), 1, 3);
            report.header();
            for (Query query : new Numbers().queries()) {
                report.add(sideBySide.run(query));
            }
            agreed = report.close();
        }
        assertThat(agreed).isFalse();
        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .anyMatch(line -> line.matches("right +2 +[0-9.]+ +[0-9.]+ +[0-9.]+ {2}published answer"))
                .contains("wrong    DIFFERS")
                .contains("         duckdb departs from the published answer: row 1, column n: 2, expected 3")
                .anyMatch(line ->
                        line.startsWith("         duckdb: Catalog Error: Table with name absent does not exist!"))
                .contains("1 of 3 queries agree")
                .last()
                .asString()
                .matches("geomean numbers duckdb/duckdb \\d+\\.\\d\\d");
    }

    @Test
    void anEngineThatDoesNotOpenSaysWhy() {
        EngineSetup setup =
                new EngineSetup(1, new LinkedHashMap<>(), new LinkedHashMap<>(Map.of("t", "/absent.parquet")));
        assertThatThrownBy(() -> EngineProcess.start(EngineName.DUCKDB, "duckdb", setup, List.of()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("duckdb does not open: ")
                .hasMessageContaining("/absent.parquet");
    }

    private record Numbers() implements Suite {
        @Override
        public String name() {
            return "numbers";
        }

        @Override
        public String dataDescription() {
            return "no tables";
        }

        @Override
        public Map<String, Path> tables() {
            return Map.of();
        }

        @Override
        public List<Query> queries() {
            return List.of(
                    new Query("right", "SELECT n FROM (VALUES (1), (2)) t(n) ORDER BY n"),
                    new Query("wrong", "SELECT 2 AS n"),
                    new Query("fails", "SELECT * FROM absent"));
        }

        @Override
        public Optional<PublishedAnswer> answer(Query query) {
            return switch (query.name()) {
                case "right" ->
                    Optional.of(new PublishedAnswer(List.of("n"), List.of(List.of("1"), List.of("2")), Set.of()));
                case "wrong" -> Optional.of(new PublishedAnswer(List.of("n"), List.of(List.of("3")), Set.of()));
                default -> Optional.empty();
            };
        }
    }
}
