package dev.chert.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 bytes",
        "1023, 1023 bytes",
        "1024, 1 KiB",
        "1536, 1.5 KiB",
        "67108864, 64 MiB",
        "1610612736, 1.5 GiB",
        "9223372036854775807, 8 EiB"
    })
    void readsInTheLargestUnitThatLeavesAWhole(long bytes, String text) {
        assertThat(ByteSize.format(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "469762048, 536870912, 448 of 512 MiB",
        "0, 536870912, 0 of 512 MiB",
        "3072, 1073741824, 3 KiB of 1 GiB",
        "805306368, 1073741824, 768 MiB of 1 GiB"
    })
    void aPartReadsInTheUnitOfTheWholeUnlessItIsSmaller(long part, long whole, String text) {
        assertThat(ByteSize.formatPart(part, whole)).isEqualTo(text);
    }
}
