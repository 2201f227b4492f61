package dev.chert.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ValueTextTest {
    static Stream<Arguments> values() {
        return Stream.of(
                Arguments.of("text", "text"),
                Arguments.of(true, "true"),
                Arguments.of(-42L, "-42"),
                Arguments.of(new BigDecimal("0.50"), "0.50"),
                Arguments.of(new BigDecimal("1E+3"), "1000"),
                Arguments.of(0.1, "0.1"),
                Arguments.of(1.0, "1.0"),
                Arguments.of(-0.0, "-0.0"),
                Arguments.of(123456789012.5, "123456789012.5"),
                Arguments.of(999999999999999.0, "999999999999999.0"),
                Arguments.of(1e15, "1.0E15"),
                Arguments.of(0.0001, "0.0001"),
                Arguments.of(0.00001, "1.0E-5"),
                Arguments.of(Double.NaN, "NaN"),
                Arguments.of(Double.NEGATIVE_INFINITY, "-Infinity"),
                Arguments.of(0.1f, "0.1"),
                Arguments.of(16777216f, "16777216.0"),
                Arguments.of(LocalDate.of(2024, 2, 29), "2024-02-29"),
                Arguments.of(LocalTime.of(1, 2), "01:02:00"),
                Arguments.of(LocalDateTime.of(2024, 2, 29, 0, 0), "2024-02-29 00:00:00"),
                Arguments.of(LocalDateTime.of(2024, 2, 29, 1, 2, 3, 40_000_000), "2024-02-29 01:02:03.04"),
                Arguments.of(Instant.parse("2024-02-29T01:02:03.000000001Z"), "2024-02-29 01:02:03.000000001+00:00"),
                Arguments.of(OffsetDateTime.parse("2024-02-29T01:02:03+02:00"), "2024-02-29 01:02:03+02:00"),
                Arguments.of(Period.of(1, 14, 0), "2-2"),
                Arguments.of(Period.ofMonths(-1), "-0-1"),
                Arguments.of(Duration.ofSeconds(90_061, 500_000_000), "1 01:01:01.5"),
                Arguments.of(Duration.ofSeconds(-1), "-0 00:00:01"),
                Arguments.of(new byte[] {0, (byte) 0xab}, "\\x00ab"),
                Arguments.of(Arrays.asList(1, null), "[1, NULL]"),
                Arguments.of(Map.of("k", 1.5), "{k=1.5}"),
                Arguments.of(new UUID(0, 1), "00000000-0000-0000-0000-000000000001"));
    }

    @ParameterizedTest
    @MethodSource("values")
    void printsEachKindOfValue(Object value, String text) {
        assertThat(ValueText.of(value)).isEqualTo(text);
    }
}
