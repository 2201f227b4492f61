package dev.chert.formats.parquet;

import dev.chert.batch.Layouts;
import dev.chert.error.QueryCancelledException;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import io.airlift.compress.v3.Decompressor;
import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.lz4.Lz4NativeDecompressor;
import io.airlift.compress.v3.snappy.SnappyJavaDecompressor;
import io.airlift.compress.v3.snappy.SnappyNativeDecompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import io.airlift.compress.v3.zstd.ZstdJavaInputStream;
import io.airlift.compress.v3.zstd.ZstdNativeDecompressor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.apache.parquet.format.CompressionCodec;

/// Decompresses pages from native memory to native memory, with one codec of each kind, made on first use.
///
/// Native codecs run where native access was granted to their module, Java codecs elsewhere; both give the same
/// bytes. The Java codecs use Unsafe; 300,000 mutants of each kind neither read nor wrote out of bounds. Not
/// thread-safe.
///
/// A query stops within a page that the JDK inflates, and within one beyond 16 MiB unless a native codec has it (64
/// MiB of text take the native zstd 95 ms): what the Java codecs do in one call of 100 to 800 ms, the latter in a JVM
/// that is cold, is then done in pieces, at the price of some speed.
final class PageDecompressor implements AutoCloseable {
    private static final boolean NATIVE_ACCESS = Decompressor.class.getModule().isNativeAccessEnabled();

    private static final int GZIP_HEADER_BYTES = 10;
    private static final int GZIP_TRAILER_BYTES = 8;
    private static final int GZIP_MAGIC = 0x8B1F;
    private static final int DEFLATE = 8;
    private static final int HEADER_CHECKSUM = 2;
    private static final int EXTRA_FIELD = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;

    private static final int PIECE_BYTES = 256 << 10;
    /// Larger pages are decoded so that the query can stop midway.
    private static final long LARGE_PAGE_BYTES = 16 << 20;

    private final QueryContext query;
    private final boolean useNative;
    private Decompressor snappy;
    private Decompressor zstd;
    private Decompressor lz4;
    private Inflater inflater;

    PageDecompressor(QueryContext query) {
        this.query = query;
        this.useNative = isNative(query.settings().get(Settings.CODEC_NATIVE));
    }

    private static boolean isNative(Settings.Native use) {
        return switch (use) {
            case AUTO -> NATIVE_ACCESS;
            case ON -> true;
            case OFF -> false;
        };
    }

    /// True of the codecs that [#decompress] knows.
    static boolean supports(CompressionCodec codec) {
        return switch (codec) {
            case UNCOMPRESSED, SNAPPY, GZIP, ZSTD, LZ4_RAW -> true;
            case LZO, BROTLI, LZ4 -> false;
        };
    }

    /// The most bytes that `compressed` bytes can become, or [Long#MAX_VALUE] where only the file can say.
    static long mostBytes(CompressionCodec codec, long compressed) {
        return switch (codec) {
            case UNCOMPRESSED -> compressed;
            case SNAPPY -> compressed * 32 + 64; // a copy of 3 bytes gives at most 64
            case GZIP -> compressed * 1_040 + 1_024; // a pair of 2 bits gives at most 258
            case LZ4_RAW -> compressed * 256 + 64; // a byte of length gives at most 255
            case ZSTD, LZO, BROTLI, LZ4 -> Long.MAX_VALUE;
        };
    }

    /// Decompresses all of `from`, which must give exactly the bytes of `to`.
    void decompress(CompressionCodec codec, MemorySegment from, MemorySegment to, Location page) {
        long length;
        try {
            length = switch (codec) {
                case UNCOMPRESSED -> {
                    to.copyFrom(from);
                    yield from.byteSize();
                }
                case SNAPPY -> unsnap(from, to);
                case ZSTD -> unzstd(from, to);
                case LZ4_RAW -> unlz4(from, to);
                case GZIP -> gunzip(from, to);
                case LZO, BROTLI, LZ4 -> throw new AssertionError(codec);
            };
        } catch (QueryCancelledException e) {
            throw e;
        } catch (RuntimeException | IOException | DataFormatException e) {
            // the codecs tell what they meet by exceptions of many kinds; none leaves them unusable
            throw page.corrupt(
                    e,
                    "%d bytes of %s cannot be decompressed into %d: %s",
                    from.byteSize(),
                    codec,
                    to.byteSize(),
                    e.getMessage());
        }
        if (length != to.byteSize()) {
            throw page.corrupt(
                    "%d bytes of %s give %d bytes, the page's header says %d",
                    from.byteSize(), codec, length, to.byteSize());
        }
    }

