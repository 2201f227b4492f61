package dev.chert.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.error.ResourceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is not reserved can be had in pieces that are not tiny.
class FragmentationTest {
    private static final long MIB = 1 << 20;

    /// Fills the limit with blocks of all sizes, then keeps three quarters reserved while random ones come and go.
    @ParameterizedTest(name = "{0} MiB, blocks up to {1} KiB, seed {2}")
    @CsvSource({"64, 64, 1", "64, 512, 2", "64, 2048, 3", "96, 4096, 4", "256, 256, 5", "512, 4096, 6"})
    void aSixteenthOfTheLimitFitsWhileAQuarterOfItIsFree(int limitMib, int largestKib, long seed) {
        long limit = limitMib * MIB;
        Random random = new Random(seed);
        int tried = 0;
        int refused = 0;
        try (MemoryManager manager = new MemoryManager(limit, false);
                Account query = manager.openAccount("query 1", Long.MAX_VALUE)) {
            Allocator allocator = query.allocator("Sort 5");
            List<Buffer> held = new ArrayList<>();
            try {
                while (true) {
                    held.add(allocator.allocate(size(random, largestKib)));
                }
            } catch (ResourceException _) {
                releaseDownTo(manager, held, limit / 4 * 3, random);
            }
            for (int round = 0; round < 6_000; round++) {
                long size = size(random, largestKib);
                releaseDownTo(manager, held, limit / 4 * 3 - Slabs.blockBytes(size), random);
                held.add(allocator.allocate(size));
                if (round % 10 == 0) {
                    tried++;
                    try {
                        allocator
                                .allocate(random.nextLong(limit / 64, limit / 16))
                                .release();
                    } catch (ResourceException _) {
                        refused++;
                    }
                }
            }
            assertThat(refused).isLessThan(tried / 100);
        }
    }

    private static long size(Random random, int largestKib) {
        return (long) (1024 * Math.exp(random.nextDouble() * Math.log(largestKib)));
    }

    private static void releaseDownTo(MemoryManager manager, List<Buffer> held, long bytes, Random random) {
        while (manager.reservedBytes() > bytes) {
            int i = random.nextInt(held.size());
            held.get(i).release();
            held.set(i, held.getLast());
            held.removeLast();
        }
    }
}
