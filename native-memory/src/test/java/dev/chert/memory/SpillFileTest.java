package dev.chert.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.error.ResourceException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpillFileTest {
    private static final long MIB = 1 << 20;

    @TempDir
    private Path directory;

    private Arena arena;
    private MemoryManager manager;
    private Account query;

    @BeforeEach
    void open() {
        arena = Arena.ofConfined();
        manager = manager(Long.MAX_VALUE);
        query = manager.openAccount("query 1", Long.MAX_VALUE);
    }

    @AfterEach
    void everythingComesBack() throws IOException {
        query.close();
        assertThat(manager.reservedBytes()).isZero();
        assertThat(manager.spilledBytes()).isZero();
        manager.close();
        arena.close();
        try (var left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    private MemoryManager manager(long spillLimit) {
        return new MemoryManager(64 * MIB, true, 2, new SpillOptions(directory, spillLimit, false, false));
    }

    private void limit(long spillLimit) {
        query.close();
        manager.close();
        manager = manager(spillLimit);
        query = manager.openAccount("query 1", Long.MAX_VALUE);
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {0, 1, 63, 1024, 245_759, 245_760, 245_761, 491_520, 3_000_000})
    void whatWasWrittenComesBackWhetherItCompressesOrNot(int size) {
        SpillFile file = query.allocator("Sort 5").spillFile();
        for (int noise : new int[] {0, 2, 256}) {
            MemorySegment bytes = bytes(size, noise, size);
            SpillBlock block = file.write(bytes);
            assertThat(block.bytes()).isEqualTo(size);
            assertThat(read(file, block).mismatch(bytes)).isEqualTo(-1);
        }
        assertThat(file.writtenBytes()).isEqualTo(3L * size);
        assertThat(file.readBytes()).isEqualTo(3L * size);
    }

    @Test
    void zerosTakeLittleAndNoiseTakesHardlyMoreThanItself() {
        SpillFile file = query.allocator("Sort 5").spillFile();
        assertThat(file.write(bytes(1 << 20, 0, 1)).storedBytes()).isLessThan(10_000);
        assertThat(file.write(bytes(1 << 20, 256, 1)).storedBytes()).isBetween(1L << 20, (1L << 20) + 5 * 16);
        assertThat(manager.spilledBytes()).isEqualTo(file.storedBytes()).isEqualTo(file.peakStoredBytes());
    }

    @Test
    void anOperatorHasOneFile() {
        assertThat(query.allocator("Sort 5").spillFile())
                .isSameAs(query.allocator("Sort 5").spillFile());
        assertThat(query.allocator("Sort 6").spillFileIfMade()).isEmpty();
    }

    @Test
    void theFileHasNoNameWhereTheSystemAllowsIt() throws IOException {
        query.allocator("Sort 5").spillFile().write(bytes(1000, 256, 1));
        try (var folders = Files.list(directory)) {
            Path folder = folders.findFirst().orElseThrow();
            assertThat(folder.getFileName().toString()).startsWith("chert-spill-");
            if (System.getProperty("os.name").startsWith("Linux")) {
                try (var files = Files.list(folder)) {
                    assertThat(files.map(file -> file.getFileName().toString())).containsExactly("alive.lock");
                }
            }
        }
    }

    @Test
    void theRoomOfFreedBlocksIsUsedAgain() {
        SpillFile file = query.allocator("Sort 5").spillFile();
        var blocks = new ArrayList<SpillBlock>();
        for (int i = 0; i < 40; i++) {
            blocks.add(file.write(bytes(300_000, 256, i)));
        }
        long most = manager.spilledBytes();
        var random = new Random(7);
        long end = 0;
        for (int round = 0; round < 400; round++) {
            int i = random.nextInt(blocks.size());
            file.free(blocks.get(i));
            blocks.set(i, file.write(bytes(300_000, 256, i)));
            end = Math.max(end, blocks.get(i).offset() + blocks.get(i).storedBytes());
        }
        assertThat(manager.spilledBytes()).isEqualTo(most);
        assertThat(end).isLessThan(most + most / 4);
        for (int i = 0; i < blocks.size(); i++) {
            assertThat(read(file, blocks.get(i)).mismatch(bytes(300_000, 256, i)))
                    .isEqualTo(-1);
            file.free(blocks.get(i));
        }
        assertThat(manager.spilledBytes()).isZero();
    }

    @Test
    void theLimitSaysWhoNeedsWhatAndWhatHelps() {
        limit(MIB);
        SpillFile file = query.allocator("HashJoin 3, build side").spillFile();
        SpillBlock first = file.write(bytes(700 << 10, 256, 1));
        assertThatThrownBy(() -> file.write(bytes(400 << 10, 256, 2)))
                .isInstanceOf(ResourceException.class)
                .hasMessage(
                        "HashJoin 3, build side: needs 160 KiB more on disk, 940.1 KiB of 1 MiB of spill files are in"
                                + " use; raise spill.limit or memory.limit (this operator has 940.1 KiB in " + directory
                                + ")");
        assertThat(manager.spilledBytes()).as("nothing of it stays").isEqualTo(first.storedBytes());
        assertThat(read(file, first).mismatch(bytes(700 << 10, 256, 1))).isEqualTo(-1);
        file.free(first);
        file.write(bytes(900 << 10, 256, 3));
    }

    @Test
    void threadsWriteReadAndFreeInOneFile() throws Exception {
        SpillFile file = query.allocator("Sort 5").spillFile();
        try (var pool = Executors.newFixedThreadPool(4)) {
            var tasks = new ArrayList<Callable<Void>>();
            for (int t = 0; t < 4; t++) {
                int thread = t;
                tasks.add(() -> {
                    try (Arena own = Arena.ofConfined()) {
                        var random = new Random(thread);
                        for (int round = 0; round < 40; round++) {
                            MemorySegment bytes = own.allocate(random.nextInt(600_000));
                            bytes.fill((byte) random.nextInt());
                            SpillBlock block = file.write(bytes);
                            MemorySegment back = own.allocate(bytes.byteSize());
                            file.read(block, back);
                            assertThat(back.mismatch(bytes)).isEqualTo(-1);
                            file.free(block);
                        }
                    }
                    return null;
                });
            }
            for (var future : pool.invokeAll(tasks)) {
                future.get();
            }
        }
        assertThat(manager.spilledBytes()).isZero();
    }

    @Test
    void aClosedQueryRefusesToSpill() {
        SpillFile file = query.allocator("Sort 5").spillFile();
        SpillBlock block = file.write(bytes(10, 0, 1));
        query.close();
        assertThatThrownBy(() -> file.write(bytes(10, 0, 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Sort 5 cannot use its spill file: the query is closed");
        assertThatThrownBy(() -> query.allocator("Sort 6").spillFile()).isInstanceOf(IllegalStateException.class);
        file.free(block);
    }

    @Test
    void anInterruptClosesNothing() {
        SpillFile file = query.allocator("Sort 5").spillFile();
        Thread.currentThread().interrupt();
        SpillBlock block = file.write(bytes(1000, 256, 1));
        assertThat(read(file, block).mismatch(bytes(1000, 256, 1))).isEqualTo(-1);
        assertThat(Thread.interrupted()).isTrue();
    }

    private MemorySegment read(SpillFile file, SpillBlock block) {
        MemorySegment into = arena.allocate(block.bytes());
        file.read(block, into);
        return into;
    }

    /// @param noise how many values a byte may have; 0 and 1 are all zeros
    private MemorySegment bytes(int size, int noise, long seed) {
        byte[] bytes = new byte[size];
        var random = new Random(seed);
        for (int i = 0; noise > 1 && i < size; i++) {
            bytes[i] = (byte) random.nextInt(noise);
        }
        return arena.allocate(size).copyFrom(MemorySegment.ofArray(bytes));
    }
}
