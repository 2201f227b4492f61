package dev.chert.sqltest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Proves the runner: an engine that is known to be right passes files whose results are known.
class RunnerAgainstDuckDbTest {
    @ParameterizedTest
    @ValueSource(strings = {"select1.test", "select2.test", "select3.test"})
    void passesFilesOfSqlite(String name) throws IOException {
        Path file = Corpus.path("sqllogictest").resolve(name);

        Recorded run = Recorded.run(DuckDbEngine::withNullsFirst, List.of(file));

        assertThat(run.failures()).isEmpty();
        assertThat(run.report().passed()).isGreaterThan(1000);
        assertThat(run.report().skipped()).isZero();
    }

    @Test
    void passesItsOwnFiles() throws IOException {
        Path neutral = Corpus.path("duckdb/neutral/sql");
        List<Path> files = new ArrayList<>();
        // the folders in which no statement was left out that a later one needs
        for (String each :
                List.of("cast", "conjunction", "filter", "overflow", "parser", "projection", "setops", "topn")) {
            try (Stream<Path> found = Files.walk(neutral.resolve(each))) {
                found.filter(Files::isRegularFile).forEach(files::add);
            }
        }

        Recorded run = Recorded.run(DuckDbEngine::new, files);

        assertThat(run.failures()).isEmpty();
        assertThat(run.report().passed()).isGreaterThan(200);
    }
}
