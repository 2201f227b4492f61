package dev.chert.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Bitmap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SelectionsTest {
    private static MemorySegment bitmap(Arena arena, BitSet bits, int size) {
        MemorySegment segment = arena.allocate(Math.max(64, Bitmap.paddedBytes(size)), 64);
        bits.stream().forEach(i -> Bitmap.set(segment, i));
        return segment;
    }

    private static BitSet randomBits(int size, Random random) {
        BitSet bits = new BitSet();
        int density = random.nextInt(5);
        IntStream.range(0, size).filter(i -> random.nextInt(4) < density).forEach(bits::set);
        return bits;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 65, 1023, 1024, 1025})
    void narrowAndCombineAsSetsDo(int size) {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            try (Arena arena = Arena.ofConfined()) {
                BitSet bits = randomBits(size, random);
                BitSet chosen = randomBits(size, random);
                MemorySegment segment = bitmap(arena, bits, size);
                int[] all = IntStream.range(0, size).toArray();
                int[] selection = chosen.stream().toArray();
                check(seed, all, bits, false, Selections.withBit(segment, null, size, all.clone()), segment, null);
                check(seed, selection, bits, false, -1, segment, selection);
                check(seed, selection, bits, true, -1, segment, selection);

                int[] kept = new int[size];
                int count = Selections.withBit(segment, selection, selection.length, kept);
                int[] rest = new int[size];
                int restCount = Selections.difference(selection, selection.length, kept, count, rest);
                BitSet expected = (BitSet) chosen.clone();
                expected.andNot(bits);
                assertThat(Arrays.copyOf(rest, restCount))
                        .as("seed %d", seed)
                        .isEqualTo(expected.stream().toArray());
                int[] merged = new int[size];
                int mergedCount = Selections.union(kept, count, rest, restCount, merged);
                assertThat(Arrays.copyOf(merged, mergedCount))
                        .as("seed %d", seed)
                        .isEqualTo(selection);
            }
        }
    }

    private static void check(
            long seed, int[] rows, BitSet bits, boolean without, int known, MemorySegment segment, int[] selection) {
        int[] kept = new int[rows.length];
        int count = without
                ? Selections.withoutBit(segment, selection, rows.length, kept)
                : Selections.withBit(segment, selection, rows.length, kept);
        int[] expected =
                Arrays.stream(rows).filter(row -> bits.get(row) != without).toArray();
        assertThat(Arrays.copyOf(kept, count)).as("seed %d", seed).isEqualTo(expected);
        if (known >= 0) {
            assertThat(known).isEqualTo(count);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 65, 1023, 1024, 1025})
    void bitmapsCombineAsSetsDo(int size) {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            try (Arena arena = Arena.ofConfined()) {
                BitSet a = randomBits(size, random);
                BitSet b = randomBits(size, random);
                MemorySegment other = bitmap(arena, b, size);
                MemorySegment and = bitmap(arena, a, size);
                BitmapLogic.and(and, other, size);
                MemorySegment or = bitmap(arena, a, size);
                BitmapLogic.or(or, other, size);
                MemorySegment andNot = bitmap(arena, a, size);
                BitmapLogic.andNot(andNot, other, size);
                MemorySegment not = bitmap(arena, new BitSet(), size);
                BitmapLogic.not(not, other, size);
                for (int i = 0; i < size; i++) {
                    assertThat(Bitmap.get(and, i))
                            .as("seed %d, bit %d", seed, i)
                            .isEqualTo(a.get(i) && b.get(i));
                    assertThat(Bitmap.get(or, i)).as("seed %d, bit %d", seed, i).isEqualTo(a.get(i) || b.get(i));
                    assertThat(Bitmap.get(andNot, i))
                            .as("seed %d, bit %d", seed, i)
                            .isEqualTo(a.get(i) && !b.get(i));
                    assertThat(Bitmap.get(not, i))
                            .as("seed %d, bit %d", seed, i)
                            .isEqualTo(!b.get(i));
                }
            }
        }
    }
}
