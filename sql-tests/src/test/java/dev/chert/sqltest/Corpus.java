package dev.chert.sqltest;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// The public test files that lie outside the project.
final class Corpus {
    private Corpus() {}

    /// Returns a file or folder of the corpus; where there is none the test is skipped and says so.
    static Path path(String relative) {
        Path root = root();
        assumeTrue(
                Files.isDirectory(root),
                () -> "no corpus at %s: set CHERT_CORPUS or -Dchert.corpus to where it lies".formatted(root));
        return root.resolve(relative);
    }

    private static Path root() {
        String property =
                System.getProperty("chert.corpus", Objects.requireNonNullElse(System.getenv("CHERT_CORPUS"), ""));
        return property.isEmpty() ? repository().resolve("../shared/corpus").normalize() : Path.of(property);
    }

    private static Path repository() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.isDirectory(folder.resolve("native-memory"))) {
            folder = folder.getParent();
        }
        return Objects.requireNonNull(folder, "the tests run outside of the repository");
    }
}
