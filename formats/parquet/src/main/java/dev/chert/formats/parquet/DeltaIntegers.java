package dev.chert.formats.parquet;

import dev.chert.batch.Layouts;
import dev.chert.query.QueryContext;
import java.lang.foreign.MemorySegment;

/// Integers of DELTA_BINARY_PACKED: a first value, then blocks of bit-packed differences.
///
/// ```text
/// header    values a block, varint | miniblocks a block, varint | values, varint | first value, zigzag varint
/// block     least difference, zigzag varint | a byte a miniblock: bits of its differences | miniblocks
/// ```
///
/// A miniblock that no value needs has no bytes, whatever its width says.
/// Source: Parquet Encodings.md, "Delta Encoding".
final class DeltaIntegers {
    private static final int MOST_VARINT_BYTES = 10;
    /// Of what a block may have; writers use 128.
    private static final int MOST_BLOCK_VALUES = 1 << 20;

    private final MemorySegment bytes;
    private final QueryContext query;
    private final Location page;
    private long position;
    private final int blockValues;
    private final int miniblocks;
    private final int count;
    private final long firstValue;

    /// Reads the header.
    ///
    /// @param bytes      may go on behind the integers
    /// @param mostValues which the page has room for
    /// @param query      which may be cancelled between two blocks
    DeltaIntegers(MemorySegment bytes, int mostValues, QueryContext query, Location page) {
        this.bytes = bytes;
        this.query = query;
        this.page = page;
        long blockSize = varint();
        long blockParts = varint();
        long values = varint();
        if (blockSize < 1 || blockSize > MOST_BLOCK_VALUES || blockParts < 1 || blockSize % (blockParts * 32) != 0) {
            throw page.corrupt(
                    "DELTA_BINARY_PACKED has blocks of %d values in %d miniblocks, expected multiples of 32 values a"
                            + " miniblock",
                    blockSize, blockParts);
        }
        if (values < 0 || values > mostValues) {
            throw page.corrupt("DELTA_BINARY_PACKED claims %d values, the page has %d", values, mostValues);
        }
        this.blockValues = (int) blockSize;
        this.miniblocks = (int) blockParts;
        this.count = (int) values;
        this.firstValue = zigzag();
    }

    int count() {
        return count;
    }

    /// Decodes all values.
    ///
    /// @param out   room for [#count()] values of 4 or 8 bytes
    /// @param width of a value; sums wrap around in it
    /// @return      the byte after the last miniblock
    long decode(MemorySegment out, int width) {
        long value = firstValue;
        int done = 0;
        if (count > 0) {
            put(out, width, done++, value);
        }
        int miniblockValues = blockValues / miniblocks;
        while (done < count) {
            query.checkCancelled();
            long leastDelta = zigzag();
            long widths = position;
            position += miniblocks;
            checkEnd();
            for (int i = 0; i < miniblocks && done < count; i++) {
                int bits = bytes.get(Layouts.BYTE, widths + i) & 0xFF;
                if (bits > Long.SIZE) {
                    throw page.corrupt("DELTA_BINARY_PACKED has differences of %d bits, expected at most 64", bits);
                }
                int length = Math.min(miniblockValues, count - done);
                long first = position * 8;
                if ((first + (long) length * bits + 7) / 8 > bytes.byteSize()) {
                    position = bytes.byteSize() + 1;
                    checkEnd();
                }
                for (int k = 0; k < length; k++) {
                    value += leastDelta + bits(first + (long) k * bits, bits);
                    put(out, width, done++, value);
                }
                position += (long) miniblockValues * bits / 8;
            }
        }
        return Math.min(position, bytes.byteSize());
    }

    private static void put(MemorySegment out, int width, int index, long value) {
        if (width == Integer.BYTES) {
            out.setAtIndex(Layouts.INT, index, (int) value);
        } else {
            out.setAtIndex(Layouts.LONG, index, value);
        }
    }

    private void checkEnd() {
        if (position > bytes.byteSize()) {
            throw page.corrupt("DELTA_BINARY_PACKED ends too early, after %d bytes", bytes.byteSize());
        }
    }

    /// Up to 64 bits from a bit on, all of which are there.
    private long bits(long bit, int width) {
        if (width == 0) {
            return 0;
        }
        long at = bit >>> 3;
        int shift = (int) (bit & 7);
        long word;
        if (at + 9 <= bytes.byteSize()) {
            word = bytes.get(Layouts.LONG, at) >>> shift;
            if (shift + width > Long.SIZE) {
                word |= (long) bytes.get(Layouts.BYTE, at + 8) << Long.SIZE - shift;
            }
        } else {
            word = 0;
            for (int i = 0; i * 8 < shift + width; i++) {
                long b = bytes.get(Layouts.BYTE, at + i) & 0xFF;
                word |= i * 8 >= shift ? b << i * 8 - shift : b >>> shift;
            }
        }
        return width == Long.SIZE ? word : word & (1L << width) - 1;
    }

    private long zigzag() {
        long value = varint();
        return value >>> 1 ^ -(value & 1);
    }

    private long varint() {
        long value = 0;
        for (int i = 0; i < MOST_VARINT_BYTES && position < bytes.byteSize(); i++) {
            byte b = bytes.get(Layouts.BYTE, position++);
            value |= (b & 0x7FL) << 7 * i;
            if (b >= 0) {
                return value;
            }
        }
        throw page.corrupt("DELTA_BINARY_PACKED has a number that does not end, before byte %d", position);
    }
}
