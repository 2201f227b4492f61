package dev.chert.formats.parquet;

import static dev.chert.formats.parquet.HandMade.bytes;
import static dev.chert.formats.parquet.HandMade.ints;
import static dev.chert.formats.parquet.HandMade.join;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Column;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Chunks of several pages, in which the writer gave up its dictionary.
class FallbackTest {
    private static final List<Object> ROWS =
            Arrays.asList("few", null, "a longer word", "few", "plain", null, "one more long word", "few");

    /// Two pages of codes, a page of values, a page of codes.
    private static byte[] strings() {
        byte[] few = join(ints(3), bytes('f', 'e', 'w'));
        byte[] longer = join(ints(13), "a longer word".getBytes());
        return HandMade.optional(Type.BYTE_ARRAY)
                .column(column -> column.setConverted_type(ConvertedType.UTF8))
                .dictionary(2, join(few, longer))
                .data(3, Encoding.RLE_DICTIONARY, join(bytes(2, 0, 0, 0, 3, 0b101), bytes(1, 3, 0b10)))
                .data(1, Encoding.PLAIN_DICTIONARY, join(bytes(2, 0, 0, 0, 2, 1), bytes(1, 2, 0)))
                .data(
                        3,
                        Encoding.PLAIN,
                        join(
                                bytes(2, 0, 0, 0, 3, 0b101),
                                ints(5),
                                "plain".getBytes(),
                                ints(18),
                                "one more long word".getBytes()))
                .data(1, Encoding.RLE_DICTIONARY, join(bytes(2, 0, 0, 0, 2, 1), bytes(1, 2, 0)))
                .file(8);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 4_096})
    void readsTheSameRowsWhereverBatchesEnd(int batchSize) {
        List<List<Object>> rows = new Reading(batchSize).all(Reading.source("t.parquet", strings()));
        assertThat(rows.stream().map(List::getFirst).toList()).isEqualTo(ROWS);
    }

    @Test
    void leavesBatchesOfCodesAsDictionariesAndFlattensTheOthers() {
        Reading reading = new Reading(3);
        reading.all(Reading.source("t.parquet", strings()));
        assertThat(reading.forms()).containsExactly(Column.Form.DICTIONARY, Column.Form.FLAT, Column.Form.FLAT);
    }

    @Test
    void handsOnPlainNumbersWithoutNullsAsTheyLieInThePage() {
        byte[] file = HandMade.required(Type.INT64)
                .data(2, Encoding.PLAIN, join(ints(1, 0), ints(2, 0)))
                .data(1, Encoding.PLAIN, ints(3, 0))
                .file(3);
        assertThat(new Reading(2).all(Reading.source("t.parquet", file)))
                .isEqualTo(List.of(List.of(1L), List.of(2L), List.of(3L)));
    }

    @Test
    void readsAllNullPagesThatHaveNoCodesAtAll() {
        byte[] file = HandMade.optional(Type.INT32)
                .data(2, Encoding.RLE_DICTIONARY, bytes(2, 0, 0, 0, 4, 0))
                .file(2);
        assertThat(new Reading().all(Reading.source("t.parquet", file)).stream().map(List::getFirst))
                .containsExactly(null, null);
    }
}
