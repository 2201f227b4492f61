package dev.chert.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.error.ResourceException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Disks that are full, fail or lie. The file keeps its name here, so that it can be damaged.
class SpillFailureTest {
    private static final int MIB = 1 << 20;

    @TempDir
    private Path directory;

    private Arena arena;
    private FullDisk disk;
    private MemoryManager manager;
    private Account query;
    private SpillFile file;

    @BeforeEach
    void open() {
        arena = Arena.ofConfined();
        SpillOptions options = new SpillOptions(directory, Long.MAX_VALUE, false, false);
        SpillFolder folder = new SpillFolder(options, path -> {
            disk = new FullDisk(FileChannel.open(
                    path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE));
            return disk;
        });
        manager = new MemoryManager(64 * MIB, true, 2, options, folder);
        query = manager.openAccount("query 1", Long.MAX_VALUE);
        file = query.allocator("HashJoin 3, build side").spillFile();
    }

    @AfterEach
    void everythingComesBack() {
        query.close();
        assertThat(manager.reservedBytes()).isZero();
        assertThat(manager.spilledBytes()).isZero();
        manager.close();
        arena.close();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aFullDiskSaysWhoSpilledWhereHowMuchAndWhatHelpsAndLeavesNothingOfTheBlock() {
        MemorySegment first = noise(MIB, 1);
        SpillBlock block = file.write(first);
        disk.room = 300_000; // in the middle of the second piece
        assertThatThrownBy(() -> file.write(noise(MIB, 2)))
                .isInstanceOf(ResourceException.class)
                .hasMessage(
                        "HashJoin 3, build side: cannot spill to " + directory + ": No space left on device, 1.5 MiB of"
                                + " spill files are in use there; set spill.directory to a disk with more room, or"
                                + " raise memory.limit")
                .hasCauseInstanceOf(IOException.class);
        assertThat(manager.spilledBytes()).isEqualTo(block.storedBytes());
        assertThat(read(block).mismatch(first)).isEqualTo(-1);
        disk.room = Long.MAX_VALUE;
        SpillBlock third = file.write(noise(MIB, 3));
        assertThat(third.offset()).as("in the place of the one that failed").isEqualTo(block.storedBytes());
    }

    @Test
    void aDiskThatCannotBeReadIsNamed() {
        SpillBlock block = file.write(noise(1000, 1));
        disk.unreadable = true;
        assertThatThrownBy(() -> read(block))
                .isInstanceOf(ResourceException.class)
                .hasMessage("HashJoin 3, build side: cannot read its spill file in " + directory
                        + ": Input/output error;" + " look at the disk, or set spill.directory to another one");
    }

    @Test
    void aFileThatWasCutIsAnError() throws IOException {
        SpillBlock block = file.write(noise(MIB, 1));
        for (long size : new long[] {block.storedBytes() - 1, 245_790, 20, 16, 15, 0}) {
            disk.truncate(size);
            assertThatThrownBy(() -> read(block))
                    .isInstanceOf(ResourceException.class)
                    .hasMessageContaining("it ends at byte " + size);
        }
    }

    @Test
    void aChangedByteIsAnErrorAndNeverAnotherValue() throws IOException {
        byte[] text = new byte[600_000];
        var random = new Random(11);
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) ('a' + random.nextInt(4));
        }
        MemorySegment bytes = arena.allocate(text.length).copyFrom(MemorySegment.ofArray(text));
        SpillBlock block = file.write(bytes);
        int refused = 0;
        for (int round = 0; round < 500; round++) {
            long position = round < 16 ? round : random.nextLong(block.storedBytes());
            ByteBuffer one = ByteBuffer.allocate(1);
            disk.read(one, position);
            byte before = one.get(0);
            one.put(0, (byte) (before ^ 1 << random.nextInt(8))).rewind();
            disk.write(one, position);
            try {
                assertThat(read(block).mismatch(bytes)).as("byte " + position).isEqualTo(-1);
            } catch (ResourceException e) {
                refused++;
                assertThat(e)
                        .hasMessageMatching(
                                "HashJoin 3, build side: the spill file in .* was changed or damaged at byte"
                                        + " \\d+; look at the disk, or set spill.directory to another one");
            }
            disk.write(one.put(0, before).rewind(), position);
        }
        assertThat(refused).isGreaterThan(490);
        assertThat(read(block).mismatch(bytes)).isEqualTo(-1);
    }

    @Test
    void aBlockInThePlaceOfAnotherIsAnError() throws IOException {
        SpillBlock first = file.write(noise(1000, 1));
        SpillBlock second = file.write(noise(1000, 2));
        ByteBuffer bytes = ByteBuffer.allocate((int) first.storedBytes());
        disk.read(bytes, first.offset());
        disk.write(bytes.flip(), second.offset());
        assertThatThrownBy(() -> read(second)).isInstanceOf(ResourceException.class);
    }

    private MemorySegment read(SpillBlock block) {
        MemorySegment into = arena.allocate(block.bytes());
        file.read(block, into);
        return into;
    }

    private MemorySegment noise(int size, long seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return arena.allocate(size).copyFrom(MemorySegment.ofArray(bytes));
    }
}
