package dev.chert.formats.parquet;

import dev.chert.batch.Layouts;
import dev.chert.query.QueryContext;
import java.lang.foreign.MemorySegment;
import java.util.zip.DataFormatException;

/// Decodes a block of LZ4 such that a query can stop midway.
///
/// ```text
/// sequence    token | length of literals, if 15 or more | literals | distance, 2 bytes | length of copy, if 15 or more
/// token       high 4 bits: literals; low 4 bits: bytes of the copy less 4; 15 is followed by bytes to add, up to
///             one that is not 255
/// ```
/// The last sequence ends after its literals. Source: lz4/lz4, doc/lz4_Block_format.md.
final class Lz4Decoder {
    private static final int LEAST_COPY = 4;
    private static final int LONG_LENGTH = 15;

    private final MemorySegment from;
    private long at;

    private Lz4Decoder(MemorySegment from) {
        this.from = from;
    }

    /// Decodes all of `from`.
    ///
    /// @return bytes written to `to`
    static long decode(MemorySegment from, MemorySegment to, QueryContext query) throws DataFormatException {
        return new Lz4Decoder(from).decode(new DecodedBytes(from, to, query));
    }

    private long decode(DecodedBytes out) throws DataFormatException {
        while (true) {
            int token = next();
            long literals = length(token >>> 4);
            out.append(at, literals);
            at += literals;
            if (at == from.byteSize()) {
                return out.length();
            }
            int distance = next() | next() << 8;
            out.repeat(distance, length(token & 0xF) + LEAST_COPY);
        }
    }

    private long length(int ofToken) throws DataFormatException {
        long length = ofToken;
        if (ofToken == LONG_LENGTH) {
            int more;
            do {
                more = next();
                length += more;
            } while (more == 0xFF);
        }
        return length;
    }

    private int next() throws DataFormatException {
        if (at == from.byteSize()) {
            throw new DataFormatException("the input ends within a sequence");
        }
        return from.get(Layouts.BYTE, at++) & 0xFF;
    }
}
