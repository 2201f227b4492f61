package dev.chert.sqltest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Our own test files.
final class OwnFiles {
    private static final Path FOLDER = Path.of("src/test/slt");

    private OwnFiles() {}

    static List<Path> all() throws IOException {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".slt"))
                    .sorted()
                    .toList();
        }
    }

    /// Returns the path of a file below their folder, for the name of a test.
    static String name(Path file) {
        return FOLDER.relativize(file).toString();
    }
}
