package dev.chert.memory;

import io.airlift.compress.v3.Compressor;
import io.airlift.compress.v3.Decompressor;
import io.airlift.compress.v3.lz4.Lz4JavaCompressor;
import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.lz4.Lz4NativeCompressor;
import io.airlift.compress.v3.lz4.Lz4NativeDecompressor;
import java.lang.foreign.MemorySegment;

/// LZ4 between segments, natively or in Java, which read each other's output. Not thread-safe.
final class SpillCodec {
    private final Compressor compressor;
    private final Decompressor decompressor;

    SpillCodec(boolean useNative) {
        compressor = useNative && Lz4NativeCompressor.isEnabled() ? new Lz4NativeCompressor() : new Lz4JavaCompressor();
        decompressor = useNative && Lz4NativeDecompressor.isEnabled()
                ? new Lz4NativeDecompressor()
                : new Lz4JavaDecompressor();
    }

    /// The most bytes that a number of bytes can become. Source: LZ4_COMPRESSBOUND of lz4.h.
    static int mostCompressed(int bytes) {
        return bytes + bytes / 255 + 16;
    }

    /// @param to room for [#mostCompressed] bytes
    /// @return   how many bytes it took
    int compress(MemorySegment from, MemorySegment to) {
        return compressor.compress(from, to);
    }

    /// @return how many bytes came out; -1 if `from` is not what [#compress] wrote, or does not fit
    int decompress(MemorySegment from, MemorySegment to) {
        try {
            return decompressor.decompress(from, to);
        } catch (RuntimeException e) {
            return -1; // the codecs tell what they meet by exceptions of many kinds; the caller words the error
        }
    }
}
