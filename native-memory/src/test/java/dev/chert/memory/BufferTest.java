package dev.chert.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.error.ResourceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BufferTest {
    private static final int MIB = 1 << 20;

    private final MemoryManager manager = new MemoryManager(64 * MIB, true);
    private final Account query = manager.openAccount("query 7", 32 * MIB);
    private final Allocator sort = query.allocator("Sort 5");

    @AfterEach
    void everythingCameBack() {
        query.close();
        manager.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 63, 64, 65, 1023, 1024, 1025, 32768, 1048576, 1048577, 2097152, 2097153, 5000000})
    void segmentHasExactlyTheBytesAskedForAlignedTo64(long bytes) {
        Buffer buffer = sort.allocate(bytes);
        assertThat(buffer.segment().byteSize()).isEqualTo(bytes);
        assertThat(buffer.segment().address() % 64).isZero();
        assertThat(buffer.size()).isEqualTo(bytes);
        assertThat(buffer.reservedBytes())
                .isGreaterThanOrEqualTo(bytes)
                .isEqualTo(sort.budget().reserved());
        assertThatThrownBy(() -> buffer.segment().get(ValueLayout.JAVA_BYTE, bytes))
                .isInstanceOf(IndexOutOfBoundsException.class);
        buffer.release();
        assertThat(manager.reservedBytes()).isZero();
    }

    @Test
    void slabNumberAndOffsetLeadToTheSameBytes() {
        sort.allocate(1000).release();
        Buffer other = sort.allocate(3000);
        Buffer buffer = sort.allocate(5000);
        buffer.segment().set(ValueLayout.JAVA_LONG, 4096, 42);
        MemorySegment slab = manager.slabs()[buffer.slab()];
        assertThat(slab.get(ValueLayout.JAVA_LONG, buffer.slabOffset() + 4096)).isEqualTo(42);
        buffer.release();
        other.release();
    }

    @Test
    void zeroedMeansZeroAlsoInReusedMemory() {
        Buffer dirty = sort.allocate(100);
        dirty.segment().fill((byte) 7);
        dirty.release();
        Buffer buffer = sort.allocateZeroed(100);
        assertThat(buffer.segment().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        buffer.release();
    }

    @Test
    void onlyTheLastHolderGivesTheMemoryBack() {
        Buffer buffer = sort.allocate(100);
        buffer.retain();
        buffer.release();
        assertThat(manager.liveBuffers()).isOne();
        assertThat(manager.reservedBytes()).isEqualTo(1024);
        buffer.release();
        assertThat(manager.liveBuffers()).isZero();
        assertThat(manager.reservedBytes()).isZero();
    }

    @Test
    void aReleasedBufferRefusesEverything() {
        Buffer buffer = sort.allocate(100);
        buffer.release();
        assertThatThrownBy(buffer::release)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a buffer of 100 bytes of Sort 5 in query 7 was released after the last holder had"
                        + " released it");
        assertThatThrownBy(buffer::retain).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(buffer::segment).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void checkingModePoisonsWhatIsLentAndWhatComesBack() {
        Buffer buffer = sort.allocate(100);
        MemorySegment segment = buffer.segment();
        assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).containsOnly(MemoryManager.POISON);
        segment.fill((byte) 1);
        buffer.release();
        assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).containsOnly(MemoryManager.POISON);
    }

    @Test
    void closingTheAccountFreesWhateverTheCountsSay() {
        Buffer once = sort.allocate(100);
        Buffer large = sort.allocate(3 * MIB);
        Buffer shared = query.allocator("HashJoin 3").allocate(100_000);
        shared.retain();
        sort.budget().reserve(12_345); // not a buffer, never released
        query.close();
        assertThat(manager.liveBuffers()).isZero();
        assertThat(manager.reservedBytes()).isZero();
        assertThat(query.isClosed()).isTrue();
        shared.release();
        shared.release();
        shared.release();
        once.release();
        large.release();
        assertThat(manager.reservedBytes()).isZero();
        assertThatThrownBy(shared::retain)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("query 7 was closed, which freed it");
        assertThatThrownBy(shared::segment).isInstanceOf(IllegalStateException.class);
        query.close();
    }

    @Test
    void aClosedAccountAllocatesNothing() {
        query.close();
        assertThatThrownBy(() -> sort.allocate(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("query 7 is closed");
        assertThat(manager.reservedBytes()).isZero();
    }

    @Test
    void aBufferThatDoesNotFitMakesTheQuerySpill() {
        var pages = new ArrayList<Buffer>();
        for (int i = 0; i < 31; i++) {
            pages.add(sort.allocate(MIB));
        }
        sort.budget().addSpillable(new Spillable() {
            @Override
            public long spillableBytes() {
                return (long) pages.size() * MIB;
            }

            @Override
            public long spill(long wantedBytes) {
                long freed = 0;
                while (freed < wantedBytes && !pages.isEmpty()) {
                    Buffer page = pages.removeLast();
                    freed += page.reservedBytes();
                    page.release();
                }
                return freed;
            }
        });
        Buffer directory = query.allocator("HashJoin 3").allocate(4 * MIB);
        assertThat(pages).hasSize(28);
        directory.release();
        pages.forEach(Buffer::release);
    }

    @Test
    void threadsThatAllocateShareAndReleaseLeaveExactlyZero() throws Exception {
        try (var pool = Executors.newFixedThreadPool(4)) {
            for (int round = 0; round < 20; round++) {
                Account account = manager.openAccount("query " + round, 48 * MIB);
                boolean closeEarly = round % 2 == 0;
                var shared = account.allocator("shared").allocate(3000);
                var tasks = new ArrayList<Callable<Void>>();
                for (int t = 0; t < 3; t++) {
                    Allocator allocator = account.allocator("operator " + t);
                    shared.retain();
                    tasks.add(() -> {
                        try {
                            var held = new ArrayList<Buffer>();
                            for (int i = 0; i < 2_000; i++) {
                                held.add(allocator.allocate(1L << i % 17));
                                if (i % 3 == 0 || held.size() > 20) {
                                    held.removeFirst().release();
                                }
                                shared.retain();
                                shared.release();
                            }
                            held.forEach(Buffer::release);
                        } catch (IllegalStateException e) {
                            assertThat(closeEarly).as(e.toString()).isTrue();
                        }
                        shared.release();
                        return null;
                    });
                }
                tasks.add(() -> {
                    if (closeEarly) {
                        account.close();
                    }
                    return null;
                });
                for (var future : pool.invokeAll(tasks)) {
                    future.get();
                }
                shared.release();
                account.close();
                assertThat(manager.reservedBytes()).isZero();
                assertThat(manager.liveBuffers()).isZero();
            }
        }
    }

    @Test
    void negativeSizesAreRefused() {
        assertThatThrownBy(() -> sort.allocate(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a buffer of -1 bytes");
        assertThatThrownBy(() -> sort.allocate(Long.MAX_VALUE)).isInstanceOf(ResourceException.class);
    }

    @Test
    void liveBuffersAreDistinctPlaces() {
        var places = new HashSet<Long>();
        var buffers = new ArrayList<Buffer>();
        for (int i = 0; i < 500; i++) {
            Buffer buffer = sort.allocate(1 + i * 37L);
            buffers.add(buffer);
            places.add(SlabBlocks.place(buffer.slab(), buffer.slabOffset()));
        }
        assertThat(places).hasSize(500);
        buffers.forEach(Buffer::release);
    }
}
