package dev.chert.formats.parquet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/// Public Parquet files that lie outside the project; tests that use them are skipped where they are absent.
final class Corpus {
    private Corpus() {}

    /// The folder, which the property `chert.corpus` or the environment's CHERT_CORPUS name, else
    /// `../shared/corpus` beside the project.
    static Path folder() {
        String named = System.getProperty("chert.corpus", System.getenv("CHERT_CORPUS"));
        Path corpus = named == null ? root().resolveSibling("shared").resolve("corpus") : Path.of(named);
        Path folder = corpus.resolve("parquet");
        Assumptions.assumeTrue(
                Files.isDirectory(folder),
                "the public corpus is not at " + corpus + "; set CHERT_CORPUS to where it is");
        return folder;
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("native-memory"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    /// All files, by path.
    static List<Path> files(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
