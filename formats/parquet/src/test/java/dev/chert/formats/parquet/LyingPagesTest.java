package dev.chert.formats.parquet;

import static dev.chert.formats.parquet.HandMade.bytes;
import static dev.chert.formats.parquet.HandMade.ints;
import static dev.chert.formats.parquet.HandMade.join;
import static dev.chert.formats.parquet.HandMade.optional;
import static dev.chert.formats.parquet.HandMade.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.error.CorruptFileException;
import dev.chert.error.TableException;
import java.util.List;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Type;
import org.junit.jupiter.api.Test;

/// One page, made by hand, for each way in which a page can lie.
class LyingPagesTest {
    /// Definition levels of three rows, all valid, as in a v1 page.
    private static final byte[] THREE_VALID = bytes(2, 0, 0, 0, 3 << 1, 1);

    private static List<List<Object>> read(HandMade file, long rows) {
        return new Reading().all(Reading.source("t.parquet", file.file(rows)));
    }

    private static void assertCorrupt(HandMade file, long rows, String... parts) {
        assertThatThrownBy(() -> read(file, rows))
                .isInstanceOf(CorruptFileException.class)
                .hasMessageStartingWith("t.parquet, row group 0, column c")
                .hasMessageContainingAll(parts);
    }

    @Test
    void readsHonestPages() {
        assertThat(read(required(Type.INT32).data(3, Encoding.PLAIN, ints(7, 8, 9)), 3))
                .isEqualTo(List.of(List.of(7L), List.of(8L), List.of(9L)));
        assertThat(read(optional(Type.INT32).data(3, Encoding.PLAIN, join(THREE_VALID, ints(7, 8, 9))), 3))
                .isEqualTo(List.of(List.of(7L), List.of(8L), List.of(9L)));
        assertThat(read(
                        required(Type.INT32)
                                .dictionary(2, ints(40, 50))
                                .data(3, Encoding.RLE_DICTIONARY, bytes(1, 3, 0b101)),
                        3))
                .isEqualTo(List.of(List.of(50L), List.of(40L), List.of(50L)));
    }

    @Test
    void refusesPagesWithFewerValuesThanRows() {
        assertCorrupt(
                required(Type.INT32).data(3, Encoding.PLAIN, ints(7, 8)),
                3,
                ", page at byte 4: PLAIN holds 8 bytes",
                "3 values need 12");
        assertCorrupt(required(Type.BOOLEAN).data(9, Encoding.PLAIN, bytes(1)), 9, "PLAIN holds 8 bits", "expected 9");
    }

    @Test
    void refusesStringsLongerThanTheirPage() {
        assertCorrupt(
                required(Type.BYTE_ARRAY).data(1, Encoding.PLAIN, join(ints(5), bytes('a', 'b'))),
                1,
                "a value at byte 0 claims 5 bytes, 2 are left");
        assertCorrupt(
                required(Type.BYTE_ARRAY).data(1, Encoding.PLAIN, ints(-1)), 1, "a value at byte 0 claims -1 bytes");
        assertCorrupt(
                required(Type.BYTE_ARRAY).data(1, Encoding.PLAIN, bytes(1, 0)),
                1,
                "PLAIN ends at byte 0, where the length of a value is expected");
    }

    @Test
    void refusesStringsThatAreNotUtf8() {
        assertCorrupt(
                required(Type.BYTE_ARRAY)
                        .column(column -> column.setConverted_type(ConvertedType.UTF8))
                        .data(1, Encoding.PLAIN, join(ints(2), bytes('a', 0xC3))),
                1,
                "a string of 2 bytes is not UTF-8: 0x61c3");
    }

    @Test
    void refusesCodesOutsideTheDictionary() {
        assertCorrupt(
                required(Type.INT32)
                        .dictionary(2, ints(40, 50))
                        .data(3, Encoding.RLE_DICTIONARY, bytes(2, 3, 0b111001, 0)),
                3,
                "it refers to value 3 of a dictionary of 2 values");
        assertCorrupt(
                required(Type.INT32).data(3, Encoding.RLE_DICTIONARY, bytes(1, 3 << 1, 0)),
                3,
                "it refers to value 0 of a dictionary of 0 values");
    }

