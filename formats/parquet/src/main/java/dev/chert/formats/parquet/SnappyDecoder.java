package dev.chert.formats.parquet;

import dev.chert.batch.Layouts;
import dev.chert.query.QueryContext;
import java.lang.foreign.MemorySegment;
import java.util.zip.DataFormatException;

/// Decodes Snappy such that a query can stop midway.
///
/// ```text
/// length, varint | elements: tag and what its low bits say
///   00  literal of (tag >> 2) + 1 bytes; from 60 on, 1 to 4 bytes more have the length - 1
///   01  copy of 4 to 11 bytes, distance of 11 bits
///   10  copy of 1 to 64 bytes, distance of 2 bytes      11  the same, distance of 4 bytes
/// ```
/// Source: google/snappy, format_description.txt.
final class SnappyDecoder {
    private static final int MOST_VARINT_BYTES = 5;
    private static final int LONGEST_SHORT_LITERAL = 60;

    private SnappyDecoder() {}

    /// Decodes all of `from`.
    ///
    /// @return bytes written to `to`
    static long decode(MemorySegment from, MemorySegment to, QueryContext query) throws DataFormatException {
        long end = from.byteSize();
        long at = 0;
        long length = 0;
        for (int i = 0; ; i++) {
            if (at == end || i == MOST_VARINT_BYTES) {
                throw new DataFormatException("its length does not end");
            }
            byte b = from.get(Layouts.BYTE, at++);
            length |= (b & 0x7FL) << 7 * i;
            if (b >= 0) {
                break;
            }
        }
        DecodedBytes out = new DecodedBytes(from, to, query);
        while (at < end) {
            int tag = from.get(Layouts.BYTE, at++) & 0xFF;
            int high = tag >>> 2;
            switch (tag & 3) {
                case 0 -> {
                    int more = Math.max(0, high + 1 - LONGEST_SHORT_LITERAL);
                    long literal = (more == 0 ? high : number(from, at, more)) + 1;
                    out.append(at + more, literal);
                    at += more + literal;
                }
                case 1 -> {
                    out.repeat((tag >>> 5 << 8) + number(from, at, 1), (high & 7) + 4);
                    at++;
                }
                case 2 -> {
                    out.repeat(number(from, at, Short.BYTES), high + 1);
                    at += Short.BYTES;
                }
                default -> {
                    out.repeat(number(from, at, Integer.BYTES), high + 1);
                    at += Integer.BYTES;
                }
            }
        }
        if (out.length() != length) {
            throw new DataFormatException("it says " + length + " bytes and gives " + out.length());
        }
        return length;
    }

    private static long number(MemorySegment from, long at, int bytes) throws DataFormatException {
        if (bytes > from.byteSize() - at) {
            throw new DataFormatException("the input ends within an element");
        }
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (from.get(Layouts.BYTE, at + i) & 0xFFL) << 8 * i;
        }
        return value;
    }
}
