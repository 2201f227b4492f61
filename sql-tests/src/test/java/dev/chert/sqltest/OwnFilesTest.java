package dev.chert.sqltest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.chert.table.EnvironmentSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs our own files, and those of SQLite that every engine must pass, under settings that must not change a result.
class OwnFilesTest {
    /// A file takes seconds; one that hangs shall say so before the whole build does.
    private static final Duration LONGEST = Duration.ofMinutes(3);

    private static final Map<String, List<String>> MATRIX = new LinkedHashMap<>();

    static {
        MATRIX.put("execution.batch-size", List.of("4096", "1", "7"));
        MATRIX.put("execution.threads", List.of("1", "2"));
        MATRIX.put("execution.dictionaries", List.of("on", "off"));
        MATRIX.put("test.constant-hash", List.of("off", "on"));
        MATRIX.put("planner.disabled-rules", List.of("none", "all"));
        MATRIX.put("test.spill", List.of("off", "on"));
        MATRIX.put("memory.limit", List.of("1GB", "16MB"));
    }

    @TestFactory
    Stream<DynamicNode> passUnderAllSettings() {
        return PairwiseSettings.of(MATRIX).stream().map(settings -> {
            Map<String, String> checked = new LinkedHashMap<>(settings);
            checked.put("test.check-memory", "on");
            return DynamicContainer.dynamicContainer(settings.toString(), files(ChertEngine.settings(checked)));
        });
    }

    private static Stream<DynamicTest> files(EnvironmentSettings settings) {
        try {
            return OwnFiles.all().stream()
                    .map(file -> DynamicTest.dynamicTest(OwnFiles.name(file), () -> passes(file, settings)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void passes(Path file, EnvironmentSettings settings) {
        Recorded run = assertTimeoutPreemptively(
                LONGEST, () -> Recorded.run(() -> new ChertEngine("chert", settings), List.of(file)));
        assertThat(run.failures()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"select1.test", "select2.test", "select3.test"})
    void passesFilesOfSqlite(String name) throws IOException {
        Path file = Corpus.path("sqllogictest").resolve(name);

        Recorded run = Recorded.run(() -> new ChertEngine("chert", EnvironmentSettings.defaults()), List.of(file));

        assertThat(run.failures()).isEmpty();
        assertThat(run.report().skipped()).isZero();
    }
}