    @Test
    void refusesRunsThatEndTooEarlyOrAreTooWide() {
        HandMade dictionary = required(Type.INT32).dictionary(1, ints(40));
        assertCorrupt(
                dictionary.data(3, Encoding.RLE_DICTIONARY, bytes(1, 2 << 1, 0)),
                3,
                "its codes end 1 values too early");
        assertCorrupt(
                required(Type.INT32).dictionary(1, ints(40)).data(3, Encoding.RLE_DICTIONARY, bytes(33, 3 << 1)),
                3,
                "its codes have 33 bits, expected at most 32");
        assertCorrupt(
                required(Type.INT32).dictionary(1, ints(40)).data(3, Encoding.RLE_DICTIONARY, bytes(1, 3 << 1, 2)),
                3,
                "its codes repeat 2, which has more than 1 bits");
        assertCorrupt(
                required(Type.INT32).dictionary(1, ints(40)).data(3, Encoding.RLE_DICTIONARY, bytes(9, 3 << 1, 0)),
                3,
                "its codes end within a repeated value");
        assertCorrupt(
                required(Type.INT32)
                        .dictionary(1, ints(40))
                        .data(3, Encoding.RLE_DICTIONARY, bytes(1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1)),
                3,
                "its codes have a run header that does not end");
    }

    @Test
    void refusesLevelsThatDoNotFit() {
        assertCorrupt(
                optional(Type.INT32).data(3, Encoding.PLAIN, join(ints(99), ints(7, 8, 9))),
                3,
                "its definition levels claim 99 bytes, the page has 16");
        assertCorrupt(
                optional(Type.INT32).data(3, Encoding.PLAIN, join(bytes(2, 0, 0, 0, 2 << 1, 1), ints(7, 8, 9))),
                3,
                "its definition levels end 1 values too early");
        assertCorrupt(
                optional(Type.INT32).dataV2(3, 0, 20, ints(7, 8, 9)),
                3,
                "its levels claim 0 and 20 bytes, the page has 12");
        assertThatThrownBy(() ->
                        read(optional(Type.INT32).data(3, Encoding.PLAIN, Encoding.BIT_PACKED, 12, ints(7, 8, 9)), 3))
                .isInstanceOf(TableException.class)
                .hasMessageStartingWith("t.parquet, row group 0, column c, page at byte 4: its definition levels are")
                .hasMessageContaining("BIT_PACKED");
    }

    @Test
    void refusesDictionariesThatAreNone() {
        assertCorrupt(
                required(Type.INT32).dictionary(3, ints(40, 50)).data(1, Encoding.PLAIN, ints(7)),
                1,
                "a dictionary page of 8 bytes claims 3 values");
        assertCorrupt(
                required(Type.INT32)
                        .dictionary(1, ints(40))
                        .dictionary(1, ints(50))
                        .data(1, Encoding.PLAIN, ints(7)),
                1,
                "a second dictionary page");
        assertCorrupt(
                required(Type.BOOLEAN).dictionary(1, bytes(1)).data(1, Encoding.PLAIN, bytes(1)),
                1,
                "a dictionary page, which BOOLEAN has not");
    }

    @Test
    void refusesCountsAndSizesThatDoNotAddUp() {
        assertCorrupt(
                required(Type.INT32).data(3, Encoding.PLAIN, ints(7, 8, 9)),
                2,
                "its header says 3 values, 2 are left in the column chunk");
        assertCorrupt(
                required(Type.INT32).data(3, Encoding.PLAIN, ints(7, 8, 9)),
                5,
                "its pages end at byte",
                "2 of 5 values are missing");
        assertCorrupt(
                required(Type.INT32)
                        .data(3, Encoding.PLAIN, ints(7, 8, 9))
                        .chunk(metadata -> metadata.setTotal_compressed_size(metadata.getTotal_compressed_size() - 1)),
                3,
                "its header says 12 compressed bytes, 11 are left in the column chunk");
        assertCorrupt(
                required(Type.INT32)
                        .data(3, Encoding.PLAIN, ints(7, 8, 9))
                        .chunk(metadata -> metadata.setData_page_offset(1_000)),
                3,
                "the column chunk lies at byte 1000");
        assertCorrupt(
                required(Type.INT32)
                        .data(3, Encoding.PLAIN, ints(7, 8, 9))
                        .chunk(metadata -> metadata.setType(Type.INT64)),
                3,
                "the column chunk holds INT64, the schema says INT32");
    }

    @Test
    void refusesSizesThatNoCodecGives() {
        assertCorrupt(
                required(Type.INT32).data(3, Encoding.PLAIN, Encoding.RLE, 13, ints(7, 8, 9)),
                3,
                "12 bytes that become 13");
        assertCorrupt(
                required(Type.INT32)
                        .codec(CompressionCodec.SNAPPY)
                        .data(3, Encoding.PLAIN, Encoding.RLE, 1_000_000_000, ints(7, 8, 9)),
                3,
                "12 bytes that become 1000000000");
        for (CompressionCodec codec : List.of(
                CompressionCodec.SNAPPY, CompressionCodec.GZIP, CompressionCodec.ZSTD, CompressionCodec.LZ4_RAW)) {
            assertCorrupt(
                    required(Type.INT32)
                            .codec(codec)
                            .data(3, Encoding.PLAIN, Encoding.RLE, 12, bytes(1, 2, 3, 4, 5, 6, 7, 8, 9)),
                    3,
                    "9 bytes of " + codec);
        }
    }

