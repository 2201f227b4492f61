package dev.chert.function;

import static dev.chert.function.FunctionTester.check;
import static dev.chert.function.FunctionTester.checkErrors;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class NumberFunctionsTest {
    @Test
    void computesWithIntegers() {
        check("""
                1 + 2 -> 3
                7 / 2 -> 3
                -7 / 2 -> -3
                7 % -3 -> 1
                -7 % 3 -> -1
                mod(-12, 7) -> -5
                2147483647 + cast(1 as bigint) -> 2147483648
                cast(100 as tinyint) + cast(27 as tinyint) -> 127
                - cast(-128 as smallint) -> 128
                1 + null -> NULL
                null * null -> NULL
                """);
    }

    @Test
    void computesWithFloatingPointNumbers() {
        check("""
                1e0 / 0 -> Infinity
                0e0 / 0 -> NaN
                1e0 + 0.5 -> 1.5
                cast(0.1 as real) + cast(0.2 as real) -> 0.3
                5.5e0 % 2 -> 1.5
                """);
    }

    @Test
    void computesWithDecimals() {
        check("""
                1.25 + 0.5 -> 1.75
                1 - 0.06 -> 0.94
                1.5 * 1.5 -> 2.25
                10.0 / 4 -> 2.500000
                1.00 / 3 -> 0.333333
                2.00 / 3 -> 0.666667
                -2.00 / 3 -> -0.666667
                10.5 % 3 -> 1.5
                99999999999999999999999999999999999999 + 0 -> 99999999999999999999999999999999999999
                9999999999999999999 * 9999999999999999999 -> 99999999999999999980000000000000000001
                cast(1 as decimal(38, 20)) * cast(1.5 as decimal(38, 20)) -> 1.500000
                12345678901234567890.5 - 0.5 -> 12345678901234567890.0
                - 1.50 -> -1.50
                - 12345678901234567890.5 -> -12345678901234567890.5
                12345678901234567890.5 / 10 -> 1234567890123456789.050000
                12345678901234567890.5 % 7 -> 1.5
                """);
    }

    @Test
    void namesWhatOverflowedOrDividedByZero() {
        checkErrors("""
                2147483647 + 1 -> (2147483647 + 1) overflowed INTEGER; cast an operand to a wider type
                cast(127 as tinyint) + cast(1 as tinyint) -> 128 does not fit TINYINT in
                9223372036854775807 * 2 -> overflowed BIGINT
                1 / 0 -> division by zero in (1 / 0)
                1 % 0 -> division by zero
                1.0 / 0 -> division by zero
                1.0 % 0 -> division by zero
                99999999999999999999999999999999999999 + 1 -> overflowed DECIMAL(38, 0)
                abs(cast(-128 as tinyint)) -> does not fit TINYINT
                """);
    }

    @Test
    void givesNullInsteadWhereTheSettingsSaySo() {
        assertThat(FunctionTester.evaluate("2147483647 + 1", "sql.overflow=null"))
                .isNull();
        assertThat(FunctionTester.evaluate("1 / 0", "sql.division-by-zero=null"))
                .isNull();
        assertThat(FunctionTester.evaluate("cast(300 as tinyint)", "sql.overflow=null"))
                .isNull();
    }

    @Test
    void roundsAwayFromZeroAtHalves() {
        check("""
                round(2.5) -> 3.0
                round(-2.5) -> -3.0
                round(2.345, 2) -> 2.350
                round(cast(-42.346 as decimal(5, 3)), 2) -> -42.350
                round(42) -> 42
                round(1234, -2) -> 1200
                round(1250, -2) -> 1300
                round(2.5e0) -> 3.0
                round(0.49999999999999994e0) -> 0.0
                round(2.345e0, 2) -> 2.35
                round(12345678901234567890.5) -> 12345678901234567891.0
                truncate(2.349, 2) -> 2.340
                truncate(-2.7e0) -> -2.0
                truncate(1299, -2) -> 1200
                floor(-1.7) -> -2
                floor(1.7e0) -> 1.0
                ceil(1.3) -> 2
                ceil(-1.7) -> -1
                ceil(12345678901234567890.5) -> 12345678901234567891
                floor(7) -> 7
                abs(-54.4) -> 54.4
                sign(-3.5) -> -1.0
                sign(cast(0 as double)) -> 0.0
                abs(-12345678901234567890.5) -> 12345678901234567890.5
                """);
    }

    @Test
    void knowsFunctionsOfRealNumbers() {
        check("""
                power(2, 3) -> 8.0
                sqrt(2.25) -> 1.5
                sqrt(-1) -> NaN
                exp(1) -> 2.718281828459045
                ln(0) -> -Infinity
                log10(0.01) -> -2.0
                log10(cast(1000 as real)) -> 3.0
                atan2(1, 1) -> 0.7853981633974483
                degrees(3.141592653589793e0) -> 180.0
                """);
    }

    @Test
    void givesRandomNumbersForEachRow() {
        check("""
                random() < 1 -> true
                random(7) = random(7) -> true
                random() >= 0 -> true
                rand_integer(10) < 10 -> true
                """);
    }

    @Test
    void comparesByTheCommonType() {
        check("""
                1 = 1.0 -> true
                1 < 1.5 -> true
                2 > 1.5e0 -> true
                cast('NaN' as double) = cast('NaN' as double) -> true
                cast('NaN' as double) > cast('Infinity' as double) -> true
                cast('NaN' as double) < 1e0 -> false
                1e0 <= cast('NaN' as double) -> true
                cast('-0.0' as double) = 0e0 -> true
                cast('-0.0' as double) < 0e0 -> false
                cast('NaN' as real) >= cast(1 as real) -> true
                12345678901234567890 > 1 -> true
                12345678901234567890.0 = 12345678901234567890 -> true
                'a' < 'b' -> true
                'ab' < 'a' -> false
                'Z' < 'a' -> true
                'ä' > 'z' -> true
                'a' = 'a ' -> false
                cast('a' as char(3)) = 'a' -> true
                cast('a' as char(3)) = cast('a' as char(5)) -> true
                cast('a' as char(3)) < 'ab' -> true
                date '2024-02-29' < '2024-03-01' -> true
                date '2024-02-29' = timestamp '2024-02-29 00:00:00' -> true
                timestamp '2024-02-29 00:00:00.5' > timestamp '2024-02-29 00:00:00' -> true
                true > false -> true
                1 = null -> NULL
                null = null -> NULL
                not 1 = 2 -> true
                cast('00000000-0000-0000-0000-000000000001' as uuid) < cast('80000000-0000-0000-0000-000000000000' as uuid) -> true
                greatest(1, 2.5, 2) -> 2.5
                least('b', 'a', 'c') -> a
                greatest(1, null) -> NULL
                greatest(date '2024-01-01', date '2024-02-01') -> 2024-02-01
                greatest(cast('NaN' as double), 1e0) -> NaN
                """);
    }
}
