package dev.chert.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.error.CorruptFileException;
import dev.chert.error.QueryCancelledException;
import dev.chert.error.ValidationException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFileSystemTest {
    private final LocalFileSystem files = LocalFileSystem.UNRESTRICTED;

    @TempDir
    Path directory;

    @BeforeEach
    void write() throws Exception {
        for (String name :
                List.of("a.csv", "b.csv", "sub/c.csv", "sub/deep/d.csv", "_hidden/e.csv", ".f.csv", "x[1].csv")) {
            Path file = directory.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, name);
        }
    }

    private List<String> list(String location) {
        return files.list(directory + "/" + location).stream()
                .map(file -> file.path().substring(directory.toString().length() + 1))
                .toList();
    }

    @Test
    void findsAFileAsItIsNamed() throws Exception {
        FileSystem.FileEntry file = files.list(directory + "/a.csv").getFirst();
        assertThat(file.path()).isEqualTo(directory + "/a.csv");
        assertThat(file.size()).isEqualTo(5);
        assertThat(file.modifiedTime())
                .isEqualTo(Files.getLastModifiedTime(directory.resolve("a.csv")).toMillis());
        assertThat(files.list(directory.resolve("a.csv").toUri().toString())).hasSize(1);
    }

    @Test
    void findsAllFilesBelowADirectoryButHiddenOnes() {
        assertThat(files.list(directory.toString()).stream().map(FileSystem.FileEntry::path))
                .containsExactly(
                        directory + "/a.csv",
                        directory + "/b.csv",
                        directory + "/sub/c.csv",
                        directory + "/sub/deep/d.csv",
                        directory + "/x[1].csv");
    }

    @Test
    void stopsSearchingWhenTheThreadIsInterrupted() {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> files.list(directory.toString()))
                    .isInstanceOf(QueryCancelledException.class)
                    .hasMessage(directory + ": the thread was interrupted while it listed the files");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void matchesGlobs() {
        assertThat(list("*.csv")).containsExactly("a.csv", "b.csv", "x[1].csv");
        assertThat(list("?.csv")).containsExactly("a.csv", "b.csv");
        assertThat(list("[b-z].csv")).containsExactly("b.csv");
        assertThat(list("{a,b}.csv")).containsExactly("a.csv", "b.csv");
        assertThat(list("sub/**.csv")).containsExactly("sub/c.csv", "sub/deep/d.csv");
        assertThat(list("s*/c.csv")).containsExactly("sub/c.csv");
    }

    @Test
    void looksNoDeeperThanAGlobGoesAndWalksNoCircle() throws Exception {
        Files.createSymbolicLink(directory.resolve("sub/circle"), directory);
        assertThat(list("sub/*")).containsExactly("sub/c.csv");
        assertThat(list("sub/**.csv")).contains("sub/c.csv", "sub/deep/d.csv");
    }

    @Test
    void prefersAFileOverTheGlobOfItsName() {
        assertThat(list("x[1].csv")).containsExactly("x[1].csv");
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> list("aa.csv"))
                .isInstanceOf(ValidationException.class)
                .hasMessage(directory + "/aa.csv: no such file; the nearest name in its directory is 'a.csv'");
        assertThatThrownBy(() -> list("none/a.csv"))
                .hasMessage(directory + "/none/a.csv: no such file; nor is there a directory '" + directory + "/none'");
        assertThatThrownBy(() -> list("*.orc")).hasMessage(directory + "/*.orc: matches no file");
        assertThatThrownBy(() -> list("[a"))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("as a glob");
    }

    @Test
    void keepsToTheAllowedPaths() throws Exception {
        LocalFileSystem restricted = new LocalFileSystem(List.of(directory + "/sub"));
        assertThat(restricted.list(directory + "/sub/c.csv")).hasSize(1);
        for (String path : List.of("a.csv", "sub/../a.csv", "link.csv")) {
            if (path.equals("link.csv")) {
                Files.createSymbolicLink(directory.resolve("sub/link.csv"), directory.resolve("a.csv"));
                path = "sub/link.csv";
            }
            String location = directory + "/" + path;
            assertThatThrownBy(() -> restricted.list(location))
                    .isInstanceOf(ValidationException.class)
                    .hasMessageContaining("files.allowed-paths");
            assertThatThrownBy(() -> restricted.open(new FileSystem.FileEntry(location, 5, 0)))
                    .hasMessageContaining("files.allowed-paths");
        }
    }

    @Test
    void readsAtAnyPlaceAndSaysWhereAFileEnds() {
        try (Arena arena = Arena.ofConfined();
                InputFile file = files.open(files.list(directory + "/sub/c.csv").getFirst())) {
            MemorySegment target = arena.allocate(3);
            file.read(4, target);
            assertThat(target.toArray(ValueLayout.JAVA_BYTE)).isEqualTo("c.c".getBytes());
            assertThatThrownBy(() -> file.read(7, target))
                    .isInstanceOf(CorruptFileException.class)
                    .hasMessage(directory + "/sub/c.csv, byte 9: the file ends here, 1 bytes more were expected; it is"
                            + " cut off or was changed meanwhile");
        }
    }

    @Test
    void readsOnAfterAReaderWasInterrupted() throws Exception {
        try (Arena arena = Arena.ofShared();
                InputFile file = files.open(files.list(directory + "/a.csv").getFirst());
                ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Future<Boolean> stillInterrupted = executor.submit(() -> {
                Thread.currentThread().interrupt();
                MemorySegment target = arena.allocate(5);
                file.read(0, target);
                assertThat(target.toArray(ValueLayout.JAVA_BYTE)).isEqualTo("a.csv".getBytes());
                return Thread.interrupted();
            });
            assertThat(stillInterrupted.get()).isTrue();
            file.read(0, arena.allocate(5));
        }
    }
}
