package dev.chert.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.error.ResourceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryManagerTest {
    private static final int MIB = 1 << 20;

    @Test
    void regularSlabsAreLentAgain() {
        try (var manager = new MemoryManager(64 * MIB, false)) {
            for (int i = 0; i < 5; i++) {
                try (Account query = manager.openAccount("query " + i, Long.MAX_VALUE)) {
                    fill(query.allocator("Scan 1"), MIB, 10);
                }
            }
            assertThat(manager.slabBytes()).isEqualTo(10 * MIB);
            assertThat(manager.slabs()).hasSize(5).doesNotContainNull();
            assertThat(manager.peakBytes()).isEqualTo(10 * MIB);
        }
    }

    @Test
    void aLargeBlockIsASlabOfItsOwnWhoseNumberIsUsedAgain() {
        try (var manager = new MemoryManager(64 * MIB, false);
                Account query = manager.openAccount("query 1", Long.MAX_VALUE)) {
            Allocator allocator = query.allocator("HashJoin 3");
            Buffer first = allocator.allocate(17 * MIB);
            assertThat(first.reservedBytes()).isEqualTo(20 * MIB);
            assertThat(first.slabOffset()).isZero();
            assertThat(manager.slabBytes()).isEqualTo(20 * MIB);
            int number = first.slab();
            first.release();
            assertThat(manager.slabBytes()).as("too large to lie idle").isZero();
            assertThat(manager.slabs()[number]).isNull();
            Buffer second = allocator.allocate(100);
            assertThat(second.slab()).isEqualTo(number);
            second.release();
        }
    }

    @ParameterizedTest(name = "{0} KiB take {1}")
    @CsvSource(textBlock = """
            0, 1
            1, 1
            2, 2
            3, 3
            5, 5
            9, 10
            11, 12
            16, 16
            33, 40
            1025, 1280
            2049, 2560
            2561, 3072
            4096, 4096
            4097, 5120
            33000, 40960
            """)
    void aBlockIsOneOfFourSizesADoubling(int kib, int blockKib) {
        try (var manager = new MemoryManager(64 * MIB, true);
                Account query = manager.openAccount("query 1", Long.MAX_VALUE)) {
            Buffer buffer = query.allocator("Scan 1").allocate(kib * 1024L);
            assertThat(buffer.reservedBytes()).isEqualTo(blockKib * 1024L);
            buffer.release();
        }
    }

    @Test
    void anEighthOfTheLimitMayLieIdleInLargeSlabs() {
        try (var manager = new MemoryManager(64 * MIB, false);
                Account query = manager.openAccount("query 1", Long.MAX_VALUE)) {
            Allocator allocator = query.allocator("Scan 1");
            fill(allocator, 4 * MIB, 3).forEach(Buffer::release);
            assertThat(manager.slabBytes()).isEqualTo(8 * MIB);
            fill(allocator, 4 * MIB, 2).forEach(Buffer::release);
            assertThat(manager.slabBytes()).as("lent again").isEqualTo(8 * MIB);
        }
    }

    @Test
    void idleSlabsMakeRoomForAnySizeThatFollows() {
        try (var manager = new MemoryManager(16 * MIB, false);
                Account query = manager.openAccount("query 1", Long.MAX_VALUE)) {
            Allocator allocator = query.allocator("Scan 1");
            fill(allocator, 32 * 1024, 512).forEach(Buffer::release);
            assertThat(manager.slabBytes()).isEqualTo(16 * MIB);
            fill(allocator, 8 * MIB, 2).forEach(Buffer::release);
            assertThat(manager.slabBytes()).isLessThanOrEqualTo(16 * MIB);
            fill(allocator, 4 * MIB, 4).forEach(Buffer::release);
            fill(allocator, 32 * 1024, 512).forEach(Buffer::release);
            allocator.allocate(16 * MIB).release();
            assertThat(manager.slabBytes()).isLessThanOrEqualTo(16 * MIB);
        }
    }

    @Test
    void slabsStayWithinTheLimitAlsoWhenTheRestIsInPieces() {
        try (var manager = new MemoryManager(8 * MIB, false);
                Account query = manager.openAccount("query 1", Long.MAX_VALUE)) {
            Allocator allocator = query.allocator("Sort 5");
            List<Buffer> buffers = fill(allocator, MIB, 8);
            for (int i = 0; i < 8; i += 2) {
                buffers.get(i).release(); // half of every slab
            }
            assertThatThrownBy(() -> allocator.allocate(4 * MIB))
                    .isInstanceOf(ResourceException.class)
                    .hasMessage("Sort 5: needs 4 MiB in one piece, 4 of 8 MiB are free, but in smaller pieces; raise"
                            + " memory.limit (query 1 holds 4 MiB, 4 MiB of it this operator)");
            assertThat(manager.reservedBytes()).isEqualTo(4 * MIB);
            assertThat(manager.slabBytes()).isEqualTo(8 * MIB);
        }
    }

    @Test
    void threadsThatKeepWithinTheLimitAreNeverRefusedASlab() throws Exception {
        try (var manager = new MemoryManager(32 * MIB, true);
                var pool = Executors.newFixedThreadPool(4)) {
            var tasks = new ArrayList<Callable<Void>>();
            for (int t = 0; t < 4; t++) {
                Account query = manager.openAccount("query " + t, 8 * MIB);
                Allocator allocator = query.allocator("Scan 1");
                int start = t;
                tasks.add(() -> {
                    for (int round = 0; round < 30; round++) {
                        int size = 1 << (start + round) % 3; // 2, 4 and 8 MiB
                        fill(allocator, 2 * MIB * size, 4 / size).forEach(Buffer::release);
                    }
                    query.close();
                    return null;
                });
            }
            for (var future : pool.invokeAll(tasks)) {
                future.get();
            }
            manager.assertEmpty();
            assertThat(manager.slabBytes()).isLessThanOrEqualTo(32 * MIB);
        }
    }

    @Test
    void anIdleSlabOfAnotherThreadIsLentBeforeANewOneIsMade() throws Exception {
        try (var manager = new MemoryManager(64 * MIB, false);
                Account query = manager.openAccount("query 1", Long.MAX_VALUE)) {
            Allocator allocator = query.allocator("Scan 1");
            for (int i = 0; i < 2 * PerThread.PARTS; i++) {
                Thread.ofPlatform()
                        .start(() -> allocator.allocate(MIB).release())
                        .join();
            }
            assertThat(manager.slabBytes()).isEqualTo(2 * MIB);
        }
    }

    @Test
    @Timeout(60)
    void aReadThatStillRunsDoesNotKeepTheRestFromComingBack() throws Exception {
        try (var manager = new MemoryManager(64 * MIB, false)) {
            Account query = manager.openAccount("query 1", Long.MAX_VALUE);
            Allocator allocator = query.allocator("Scan 1");
            allocator.allocate(MIB);
            Buffer large = allocator.allocate(16 * MIB);
            allocator.allocate(MIB);
            Pipe pipe = Pipe.open();
            Thread reader = Thread.ofPlatform().start(() -> {
                try {
                    pipe.source().read(large.segment().asByteBuffer());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            while (!isInNative(reader)) {
                Thread.onSpinWait();
            }
            assertThatThrownBy(query::close).isInstanceOf(IllegalStateException.class);
            pipe.sink().write(ByteBuffer.wrap(new byte[1]));
            reader.join();
            pipe.source().close();
            pipe.sink().close();
            assertThat(manager.reservedBytes()).isZero();
            assertThat(manager.liveBuffers()).isZero();
        }
    }

    @Test
    void aLimitBelowOneSlabStillLends() {
        try (var manager = new MemoryManager(100_000, false);
                Account query = manager.openAccount("query 1", Long.MAX_VALUE)) {
            Allocator allocator = query.allocator("Scan 1");
            allocator.allocate(65_536);
            assertThatThrownBy(() -> allocator.allocate(65_536)).isInstanceOf(ResourceException.class);
        }
    }

    @Test
    void theSlabsOfEarlierSnapshotsStayReadableWhileTheirBuffersLive() {
        try (var manager = new MemoryManager(64 * MIB, false);
                Account query = manager.openAccount("query 1", Long.MAX_VALUE)) {
            Buffer buffer = query.allocator("Scan 1").allocate(100);
            MemorySegment[] snapshot = manager.slabs();
            fill(query.allocator("Scan 1"), 2 * MIB, 10);
            assertThat(snapshot).hasSize(1);
            assertThat(manager.slabs()).hasSize(11);
            assertThat(manager.slabs()[buffer.slab()]).isSameAs(snapshot[buffer.slab()]);
        }
    }

    @Test
    void closingRefusesAccessToWhatIsLeftInsteadOfCrashing() {
        var manager = new MemoryManager(64 * MIB, false);
        Account query = manager.openAccount("query 1", Long.MAX_VALUE);
        Buffer buffer = query.allocator("Scan 1").allocate(100);
        MemorySegment segment = buffer.segment();
        manager.close();
        assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
        assertThat(query.isClosed()).isTrue();
        assertThat(manager.reservedBytes()).isZero();
        assertThat(manager.slabBytes()).isZero();
        assertThatThrownBy(() -> manager.openAccount("query 2", 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the engine is closed: query 2 cannot be opened in it");
        buffer.release();
        manager.close();
    }

    @Test
    void checkingModeListsWhatWasNotReleased() {
        var manager = new MemoryManager(64 * MIB, true);
        manager.assertEmpty();
        Account query = manager.openAccount("query 7", Long.MAX_VALUE);
        query.allocator("Sort 5").allocate(5000).retain();
        query.allocator("HashJoin 3").budget().reserve(8);
        assertThatThrownBy(manager::assertEmpty)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching("""
                        1 buffers were not released, 5128 bytes are reserved
                          5000 bytes of Sort 5 in query 7, holders: 2, allocated at \\S+
                          query 7: 5128 bytes reserved""");
        assertThatThrownBy(manager::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("1 buffers were not released");
        assertThat(manager.slabBytes()).as("closed all the same").isZero();
    }

    @Test
    void withoutCheckingModeClosingFreesInSilence() {
        var manager = new MemoryManager(64 * MIB, false);
        manager.openAccount("query 7", Long.MAX_VALUE).allocator("Sort 5").allocate(5000);
        assertThatThrownBy(manager::assertEmpty).isInstanceOf(IllegalStateException.class);
        manager.close();
        assertThat(manager.liveBuffers()).isZero();
    }

    @Test
    void theEnginesOwnAccountsCannotBeClosed() {
        try (var manager = new MemoryManager(64 * MIB, true)) {
            assertThatThrownBy(() -> manager.exports().close())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the account exports is the engine's and closes with it");
        }
    }

    @Test
    void limitsMustBePositive() {
        assertThatThrownBy(() -> new MemoryManager(0, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a memory limit of 0 bytes");
    }

    /// Whether a thread waits in a system call for bytes to read.
    private static boolean isInNative(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return stack.length > 0
                && stack[0].isNativeMethod()
                && stack[0].getMethodName().startsWith("read");
    }

    private static List<Buffer> fill(Allocator allocator, long bytes, int count) {
        var buffers = new ArrayList<Buffer>();
        for (int i = 0; i < count; i++) {
            buffers.add(allocator.allocate(bytes));
        }
        return buffers;
    }

    @Test
    void trimsIdleSlabsAndLeavesThoseWithABlock() {
        try (MemoryManager manager = new MemoryManager(64L << 20, true);
                Account account = manager.openAccount("query 1", Long.MAX_VALUE)) {
            Buffer kept = account.allocator("Scan 1").allocate(4 << 10);
            List<Buffer> others = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                others.add(account.allocator("Scan 1").allocate(2 << 20));
                others.add(account.allocator("Scan 1").allocate(3 << 20));
            }
            others.forEach(Buffer::release);
            manager.trim();
            assertThat(manager.slabBytes()).isEqualTo(2L << 20);
            kept.release();
            manager.trim();
            assertThat(manager.slabBytes()).isZero();
        }
    }
}
