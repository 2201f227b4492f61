package dev.chert.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Bitmap;
import dev.chert.batch.Layouts;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The loops of the reader against the obvious ones.
class KernelsTest {
    private static final int[] SIZES = {0, 1, 7, 8, 63, 64, 65, 1_023, 1_024, 1_025};
    private static final Location PAGE = Location.of("t.parquet");

    private final Arena arena = Arena.ofAuto();

    private MemorySegment segment(byte[] bytes) {
        MemorySegment segment = arena.allocate(Math.max(1, bytes.length)).asSlice(0, bytes.length);
        MemorySegment.copy(bytes, 0, segment, Layouts.BYTE, 0, bytes.length);
        return segment;
    }

    private static byte[] packed(int[] values, int width, int firstBit) {
        byte[] bytes = new byte[(firstBit + values.length * width + 7) / 8];
        for (int i = 0; i < values.length; i++) {
            for (int b = 0; b < width; b++) {
                int bit = firstBit + i * width + b;
                bytes[bit >>> 3] |= (byte) ((values[i] >>> b & 1) << (bit & 7));
            }
        }
        return bytes;
    }

    private static int[] randomValues(Random random, int count, int width) {
        return random.ints(count).map(v -> width == 0 ? 0 : v >>> 32 - width).toArray();
    }

    private static int[] ints(MemorySegment values) {
        return values.toArray(Layouts.INT);
    }

    @Test
    void unpacksEveryWidthFromEveryBit() {
        Random random = new Random(1);
        for (int width = 1; width <= 32; width++) {
            for (int size : SIZES) {
                int[] values = randomValues(random, size, width);
                int firstBit = random.nextInt(20);
                MemorySegment out = arena.allocate(4L * size + 1).asSlice(0, 4L * size);
                BitPacking.unpack(segment(packed(values, width, firstBit)), firstBit, width, out, size);
                assertThat(ints(out)).as("width %d, size %d", width, size).isEqualTo(values);
            }
        }
    }

    @Test
    void decodesMixedRunsInPiecesOfAnySize() {
        Random random = new Random(2);
        for (int round = 0; round < 300; round++) {
            int width = random.nextInt(33);
            ByteArrayOutputStream runs = new ByteArrayOutputStream();
            int[] values = new int[0];
            while (values.length < 1_500) {
                int[] run;
                if (random.nextBoolean()) {
                    run = randomValues(random, 8 * (1 + random.nextInt(20)), width);
                    varint(runs, run.length / 8 << 1 | 1);
                    runs.writeBytes(packed(run, width, 0));
                } else {
                    run = new int[1 + random.nextInt(300)];
                    Arrays.fill(run, randomValues(random, 1, width)[0]);
                    varint(runs, run.length << 1);
                    for (int i = 0; i < (width + 7) / 8; i++) {
                        runs.write(run[0] >>> 8 * i);
                    }
                }
                int before = values.length;
                values = Arrays.copyOf(values, before + run.length);
                System.arraycopy(run, 0, values, before, run.length);
            }
            HybridDecoder decoder = new HybridDecoder(segment(runs.toByteArray()), width, "values", PAGE);
            int done = 0;
            while (done < values.length) {
                int count = Math.min(values.length - done, random.nextInt(400));
                MemorySegment out = arena.allocate(4L * count + 1).asSlice(0, 4L * count);
                decoder.ints(out, count);
                assertThat(ints(out)).isEqualTo(Arrays.copyOfRange(values, done, done + count));
                done += count;
            }
        }
    }

    private static void varint(ByteArrayOutputStream out, int value) {
        int rest = value;
        while (rest >= 0x80) {
            out.write(rest & 0x7F | 0x80);
            rest >>>= 7;
        }
        out.write(rest);
    }

