package dev.chert.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chert.error.ResourceException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SpillFolderTest {
    @TempDir
    private Path directory;

    @Test
    void aKilledProcessLeavesAFolderThatTheNextStartRemoves() throws Exception {
        Process process = SpillingProcess.start(directory);
        try {
            assertThat(entries()).hasSize(1);
            manager(directory).close();
            assertThat(entries()).as("of a process that lives").hasSize(1);
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(entries()).hasSize(1);
        manager(directory).close();
        assertThat(entries()).isEmpty();
    }

    @Test
    void filesThatKeptTheirNamesGoWithTheirFolder() throws IOException {
        Path dead = Files.createDirectory(directory.resolve("chert-spill-123456789-abc-17"));
        Files.createFile(dead.resolve("alive.lock"));
        Files.writeString(dead.resolve("0.spill"), "left behind");
        Path broken = Files.createDirectory(directory.resolve("chert-spill-123456789-abc-18"));
        manager(directory).close();
        assertThat(dead).doesNotExist();
        assertThat(broken).as("a removal that broke off").doesNotExist();
    }

    @Test
    void whatIsNotOfOurMakingStays() throws IOException {
        Path notes = Files.createDirectory(directory.resolve("chert-spill-notes"));
        Files.createFile(notes.resolve("alive.lock"));
        Path file = Files.writeString(directory.resolve("chert-spill-1-2-3"), "a file");
        Path mixed = Files.createDirectory(directory.resolve("chert-spill-123456789-abc-19"));
        Path other = Files.writeString(mixed.resolve("thesis.txt"), "dear");
        manager(directory).close();
        assertThat(List.of(notes, file, other)).allMatch(Files::exists);
    }

    @Test
    void enginesOfOneProcessHaveAFolderEachAndLeaveTheOthersAlone() throws IOException {
        try (MemoryManager first = manager(directory)) {
            SpillFile file = spill(first);
            MemoryManager second = manager(directory);
            spill(second);
            assertThat(entries()).hasSize(2);
            second.close();
            assertThat(entries()).hasSize(1);
            manager(directory).close();
            assertThat(entries()).hasSize(1);
            file.write(Arena.global().allocate(100));
        }
        assertThat(entries()).isEmpty();
    }

    @Test
    void theDirectoryIsMadeByTheFirstSpillAndNoSooner() {
        Path missing = directory.resolve("a").resolve("b");
        try (MemoryManager manager = manager(missing)) {
            SpillFile file = manager.openAccount("query 1", Long.MAX_VALUE)
                    .allocator("Sort 5")
                    .spillFile();
            assertThat(missing).doesNotExist();
            file.write(Arena.global().allocate(100));
            assertThat(missing).exists();
        }
    }

    @Test
    void aDirectoryThatCannotBeWrittenToIsNamed() throws IOException {
        Path locked = Files.createDirectory(directory.resolve("locked"));
        assumeTrue(locked.toFile().setWritable(false) && !Files.isWritable(locked), "runs as root");
        try (MemoryManager manager = manager(locked)) {
            assertThatThrownBy(() -> spill(manager))
                    .isInstanceOf(ResourceException.class)
                    .hasMessage(
                            "Sort 5: cannot make a spill file in " + locked + ": access denied; set spill.directory to"
                                    + " a folder that can be written to, or raise memory.limit");
        }
    }

    @Test
    void aFileInThePlaceOfTheDirectoryIsNamed() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        try (MemoryManager manager = manager(file.resolve("below"))) {
            assertThatThrownBy(() -> spill(manager))
                    .isInstanceOf(ResourceException.class)
                    .hasMessageStartingWith("Sort 5: cannot make a spill file in " + file.resolve("below") + ": ")
                    .hasMessageEndingWith(
                            "; set spill.directory to a folder that can be written to, or raise" + " memory.limit");
        }
    }

    private static MemoryManager manager(Path directory) {
        return new MemoryManager(64L << 20, false, 2, new SpillOptions(directory, Long.MAX_VALUE, false, false));
    }

    private static SpillFile spill(MemoryManager manager) {
        SpillFile file = manager.openAccount("query 1", Long.MAX_VALUE)
                .allocator("Sort 5")
                .spillFile();
        file.write(Arena.global().allocate(1 << 20));
        return file;
    }

    private List<Path> entries() throws IOException {
        try (var entries = Files.list(directory)) {
            return entries.toList();
        }
    }
}
