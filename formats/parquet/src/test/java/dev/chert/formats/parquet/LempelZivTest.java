package dev.chert.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Layouts;
import dev.chert.memory.Account;
import dev.chert.memory.MemoryManager;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import io.airlift.compress.v3.Compressor;
import io.airlift.compress.v3.Decompressor;
import io.airlift.compress.v3.lz4.Lz4JavaCompressor;
import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.snappy.SnappyJavaCompressor;
import io.airlift.compress.v3.snappy.SnappyJavaDecompressor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Our decoders of Snappy and LZ4 against the library's.
class LempelZivTest {
    private static final int[] SIZES = {0, 1, 7, 8, 63, 64, 65, 1_023, 1_024, 1_025, 70_000, 300_000};
    private static final int MUTANTS = 3_000;

    private final MemoryManager manager = new MemoryManager(1 << 20, true);
    private final Account account = manager.openAccount("query", Long.MAX_VALUE);
    private final QueryContext query = new QueryContext("1", Settings.defaults(), Instant.EPOCH, 1, account);

    @AfterEach
    void close() {
        account.close();
        manager.close();
    }

    private interface Decoder {
        long decode(MemorySegment from, MemorySegment to, QueryContext query) throws DataFormatException;
    }

    enum Codec {
        SNAPPY(SnappyDecoder::decode, new SnappyJavaCompressor(), new SnappyJavaDecompressor()),
        LZ4(Lz4Decoder::decode, new Lz4JavaCompressor(), new Lz4JavaDecompressor());

        private final Decoder decoder;
        private final Compressor compressor;
        private final Decompressor reference;

        Codec(Decoder decoder, Compressor compressor, Decompressor reference) {
            this.decoder = decoder;
            this.compressor = compressor;
            this.reference = reference;
        }

        byte[] compress(byte[] plain) {
            byte[] compressed = new byte[compressor.maxCompressedLength(plain.length)];
            int length = compressor.compress(plain, 0, plain.length, compressed, 0, compressed.length);
            return Arrays.copyOf(compressed, length);
        }
    }

    /// Noise, runs of one byte, short periods, text of few words: all kinds of elements come up.
    private static byte[] plain(int size, Random random) {
        byte[] plain = new byte[size];
        int kind = random.nextInt(4);
        int period = 1 + random.nextInt(12);
        for (int i = 0; i < size; i++) {
            plain[i] = switch (kind) {
                case 0 -> (byte) random.nextInt();
                case 1 -> (byte) (i / 1_000);
                case 2 -> i < period || random.nextInt(500) == 0 ? (byte) random.nextInt() : plain[i - period];
                default -> (byte) "the quick brown fox jumps".charAt((i + random.nextInt(9) / 8) % 25);
            };
        }
        return plain;
    }

    private byte[] decode(Codec codec, byte[] bytes, int length) throws DataFormatException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
            MemorySegment to = arena.allocate(length);
            long written = codec.decoder.decode(from, to, query);
            return to.asSlice(0, written).toArray(Layouts.BYTE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void decodesWhatTheLibraryEncodes(Codec codec) throws Exception {
        for (int size : SIZES) {
            for (int seed = 0; seed < 20; seed++) {
                byte[] plain = plain(size, new Random(seed));
                assertThat(decode(codec, codec.compress(plain), size))
                        .as("%d bytes of seed %d", size, seed)
                        .isEqualTo(plain);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesOrDecodesMutantsAsTheLibraryDoes(Codec codec) {
        int decoded = 0;
        for (int seed = 0; seed < MUTANTS; seed++) {
            Random random = new Random(seed);
            byte[] plain = plain(1 + random.nextInt(2_000), random);
            byte[] mutant = codec.compress(plain);
            for (int i = random.nextInt(3); i >= 0; i--) {
                mutant[random.nextInt(mutant.length)] = (byte) random.nextInt();
            }
            try {
                byte[] ours = decode(codec, mutant, plain.length);
                byte[] theirs = new byte[plain.length];
                int length = codec.reference.decompress(mutant, 0, mutant.length, theirs, 0, theirs.length);
                assertThat(ours).as("seed %d", seed).isEqualTo(Arrays.copyOf(theirs, length));
                decoded++;
            } catch (DataFormatException e) {
                assertThat(e.getMessage()).isNotBlank();
            } catch (io.airlift.compress.v3.MalformedInputException e) {
                // the library asks for more: that an LZ4 block ends with five literals, for one
                assertThat(codec).as("seed %d", seed).isEqualTo(Codec.LZ4);
            }
        }
        assertThat(decoded).isPositive();
    }

    @Test
    void saysWhereTheInputLies() {
        assertRefused(Codec.SNAPPY, "its length does not end", 0x80);
        assertRefused(Codec.SNAPPY, "it says 2 bytes and gives 1", 2, 0, 'a');
        assertRefused(Codec.SNAPPY, "the input ends within 2 bytes from byte 2 on", 2, 4, 'a');
        assertRefused(Codec.SNAPPY, "the input ends within an element", 2, 0, 'a', 2, 1);
        assertRefused(Codec.SNAPPY, "a copy from 2 bytes back, of 1", 5, 0, 'a', 1, 2);
        assertRefused(Codec.SNAPPY, "a copy from 0 bytes back, of 1", 5, 0, 'a', 1, 0);
        assertRefused(Codec.SNAPPY, "it gives more than 8 bytes", 12, 0, 'a', 29, 1);
        assertRefused(Codec.LZ4, "the input ends within a sequence");
        assertRefused(Codec.LZ4, "the input ends within a sequence", 0xF0, 0xFF);
        assertRefused(Codec.LZ4, "the input ends within 3 bytes from byte 1 on", 0x30, 'a');
        assertRefused(Codec.LZ4, "a copy from 2 bytes back, of 1", 0x10, 'a', 2, 0);
    }

    private void assertRefused(Codec codec, String message, int... bytes) {
        assertThatThrownBy(() -> decode(codec, HandMade.bytes(bytes), 8))
                .isInstanceOf(DataFormatException.class)
                .hasMessage(message);
    }
}
