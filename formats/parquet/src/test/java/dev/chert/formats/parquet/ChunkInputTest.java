package dev.chert.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Layouts;
import dev.chert.memory.Account;
import dev.chert.memory.MemoryManager;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import dev.chert.source.FileSystem;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How much of a file a chunk's reader holds.
class ChunkInputTest {
    private static final int LENGTH = 3 << 20;
    private static final long MOST = 64 << 20;
    private static final long ROOM = 1 << 20;

    private final byte[] bytes = new byte[LENGTH];
    private final MemoryManager manager = new MemoryManager(MOST, true);
    private final Account account = manager.openAccount("query", Long.MAX_VALUE);
    private final QueryContext query = new QueryContext("1", Settings.defaults(), Instant.EPOCH, 1, account);

    private ChunkInput input(int columns) {
        new Random(1).nextBytes(bytes);
        FileSystem.FileEntry entry = new FileSystem.FileEntry("t", LENGTH, 0);
        SplitContext context = SplitContext.of(query, account.allocator("scan"), columns);
        return new ChunkInput(new MemoryFiles(bytes).open(entry), LENGTH, context);
    }

    private void assertReads(ChunkInput input, int position, int length) {
        assertThat(input.read(position, length).bytes().toArray(Layouts.BYTE))
                .isEqualTo(Arrays.copyOfRange(bytes, position, position + length));
    }

    @AfterEach
    void close() {
        account.close();
        manager.close();
    }

    @Test
    void readsAheadWhatTheColumnsShare() {
        for (int columns : new int[] {1, 16, 1_000}) {
            ChunkInput input = input(columns);
            assertReads(input, 0, 256);
            assertThat(account.budget().reserved())
                    .as("%d columns", columns)
                    .isEqualTo(columns == 1 ? 2 << 20 : columns == 16 ? 512 << 10 : 64 << 10);
            input.close();
            assertThat(account.budget().reserved()).isZero();
        }
    }

    @Test
    void readsEachByteOnce() {
        ChunkInput input = input(16);
        for (int position = 0; position < LENGTH; position += 100_000) {
            assertReads(input, position, Math.min(100_000, LENGTH - position));
            input.passed(Math.min(position + 100_000, LENGTH));
        }
        assertThat(input.bytesRead()).isEqualTo(LENGTH);
        assertThat(account.budget().reserved()).isZero(); // the last window went with its last byte
    }

    @Test
    void readsNothingAheadWhileMemoryIsTight() {
        ChunkInput input = input(1);
        account.budget().reserve(MOST - ROOM);
        assertReads(input, 0, 256);
        assertThat(input.bytesRead()).isEqualTo(256);
        assertReads(input, 20, 40_000);
        assertThat(input.bytesRead()).isEqualTo(40_020);
        input.passed(40_000); // has 20 bytes more
        assertThat(account.budget().reserved()).isEqualTo(MOST - ROOM);
        account.budget().release(MOST - ROOM);
        assertReads(input, 40_000, 256);
        assertThat(account.budget().reserved()).isEqualTo(2 << 20);
        input.close();
    }

    @Test
    void readsALargePageWhole() {
        ChunkInput input = input(1_000);
        assertReads(input, 10, 256);
        assertReads(input, 266, 2_000_000);
        input.passed(2_000_266);
        assertThat(account.budget().reserved()).isZero();
        assertThat(input.bytesRead()).isEqualTo(2_000_256);
    }
}
