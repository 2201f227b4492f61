package dev.chert.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Layouts;
import dev.chert.error.CorruptFileException;
import dev.chert.error.QueryCancelledException;
import dev.chert.memory.Account;
import dev.chert.memory.MemoryManager;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import io.airlift.compress.v3.Compressor;
import io.airlift.compress.v3.lz4.Lz4JavaCompressor;
import io.airlift.compress.v3.snappy.SnappyJavaCompressor;
import io.airlift.compress.v3.zstd.ZstdJavaCompressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.format.CompressionCodec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Pages so large that a query must be able to stop within one, by codecs of Java.
class PageDecompressorTest {
    private static final int LENGTH = 17 << 20;
    private static final Location PAGE = Location.of("t.parquet");

    private final MemoryManager manager = new MemoryManager(256 << 20, true);
    private final Account account = manager.openAccount("query", Long.MAX_VALUE);
    private final QueryContext query =
            new QueryContext("1", Settings.defaults().with("codec.native", "off"), Instant.EPOCH, 1, account);
    private final byte[] plain = new byte[LENGTH];
    private PageDecompressor decompressor;

    @BeforeEach
    void open() {
        Random random = new Random(17);
        for (int i = 0; i < LENGTH; i++) {
            plain[i] = (byte) (random.nextInt(8) == 0 ? random.nextInt(26) : plain[Math.max(0, i - 1_000)]);
        }
        decompressor = new PageDecompressor(query);
    }

    @AfterEach
    void close() {
        decompressor.close();
        account.close();
        manager.close();
    }

    private MemorySegment memory(byte[] bytes) {
        MemorySegment memory = account.allocator("page").allocate(bytes.length).segment();
        return memory.copyFrom(MemorySegment.ofArray(bytes));
    }

    private MemorySegment room(int bytes) {
        return account.allocator("page").allocate(bytes).segment();
    }

    private byte[] compressed(CompressionCodec codec) throws IOException {
        return switch (codec) {
            case ZSTD -> compressed(new ZstdJavaCompressor());
            case SNAPPY -> compressed(new SnappyJavaCompressor());
            case LZ4_RAW -> compressed(new Lz4JavaCompressor());
            case GZIP -> gzip();
            case UNCOMPRESSED, LZO, BROTLI, LZ4 -> throw new AssertionError(codec);
        };
    }

    private byte[] compressed(Compressor compressor) {
        byte[] compressed = new byte[compressor.maxCompressedLength(LENGTH)];
        return Arrays.copyOf(compressed, compressor.compress(plain, 0, LENGTH, compressed, 0, compressed.length));
    }

    private byte[] gzip() throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream stream = new GZIPOutputStream(compressed)) {
            stream.write(plain);
        }
        return compressed.toByteArray();
    }

    @ParameterizedTest
    @EnumSource(names = {"ZSTD", "SNAPPY", "LZ4_RAW", "GZIP"})
    void decompressesInPieces(CompressionCodec codec) throws Exception {
        MemorySegment room = room(LENGTH);
        decompressor.decompress(codec, memory(compressed(codec)), room, PAGE);
        assertThat(room.toArray(Layouts.BYTE)).isEqualTo(plain);
    }

    @ParameterizedTest
    @EnumSource(names = {"ZSTD", "SNAPPY", "LZ4_RAW", "GZIP"})
    void stopsBetweenPieces(CompressionCodec codec) throws Exception {
        MemorySegment bytes = memory(compressed(codec));
        MemorySegment room = room(LENGTH);
        query.cancel("enough");
        assertThatThrownBy(() -> decompressor.decompress(codec, bytes, room, PAGE))
                .isInstanceOf(QueryCancelledException.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"ZSTD", "SNAPPY", "LZ4_RAW", "GZIP"})
    void refusesPagesThatAreLongerOrShorterThanTheySay(CompressionCodec codec) throws Exception {
        byte[] compressed = compressed(codec);
        MemorySegment bytes = memory(compressed);
        for (int length : new int[] {LENGTH - 1, LENGTH + 1}) {
            assertThatThrownBy(() -> decompressor.decompress(codec, bytes, room(length), PAGE))
                    .isInstanceOf(CorruptFileException.class)
                    .hasMessageContaining(Integer.toString(length));
        }
        MemorySegment cut = memory(Arrays.copyOf(compressed, compressed.length / 2));
        assertThatThrownBy(() -> decompressor.decompress(codec, cut, room(LENGTH), PAGE))
                .isInstanceOf(CorruptFileException.class);
    }
}
