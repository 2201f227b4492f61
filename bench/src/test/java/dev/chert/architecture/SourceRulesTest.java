package dev.chert.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What no source of ours may contain, whichever module it is in; what the formatter and the compiler do not see.
class SourceRulesTest {
    private static final int LINE_LENGTH = 120;
    private static final Path ROOT = Path.of(System.getProperty("chert.root", ".."));
    private static final Set<String> SKIPPED_FOLDERS = Set.of("target", ".git", "peers");

    private static List<Path> sources;

    @BeforeAll
    static void findSources() throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                boolean skipped = SKIPPED_FOLDERS.contains(folder.getFileName().toString());
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".java")) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        sources = List.copyOf(found);
    }

    @Test
    void sourcesAreFound() {
        assertThat(sources).anyMatch(file -> file.endsWith("dev/chert/memory/MemoryManager.java"));
    }

    @Test
    void namesNoUnsafe() {
        assertThat(linesWith(Pattern.compile("^(?!\\s*//).*(sun\\.misc\\.Unsafe|jdk\\.internal\\.[a-z])")))
                .isEmpty();
    }

    @Test
    void neverReinterpretsToAnUnboundedSegment() {
        assertThat(linesWith(Pattern.compile("reinterpret\\(\\s*Long\\." + "MAX")))
                .isEmpty();
    }

    @Test
    void namesNoHadoop() {
        assertThat(linesWith(Pattern.compile("import (static )?org\\.apache\\." + "hadoop")))
                .isEmpty();
    }

    @Test
    void leavesNothingToBeDone() {
        assertThat(linesWith(Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b")))
                .isEmpty();
    }

    /// The formatter keeps code within them, but leaves Markdown comments alone. A test may have long literals.
    @Test
    void linesAreAtMost120CharactersLong() {
        assertThat(lines(line -> line.codePointCount(0, line.length()) > LINE_LENGTH))
                .filteredOn(line -> line.contains("/src/main/") || line.contains(": //"))
                .isEmpty();
    }

    /// Once for the whole project: a benchmark stands in the package of what it measures and adds nothing to say.
    @Test
    void everyPackageSaysWhatItIsFor() {
        Set<String> explained = new HashSet<>();
        Set<String> packages = new TreeSet<>();
        for (Path source : sources) {
            String[] folderAndPackage = source.getParent().toString().split("/src/main/java/");
            if (folderAndPackage.length == 2) {
                packages.add(folderAndPackage[1]);
                if (source.endsWith("package-info.java")) {
                    explained.add(folderAndPackage[1]);
                }
            }
        }
        packages.removeAll(explained);
        assertThat(packages).isEmpty();
    }

    @Test
    void noClassIsNamedAfterNothing() {
        assertThat(sources).noneMatch(file -> file.getFileName().toString().matches(".*(Utils?|Helpers?)\\.java"));
    }

    private static List<String> linesWith(Pattern pattern) {
        return lines(line -> pattern.matcher(line).find());
    }

    private static List<String> lines(Predicate<String> wanted) {
        List<String> found = new ArrayList<>();
        for (Path source : sources) {
            try {
                List<String> lines = Files.readAllLines(source);
                for (int line = 0; line < lines.size(); line++) {
                    if (wanted.test(lines.get(line))) {
                        found.add("%s:%d: %s"
                                .formatted(
                                        ROOT.relativize(source),
                                        line + 1,
                                        lines.get(line).strip()));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return found;
    }
}