    @Test
    void copiesAndFillsBitsAtAnyBit() {
        Random random = new Random(3);
        for (int size : SIZES) {
            for (int round = 0; round < 20; round++) {
                int fromBit = random.nextInt(70);
                int toBit = random.nextInt(70);
                byte[] source = new byte[(fromBit + size + 7) / 8];
                random.nextBytes(source);
                MemorySegment from = segment(source);
                MemorySegment to = arena.allocate((toBit + size + 7) / 8 + 1);
                int ones = BitRange.copy(from, fromBit, to, toBit, size);
                int expectedOnes = 0;
                for (int i = 0; i < size; i++) {
                    boolean expected = Bitmap.get(from, fromBit + i);
                    expectedOnes += expected ? 1 : 0;
                    assertThat(Bitmap.get(to, toBit + i)).isEqualTo(expected);
                }
                assertThat(ones).isEqualTo(expectedOnes);
                assertThat(Bitmap.countOnes(to, (int) to.byteSize() * 8)).isEqualTo(expectedOnes);
                MemorySegment filled = arena.allocate((toBit + size + 7) / 8 + 1);
                BitRange.fill(filled, toBit, size);
                assertThat(Bitmap.countOnes(filled, (int) filled.byteSize() * 8))
                        .isEqualTo(size);
                assertThat(Bitmap.countOnes(filled, toBit)).isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16})
    void spreadsValuesOverNulls(int width) {
        Random random = new Random(width);
        for (int size : SIZES) {
            MemorySegment validity = arena.allocate(Bitmap.paddedBytes(size + 5) + 1);
            int valid = 0;
            for (int i = 0; i < size; i++) {
                boolean isValid = random.nextInt(3) != 0;
                Bitmap.put(validity, 5 + i, isValid);
                valid += isValid ? 1 : 0;
            }
            byte[] dense = new byte[valid * width];
            random.nextBytes(dense);
            MemorySegment values = arena.allocate((long) size * width + 1);
            MemorySegment.copy(dense, 0, values, Layouts.BYTE, 0, dense.length);
            Rows.spread(values, width, validity, 5, size, valid);
            int next = 0;
            for (int i = 0; i < size; i++) {
                byte[] value = values.asSlice((long) i * width, width).toArray(Layouts.BYTE);
                byte[] expected = new byte[width];
                if (Bitmap.get(validity, 5 + i)) {
                    System.arraycopy(dense, next++ * width, expected, 0, width);
                }
                assertThat(value).isEqualTo(expected);
            }
        }
    }

    @Test
    void knowsUtf8AsTheJdkDoes() {
        Random random = new Random(4);
        int valid = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes;
            if (random.nextBoolean()) {
                int[] points = random.ints(random.nextInt(12), 0, 0x11_0000)
                        .map(p -> p >= 0xD800 && p < 0xE000 ? 'x' : random.nextInt(3) == 0 ? p : p % 0x900)
                        .toArray();
                bytes = new String(points, 0, points.length).getBytes(StandardCharsets.UTF_8);
                if (bytes.length > 0 && random.nextBoolean()) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
            } else {
                bytes = new byte[random.nextInt(6)];
                random.nextBytes(bytes);
            }
            boolean expected = isUtf8(bytes);
            valid += expected ? 1 : 0;
            assertThat(Utf8.isValid(segment(bytes), 0, bytes.length))
                    .as(new Bytes(bytes).toString())
                    .isEqualTo(expected);
        }
        assertThat(valid).isBetween(5_000, 19_000);
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    @Test
    void turnsBigEndianNumbersOfAnyLength() {
        Random random = new Random(5);
        for (int length = 1; length <= 20; length++) {
            for (int round = 0; round < 50; round++) {
                BigInteger value = new BigInteger(1 + random.nextInt(Math.min(127, length * 8 - 1)), random);
                value = random.nextBoolean() ? value.negate() : value;
                byte[] bytes = new byte[length];
                Arrays.fill(bytes, (byte) value.signum() == -1 ? (byte) 0xFF : 0);
                byte[] shortest = value.toByteArray();
                if (shortest.length > length) {
                    continue;
                }
                System.arraycopy(shortest, 0, bytes, length - shortest.length, shortest.length);
                MemorySegment out = arena.allocate(16);
                boolean fitsLong = value.bitLength() < 64;
                assertThat(PlainValues.bigEndianToInt64(segment(bytes), length, out, 1))
                        .isEqualTo(fitsLong ? PlainValues.ALL_FIT : 0);
                if (fitsLong) {
                    assertThat(out.get(Layouts.LONG, 0)).isEqualTo(value.longValue());
                }
                assertThat(PlainValues.bigEndianToInt128(segment(bytes), length, out, 1))
                        .isEqualTo(PlainValues.ALL_FIT);
                assertThat(out.get(Layouts.LONG, 0)).isEqualTo(value.longValue());
                assertThat(out.get(Layouts.LONG, 8))
                        .isEqualTo(value.shiftRight(64).longValue());
            }
        }
    }
}