    private Decompressor snappy() {
        if (snappy == null) {
            snappy = useNative && SnappyNativeDecompressor.isEnabled()
                    ? new SnappyNativeDecompressor()
                    : new SnappyJavaDecompressor();
        }
        return snappy;
    }

    private Decompressor zstd() {
        if (zstd == null) {
            zstd = useNative && ZstdNativeDecompressor.isEnabled()
                    ? new ZstdNativeDecompressor()
                    : new ZstdJavaDecompressor();
        }
        return zstd;
    }

    private static boolean isLarge(MemorySegment page) {
        return page.byteSize() > LARGE_PAGE_BYTES;
    }

    private long unsnap(MemorySegment from, MemorySegment to) throws DataFormatException {
        return isLarge(to) && snappy() instanceof SnappyJavaDecompressor
                ? SnappyDecoder.decode(from, to, query)
                : snappy().decompress(from, to);
    }

    private long unlz4(MemorySegment from, MemorySegment to) throws DataFormatException {
        return isLarge(to) && lz4() instanceof Lz4JavaDecompressor
                ? Lz4Decoder.decode(from, to, query)
                : lz4().decompress(from, to);
    }

    private long unzstd(MemorySegment from, MemorySegment to) throws IOException {
        return isLarge(to) && zstd() instanceof ZstdJavaDecompressor ? streamed(from, to) : zstd().decompress(from, to);
    }

    private long streamed(MemorySegment from, MemorySegment to) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        long length = 0;
        try (ZstdJavaInputStream stream = new ZstdJavaInputStream(new SegmentStream(from))) {
            for (int read = stream.read(piece); read >= 0; read = stream.read(piece)) {
                query.checkCancelled();
                MemorySegment.copy(MemorySegment.ofArray(piece), 0, to, length, read); // refuses what is too much
                length += read;
            }
        }
        return length;
    }

    private Decompressor lz4() {
        if (lz4 == null) {
            lz4 = useNative && Lz4NativeDecompressor.isEnabled()
                    ? new Lz4NativeDecompressor()
                    : new Lz4JavaDecompressor();
        }
        return lz4;
    }

    /// Inflates one or more members, one after the other. Source: RFC 1952.
    private long gunzip(MemorySegment from, MemorySegment to) throws DataFormatException {
        if (inflater == null) {
            inflater = new Inflater(true);
        }
        long position = 0;
        long length = 0;
        while (position < from.byteSize()) {
            position = afterGzipHeader(from, position);
            inflater.reset();
            inflater.setInput(from.asSlice(position).asByteBuffer());
            while (!inflater.finished()) {
                query.checkCancelled();
                int inflated = inflater.inflate(to.asSlice(length, Math.min(PIECE_BYTES, to.byteSize() - length))
                        .asByteBuffer());
                length += inflated;
                if (inflated == 0 && !inflater.finished()) {
                    throw new DataFormatException(
                            inflater.needsInput() ? "the stream is cut off" : "the stream gives more");
                }
            }
            position += inflater.getBytesRead() + GZIP_TRAILER_BYTES;
        }
        return length;
    }

    private static long afterGzipHeader(MemorySegment from, long start) throws DataFormatException {
        if (from.byteSize() - start < GZIP_HEADER_BYTES
                || (from.get(Layouts.SHORT, start) & 0xFFFF) != GZIP_MAGIC
                || from.get(Layouts.BYTE, start + 2) != DEFLATE) {
            throw new DataFormatException("there is no gzip header at byte " + start);
        }
        int flags = from.get(Layouts.BYTE, start + 3);
        long position = start + GZIP_HEADER_BYTES;
        if ((flags & EXTRA_FIELD) != 0) {
            position += Short.BYTES + (from.get(Layouts.SHORT, position) & 0xFFFF);
        }
        for (int text = flags & (NAME | COMMENT); text != 0; text &= text - 1) {
            while (from.get(Layouts.BYTE, position++) != 0) {
                // skips a text that ends with 0
            }
        }
        return position + ((flags & HEADER_CHECKSUM) != 0 ? Short.BYTES : 0);
    }

    /// Frees what the JDK's inflater holds; a second call does nothing.
    @Override
    public void close() {
        if (inflater != null) {
            inflater.end();
            inflater = null;
        }
    }
}
