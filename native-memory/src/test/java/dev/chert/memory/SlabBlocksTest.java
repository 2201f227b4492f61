package dev.chert.memory;

import static dev.chert.memory.SlabBlocks.MIN_BLOCK_BYTES;
import static dev.chert.memory.SlabBlocks.SLAB_BYTES;
import static dev.chert.memory.SlabBlocks.SLAB_UNITS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlabBlocksTest {
    private record Block(long place, long bytes) {}

    private final SlabBlocks blocks = new SlabBlocks();

    @Test
    void hasNothingBeforeASlabIsAdded() {
        assertThat(blocks.take(MIN_BLOCK_BYTES)).isEqualTo(-1);
        assertThat(blocks.removeIdleSlab()).isEqualTo(-1);
    }

    @Test
    void givesOutASlabInTheSmallestBlocksWithoutOverlap() {
        add(3);
        var offsets = new BitSet();
        for (int i = 0; i < SLAB_BYTES / MIN_BLOCK_BYTES; i++) {
            long place = blocks.take(MIN_BLOCK_BYTES);
            assertThat(SlabBlocks.slab(place)).isEqualTo(3);
            assertThat(SlabBlocks.offset(place) % MIN_BLOCK_BYTES).isZero();
            offsets.set(SlabBlocks.offset(place) / MIN_BLOCK_BYTES);
        }
        assertThat(offsets.cardinality()).isEqualTo(SLAB_BYTES / MIN_BLOCK_BYTES);
        assertThat(blocks.take(MIN_BLOCK_BYTES)).isEqualTo(-1);
    }

    @Test
    void breaksUpWholeSlabsLast() {
        add(0);
        long small = blocks.take(MIN_BLOCK_BYTES);
        add(1);
        assertThat(SlabBlocks.slab(blocks.take(MIN_BLOCK_BYTES << 5))).isEqualTo(SlabBlocks.slab(small));
        assertThat(SlabBlocks.slab(blocks.take(MIN_BLOCK_BYTES << 10))).isEqualTo(SlabBlocks.slab(small));
        assertThat(SlabBlocks.slab(blocks.take(MIN_BLOCK_BYTES << 11))).isEqualTo(1);
    }

    @Test
    void aBlockComesFromTheShortestRunThatSufficesAndJoinsTheRunsBesideIt() {
        add(0);
        List<Long> taken = new ArrayList<>();
        for (int kib : new int[] {10, 1, 7, 1, 8, 1}) {
            taken.add(take(kib));
        }
        give(taken.get(0), 10);
        give(taken.get(2), 7);
        give(taken.get(4), 8);
        assertThat(take(8)).isEqualTo(taken.get(4));
        assertThat(take(6)).isEqualTo(taken.get(2));
        give(taken.get(2), 6);
        give(taken.get(1), 1);
        assertThat(take(16)).as("10, 1 and 7 in one").isEqualTo(taken.get(0));
    }

    @Test
    void blocksGatherInTheSlabWithTheLowestNumber() {
        add(0);
        add(1);
        add(2);
        List<Long> taken = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            taken.add(blocks.take(SLAB_BYTES / 2));
        }
        blocks.give(taken.get(5), SLAB_BYTES / 2);
        blocks.give(taken.get(0), SLAB_BYTES / 2);
        blocks.give(taken.get(3), SLAB_BYTES / 2);
        assertThat(blocks.take(SLAB_BYTES / 2)).isEqualTo(taken.get(0));
        assertThat(blocks.take(SLAB_BYTES / 2)).isEqualTo(taken.get(3));
    }

    @Test
    void removesOnlySlabsThatAreWhollyFree() {
        add(0);
        long block = blocks.take(MIN_BLOCK_BYTES << 4);
        assertThat(blocks.removeIdleSlab()).isEqualTo(-1);
        blocks.give(block, MIN_BLOCK_BYTES << 4);
        assertThat(blocks.removeIdleSlab()).isZero();
        assertThat(blocks.take(MIN_BLOCK_BYTES)).isEqualTo(-1);
    }

    @Test
    void aBlockThatIsGivenBackTwiceIsNoticed() {
        add(0);
        long block = blocks.take(MIN_BLOCK_BYTES << 4);
        blocks.give(block, MIN_BLOCK_BYTES << 4);
        assertThatThrownBy(() -> blocks.give(block, MIN_BLOCK_BYTES << 4))
                .isInstanceOf(AssertionError.class)
                .hasMessage("slab 0, offset 0 is free already");
    }

    private long take(int kib) {
        return blocks.take((long) kib * MIN_BLOCK_BYTES);
    }

    private void give(long place, int kib) {
        blocks.give(place, (long) kib * MIN_BLOCK_BYTES);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void randomTakesNeverOverlapAndEverythingJoinsAgain(long seed) {
        var random = new Random(seed);
        int slabCount = 1 + random.nextInt(5);
        for (int i = 0; i < slabCount; i++) {
            add(2 * i); // numbers in between belong to large slabs
        }
        var used = new BitSet[2 * slabCount];
        for (int i = 0; i < used.length; i++) {
            used[i] = new BitSet();
        }
        List<Block> taken = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            boolean take = random.nextInt(1000) < (step / 2000 % 2 == 0 ? 600 : 400); // fills and empties by turns
            if (take) {
                int order = Math.min(random.nextInt(12), random.nextInt(12));
                // mostly not powers of two
                long bytes =
                        Slabs.blockBytes((MIN_BLOCK_BYTES << order) - random.nextInt(MIN_BLOCK_BYTES << order) / 2);
                long place = blocks.take(bytes);
                if (place == -1) {
                    assertThat(hasRun(used, bytes))
                            .as("seed %d, step %d", seed, step)
                            .isFalse();
                    continue;
                }
                mark(used, new Block(place, bytes), true, seed);
                taken.add(new Block(place, bytes));
            } else if (!taken.isEmpty()) {
                Block block = taken.remove(random.nextInt(taken.size()));
                mark(used, block, false, seed);
                blocks.give(block.place, block.bytes);
            }
        }
        taken.forEach(block -> blocks.give(block.place, block.bytes));
        for (int i = 0; i < slabCount; i++) {
            assertThat(blocks.take(SLAB_BYTES))
                    .as("seed %d: every slab is whole again", seed)
                    .isNotEqualTo(-1);
        }
        assertThat(blocks.take(MIN_BLOCK_BYTES)).isEqualTo(-1);
    }

    /// Adds a slab that is wholly free.
    private void add(int number) {
        blocks.give(blocks.addSlab(number, SLAB_BYTES), SLAB_BYTES);
    }

    private static void mark(BitSet[] used, Block block, boolean taken, long seed) {
        BitSet slab = used[SlabBlocks.slab(block.place)];
        int from = SlabBlocks.offset(block.place) / MIN_BLOCK_BYTES;
        int to = from + (int) (block.bytes / MIN_BLOCK_BYTES);
        assertThat(slab.get(from, to).cardinality()).as("seed %d", seed).isEqualTo(taken ? 0 : to - from);
        slab.set(from, to, taken);
    }

    /// Whether the model has a free stretch that is long enough.
    private static boolean hasRun(BitSet[] used, long bytes) {
        int length = (int) (bytes / MIN_BLOCK_BYTES);
        for (int slab = 0; slab < used.length; slab += 2) {
            int from = used[slab].nextClearBit(0);
            while (from + length <= SLAB_UNITS) {
                int next = used[slab].nextSetBit(from);
                if (next < 0 || next >= from + length) {
                    return true;
                }
                from = used[slab].nextClearBit(next);
            }
        }
        return false;
    }
}
