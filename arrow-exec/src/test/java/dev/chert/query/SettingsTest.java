package dev.chert.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.error.ValidationException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    @Test
    void aTimeoutIsADurationOrNone() {
        assertThat(timeout("1.5s")).isEqualTo(Duration.ofMillis(1500));
        assertThat(timeout("5min")).isEqualTo(Duration.ofMinutes(5));
        assertThat(Settings.defaults().with("query.timeout", "none").get(Settings.QUERY_TIMEOUT))
                .isEmpty();
    }

    @Test
    void theLongestTimeoutCanBeCountedInNanoseconds() {
        assertThat(timeout("9223372036854ms").toNanos()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"9999999h", "9223372036855ms", "9223372036854775807ms", "1d", "0ms", "soon"})
    void aTimeoutThatIsNoDurationOrTooLongIsRefusedByName(String text) {
        assertThatThrownBy(() -> timeout(text))
                .isInstanceOf(ValidationException.class)
                .hasMessageStartingWith("query.timeout: found '" + text + "', expected none, or a duration such as ");
    }

    private static Duration timeout(String text) {
        return Settings.defaults()
                .with("query.timeout", text)
                .get(Settings.QUERY_TIMEOUT)
                .orElseThrow();
    }
}