    @Test
    void refusesEncodingsThatTheTypeHasNot() {
        assertCorrupt(required(Type.INT32).data(1, Encoding.RLE, ints(7)), 1, "RLE is not defined for INT32");
        assertCorrupt(
                required(Type.INT32).data(1, Encoding.BIT_PACKED, ints(7)), 1, "BIT_PACKED is defined for levels");
        assertCorrupt(
                required(Type.DOUBLE).data(1, Encoding.DELTA_BINARY_PACKED, ints(7, 7)),
                1,
                "DELTA_BINARY_PACKED is not defined for DOUBLE");
        assertCorrupt(
                required(Type.BYTE_ARRAY).data(1, Encoding.BYTE_STREAM_SPLIT, ints(7)),
                1,
                "BYTE_STREAM_SPLIT is not defined for BYTE_ARRAY");
    }

    @Test
    void refusesDeltasThatDoNotAddUp() {
        assertCorrupt(
                required(Type.INT32).data(1, Encoding.DELTA_BINARY_PACKED, bytes(7, 3, 1, 0)),
                1,
                "DELTA_BINARY_PACKED has blocks of 7 values in 3 miniblocks");
        assertCorrupt(
                required(Type.INT32).data(1, Encoding.DELTA_BINARY_PACKED, bytes(0x80, 1, 4, 2, 0)),
                1,
                "DELTA_BINARY_PACKED claims 2 values, the page has 1");
        assertCorrupt(
                required(Type.INT32).data(2, Encoding.DELTA_BINARY_PACKED, bytes(0x80, 1, 4, 2, 0, 0, 8, 0, 0, 0)),
                2,
                "DELTA_BINARY_PACKED ends too early");
        assertCorrupt(
                required(Type.BYTE_ARRAY).data(1, Encoding.DELTA_LENGTH_BYTE_ARRAY, bytes(0x80, 1, 4, 1, 10, 'a')),
                1,
                "value 0 has 5 bytes, of all values' 1 bytes too many");
        assertCorrupt(
                required(Type.BYTE_ARRAY)
                        .data(1, Encoding.DELTA_BYTE_ARRAY, bytes(0x80, 1, 4, 1, 2, 0x80, 1, 4, 1, 2, 'a')),
                1,
                "value 0 shares 1 bytes with the one before, which has 0");
        assertCorrupt(
                required(Type.DOUBLE).data(1, Encoding.BYTE_STREAM_SPLIT, ints(7)),
                1,
                "BYTE_STREAM_SPLIT holds 4 bytes, which are no values of 8");
    }

    @Test
    void refusesValuesThatTheTypeCannotHold() {
        assertCorrupt(
                required(Type.INT32)
                        .column(column -> column.setConverted_type(ConvertedType.INT_8))
                        .data(2, Encoding.PLAIN, ints(7, 300)),
                2,
                "value 0x2c010000 does not fit its type");
        assertCorrupt(
                required(Type.FIXED_LEN_BYTE_ARRAY)
                        .column(column -> {
                            column.setType_length(9);
                            column.setConverted_type(ConvertedType.DECIMAL);
                            column.setPrecision(10);
                            column.setScale(0);
                        })
                        .data(1, Encoding.PLAIN, bytes(1, 0, 0, 0, 0, 0, 0, 0, 0)),
                1,
                "value 0x010000000000000000 does not fit its type");
    }

    @Test
    void refusesDamagedBytesByTheirChecksum() {
        PageHeader header = new PageHeader(PageType.DATA_PAGE, 4, 4);
        header.setData_page_header(new DataPageHeader(1, Encoding.PLAIN, Encoding.RLE, Encoding.RLE));
        header.setCrc(1);
        assertCorrupt(
                required(Type.INT32).page(header, ints(7)),
                1,
                "the checksum of its bytes is",
                "its header says 00000001");
    }

    @Test
    void refusesHeadersThatAreNone() {
        assertCorrupt(
                required(Type.INT32).page(new PageHeader(PageType.DATA_PAGE, 4, 4), ints(7)), 1, "DATA_PAGE without");
        assertCorrupt(
                required(Type.INT32)
                        .data(1, Encoding.PLAIN, ints(7))
                        .chunk(metadata -> metadata.setTotal_compressed_size(3)),
                1,
                "page at byte 4: its header does not end within the column chunk");
    }
}
