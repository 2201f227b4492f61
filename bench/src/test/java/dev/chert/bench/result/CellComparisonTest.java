package dev.chert.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CellComparisonTest {

    @Test
    void nullEqualsNullOnly() {
        assertThat(CellComparison.same(null, null)).isTrue();
        assertThat(CellComparison.same(0, null)).isFalse();
        assertThat(CellComparison.same(null, "")).isFalse();
    }

    @Test
    void integersOfAllWidthsCompareByValue() {
        assertThat(CellComparison.same(7, 7L)).isTrue();
        assertThat(CellComparison.same(BigInteger.valueOf(7), (short) 7)).isTrue();
        assertThat(CellComparison.same(7, 8L)).isFalse();
    }

    @Test
    void anIntegerIsNotAsCoarseAsADecimal() {
        assertThat(CellComparison.same(3, new BigDecimal("3.00"))).isTrue();
        assertThat(CellComparison.same(3, new BigDecimal("3.40"))).isFalse();
    }

    @Test
    void decimalsCompareAtTheCoarserScale() {
        assertThat(CellComparison.same(new BigDecimal("1.25"), new BigDecimal("1.249999")))
                .isTrue();
        assertThat(CellComparison.same(new BigDecimal("1.25"), new BigDecimal("1.244999")))
                .isFalse();
    }

    @Test
    void doublesCompareAtARelativeBillionth() {
        assertThat(CellComparison.same(1e10, 1e10 + 9)).isTrue();
        assertThat(CellComparison.same(1e10, 1e10 + 11)).isFalse();
        assertThat(CellComparison.same(Double.NaN, Double.NaN)).isTrue();
    }

    @Test
    void aDecimalComparesWithADoubleAtItsOwnScale() {
        assertThat(CellComparison.same(new BigDecimal("0.050081"), 0.05008133906964238))
                .isTrue();
        assertThat(CellComparison.same(0.05008233906964238, new BigDecimal("0.050081")))
                .isFalse();
        assertThat(CellComparison.same(Double.NaN, new BigDecimal("0.050081"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"38025.5, 38025.50, true", "38025.5, 38025.54, false", "25.575154611454693, 25.575155, true"})
    void publishedTextMayLackTrailingZerosButNoDigit(String text, BigDecimal value, boolean same) {
        assertThat(CellComparison.sameAsText(text, value)).isEqualTo(same);
    }

    @Test
    void publishedTextComparesWithOtherTypesAsTheyPrint() {
        assertThat(CellComparison.sameAsText("1995-10-21", LocalDate.of(1995, 10, 21)))
                .isTrue();
        assertThat(CellComparison.sameAsText("BRAZIL", "BRAZIL ")).isFalse();
        assertThat(CellComparison.sameAsText("", null)).isTrue();
        assertThat(CellComparison.sameAsText("x", 1)).isFalse();
        assertThat(CellComparison.sameAsText("0.1", 0.1000000000001)).isTrue();
    }
}
