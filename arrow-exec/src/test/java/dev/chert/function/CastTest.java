package dev.chert.function;

import static dev.chert.function.FunctionTester.check;
import static dev.chert.function.FunctionTester.checkErrors;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.error.ValidationException;
import org.junit.jupiter.api.Test;

final class CastTest {
    @Test
    void convertsNumbers() {
        check("""
                cast(1.9 as integer) -> 1
                cast(-1.9 as integer) -> -1
                cast(1.9e0 as bigint) -> 1
                cast(-1.9e0 as tinyint) -> -1
                cast(127.9e0 as tinyint) -> 127
                cast(1.005 as decimal(3, 2)) -> 1.01
                cast(-1.005 as decimal(3, 2)) -> -1.01
                cast(2.675e0 as decimal(3, 2)) -> 2.68
                cast(7 as decimal(20, 5)) -> 7.00000
                cast(9223372036854775807 as decimal(30, 5)) -> 9223372036854775807.00000
                cast(9223372036854775807 as double) -> 9.223372036854775807E18
                cast(0.1 as double) -> 0.1
                cast(12345678901234567890.5 as double) -> 1.2345678901234567E19
                cast(1e-7 as double) -> 1.0E-7
                cast(0.1e0 as real) -> 0.1
                cast(true as integer) -> 1
                cast(0 as boolean) -> false
                cast(cast(1.5 as decimal(38, 18)) as decimal(5, 1)) -> 1.5
                cast(0.4 as decimal(1, 0)) -> 0
                """.replace("9.223372036854775807E18", "9.223372036854776E18"));
        checkErrors("""
                cast(300 as tinyint) -> 300 does not fit TINYINT in cast(300 as TINYINT)
                cast(1e10 as integer) -> 1.0E10 does not fit INTEGER
                cast(cast('NaN' as double) as integer) -> NaN does not fit INTEGER
                cast(999.5 as decimal(3, 0)) -> 999.5 does not fit DECIMAL(3, 0)
                cast(12345678901234567890.5 as bigint) -> 12345678901234567890.5 does not fit BIGINT
                cast(1e40 as decimal(38, 0)) -> does not fit DECIMAL(38, 0)
                cast(1e300 as real) -> 1.0E300 does not fit REAL
                """);
    }

    @Test
    void readsStrings() {
        check("""
                cast(' 42 ' as integer) -> 42
                cast('-128' as tinyint) -> -128
                cast('-9223372036854775808' as bigint) -> -9223372036854775808
                cast('1.005' as decimal(3, 2)) -> 1.01
                cast('1e3' as decimal(5, 0)) -> 1000
                cast('1.5e-3' as double) -> 0.0015
                cast('inf' as double) -> Infinity
                cast('TRUE' as boolean) -> true
                cast('2024-2-9' as date) -> 2024-02-09
                cast('12:34' as time(3)) -> 12:34:00.000
                cast('2024-02-29T12:34:56.789' as timestamp(2)) -> 2024-02-29 12:34:56.78
                cast('2024-02-29' as timestamp(0)) -> 2024-02-29 00:00:00
                cast('1969-12-31 23:59:59.999' as timestamp(3)) -> 1969-12-31 23:59:59.999
                cast('2024-02-29 12:00:00Z' as timestamp_ltz(0)) -> 2024-02-29 13:00:00+01:00
                cast('2024-07-01 12:00:00' as timestamp_ltz(0)) -> 2024-07-01 12:00:00+02:00
                cast('1-02' as interval_year_month) -> +1-02
                cast('-2 03:04:05.5' as interval_day_time(1)) -> -2 03:04:05.5
                cast('0aF00000-0000-0000-0000-000000000001' as uuid) -> 0af00000-0000-0000-0000-000000000001
                cast('äb' as varbinary) -> c3a462
                cast(cast('äb' as varbinary) as varchar) -> äb
                cast('abc' as varchar(2)) -> ab
                cast('grüße' as varchar(3)) -> grü
                cast(12345 as varchar(3)) -> 123
                cast(true as char(3)) -> tru
                cast('ab' as char(4)) || '|' -> ab  |
                cast(null as integer) -> NULL
                """);
        checkErrors("""
                cast('x' as integer) -> 'x' is no INTEGER in cast('x' as INTEGER)
                cast('' as integer) -> '' is no INTEGER
                cast('1.5' as integer) -> '1.5' is no INTEGER
                cast('9223372036854775808' as bigint) -> '9223372036854775808' does not fit BIGINT
                cast('1x' as double) -> is no DOUBLE
                cast('1d' as double) -> is no DOUBLE
                cast('0x1p3' as double) -> is no DOUBLE
                cast('2023-02-29' as date) -> '2023-02-29' is no DATE
                cast('2023-02-28 x' as timestamp(0)) -> is no TIMESTAMP
                cast('25:00' as time(0)) -> is no TIME
                cast('maybe' as boolean) -> 'maybe' is no BOOLEAN
                cast('0af' as uuid) -> is no UUID
                cast('99.9' as decimal(2, 0)) -> '99.9' does not fit DECIMAL(2, 0)
                """);
    }

    @Test
    void convertsDatesAndTimes() {
        check("""
                cast(date '2024-02-29' as timestamp(3)) -> 2024-02-29 00:00:00.000
                cast(timestamp '1969-12-31 12:00:00' as date) -> 1969-12-31
                cast(timestamp '2024-02-29 12:34:56.789' as time(1)) -> 12:34:56.7
                cast(time '12:34:56' as timestamp(0)) -> 2024-02-29 12:34:56
                cast(timestamp '2024-07-01 12:00:00' as timestamp_ltz(3)) -> 2024-07-01 12:00:00.000+02:00
                cast(cast('2024-06-30 23:00:00Z' as timestamp_ltz(0)) as date) -> 2024-07-01
                cast(cast('2024-06-30 23:00:00Z' as timestamp_ltz(0)) as timestamp(0)) -> 2024-07-01 01:00:00
                cast(timestamp '2024-02-29 12:34:56.789' as timestamp(1)) -> 2024-02-29 12:34:56.7
                cast(date '2024-02-29' as timestamp_ltz(0)) -> 2024-02-29 00:00:00+01:00
                """);
    }

    @Test
    void givesNullForWhatCannotBeTriedWithSuccess() {
        check("""
                try_cast('x' as integer) -> NULL
                try_cast('7' as integer) -> 7
                try_cast(300 as tinyint) -> NULL
                try_cast('2023-02-29' as date) -> NULL
                try_cast(1e40 as decimal(38, 0)) -> NULL
                """);
    }

    @Test
    void refusesWhatSqlDoesNotConvert() {
        assertThatThrownBy(() -> FunctionTester.evaluate("cast(date '2024-02-29' as integer)"))
                .isInstanceOf(ValidationException.class)
                .hasMessage("a value of type DATE cannot be cast to INTEGER");
        assertThatThrownBy(() -> FunctionTester.evaluate("cast(true as date)"))
                .hasMessage("a value of type BOOLEAN cannot be cast to DATE");
    }
}
