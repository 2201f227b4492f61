package dev.chert.memory;

import static dev.chert.memory.BuddyBlocks.MIN_BLOCK_BYTES;
import static dev.chert.memory.BuddyBlocks.SLAB_BYTES;
import static dev.chert.memory.BuddyBlocks.SLAB_ORDER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BuddyBlocksTest {
    private record Block(long place, int order) {}

    private final BuddyBlocks blocks = new BuddyBlocks();

    @Test
    void orderIsThatOfTheSmallestBlockThatHoldsTheBytes() {
        assertThat(BuddyBlocks.order(0)).isZero();
        assertThat(BuddyBlocks.order(1)).isZero();
        assertThat(BuddyBlocks.order(1024)).isZero();
        assertThat(BuddyBlocks.order(1025)).isEqualTo(1);
        assertThat(BuddyBlocks.order(2048)).isEqualTo(1);
        assertThat(BuddyBlocks.order(2049)).isEqualTo(2);
        assertThat(BuddyBlocks.order(SLAB_BYTES)).isEqualTo(SLAB_ORDER);
    }

    @Test
    void hasNothingBeforeASlabIsAdded() {
        assertThat(blocks.take(0)).isEqualTo(-1);
        assertThat(blocks.removeIdleSlab()).isEqualTo(-1);
    }

    @Test
    void givesOutASlabInTheSmallestBlocksWithoutOverlap() {
        add(3);
        var offsets = new BitSet();
        for (int i = 0; i < SLAB_BYTES / MIN_BLOCK_BYTES; i++) {
            long place = blocks.take(0);
            assertThat(BuddyBlocks.slab(place)).isEqualTo(3);
            assertThat(BuddyBlocks.offset(place) % MIN_BLOCK_BYTES).isZero();
            offsets.set(BuddyBlocks.offset(place) / MIN_BLOCK_BYTES);
        }
        assertThat(offsets.cardinality()).isEqualTo(SLAB_BYTES / MIN_BLOCK_BYTES);
        assertThat(blocks.take(0)).isEqualTo(-1);
    }

    @Test
    void breaksUpWholeSlabsLast() {
        add(0);
        long small = blocks.take(0);
        add(1);
        assertThat(BuddyBlocks.slab(blocks.take(5))).isEqualTo(BuddyBlocks.slab(small));
        assertThat(BuddyBlocks.slab(blocks.take(10))).isEqualTo(BuddyBlocks.slab(small));
        assertThat(BuddyBlocks.slab(blocks.take(11))).isEqualTo(1);
    }

    @Test
    void removesOnlySlabsThatAreWhollyFree() {
        add(0);
        long block = blocks.take(4);
        assertThat(blocks.removeIdleSlab()).isEqualTo(-1);
        blocks.give(block, 4);
        assertThat(blocks.removeIdleSlab()).isZero();
        assertThat(blocks.take(0)).isEqualTo(-1);
    }

    @Test
    void aBlockThatIsGivenBackTwiceIsNoticed() {
        add(0);
        long block = blocks.take(4);
        blocks.give(block, 4);
        assertThatThrownBy(() -> blocks.give(block, 4))
                .isInstanceOf(AssertionError.class)
                .hasMessage("slab 0, offset 0 is free already");
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
                int order = Math.min(random.nextInt(SLAB_ORDER + 1), random.nextInt(SLAB_ORDER + 1));
                long place = blocks.take(order);
                if (place == -1) {
                    assertThat(hasAligned(used, order))
                            .as("seed %d, step %d", seed, step)
                            .isFalse();
                    continue;
                }
                mark(used, new Block(place, order), true, seed);
                taken.add(new Block(place, order));
            } else if (!taken.isEmpty()) {
                Block block = taken.remove(random.nextInt(taken.size()));
                mark(used, block, false, seed);
                blocks.give(block.place, block.order);
            }
        }
        taken.forEach(block -> blocks.give(block.place, block.order));
        for (int i = 0; i < slabCount; i++) {
            assertThat(blocks.take(SLAB_ORDER))
                    .as("seed %d: every slab is whole again", seed)
                    .isNotEqualTo(-1);
        }
        assertThat(blocks.take(0)).isEqualTo(-1);
    }

    /// Adds a slab that is wholly free.
    private void add(int number) {
        blocks.give(blocks.addSlab(number, SLAB_ORDER), SLAB_ORDER);
    }

    private static void mark(BitSet[] used, Block block, boolean taken, long seed) {
        BitSet slab = used[BuddyBlocks.slab(block.place)];
        int from = BuddyBlocks.offset(block.place) / MIN_BLOCK_BYTES;
        int to = from + (1 << block.order);
        assertThat(slab.get(from, to).cardinality()).as("seed %d", seed).isEqualTo(taken ? 0 : to - from);
        slab.set(from, to, taken);
    }

    /// Whether the model has an aligned free stretch of an order.
    private static boolean hasAligned(BitSet[] used, int order) {
        int length = 1 << order;
        for (int slab = 0; slab < used.length; slab += 2) {
            for (int from = 0; from < 1 << SLAB_ORDER; from += length) {
                int next = used[slab].nextSetBit(from);
                if (next < 0 || next >= from + length) {
                    return true;
                }
            }
        }
        return false;
    }
}
