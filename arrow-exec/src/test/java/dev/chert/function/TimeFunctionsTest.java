package dev.chert.function;

import static dev.chert.function.FunctionTester.check;
import static dev.chert.function.FunctionTester.checkErrors;

import org.junit.jupiter.api.Test;

final class TimeFunctionsTest {
    @Test
    void extractsFields() {
        check("""
                extract(year from date '2008-02-23') -> 2008
                extract(quarter from date '2008-04-23') -> 2
                extract(month from date '2008-02-23') -> 2
                extract(week from date '2008-02-23') -> 8
                extract(day from date '2008-02-23') -> 23
                extract(dow from date '2008-02-23') -> 7
                extract(dow from date '2008-02-24') -> 1
                extract(isodow from date '2008-02-24') -> 7
                extract(doy from date '2008-02-23') -> 54
                extract(isoyear from date '2021-01-03') -> 2020
                extract(century from date '2000-12-31') -> 20
                extract(century from date '2001-01-01') -> 21
                extract(millennium from date '2000-12-31') -> 2
                extract(decade from date '1969-12-31') -> 196
                extract(epoch from date '2008-02-23') -> 1203724800
                extract(hour from date '2008-02-23') -> 0
                extract(hour from timestamp '1969-12-31 21:13:17.357') -> 21
                extract(minute from timestamp '1969-12-31 21:13:17.357') -> 13
                extract(second from timestamp '1969-12-31 21:13:17.357') -> 17
                extract(millisecond from timestamp '1969-12-31 21:13:17.357') -> 17357
                extract(microsecond from timestamp '1969-12-31 21:13:17.357') -> 17357000
                extract(day from timestamp '1969-12-31 21:13:17') -> 31
                extract(epoch from timestamp '2008-02-23 12:34:56') -> 1203770096
                extract(minute from time '12:34:56') -> 34
                extract(day from interval '2 3:4:5.678' day to second) -> 2
                extract(hour from interval '2 3:4:5.678' day to second) -> 3
                extract(millisecond from interval '2 3:4:5.678' day to second) -> 5678
                extract(epoch from interval '2 3:4:5.678' day to second) -> 183845
                extract(quarter from interval '4-2' year to month) -> 1
                extract(month from interval '4-2' year to month) -> 2
                extract(year from date '-0044-03-15') -> -44
                extract(hour from cast(timestamp '2024-07-01 12:00:00' as timestamp_ltz(0))) -> 12
                """);
        checkErrors("""
                extract(day from time '12:34:56') -> a TIME has no field DAY
                extract(a from date '2008-02-23') -> 'a' is no field of a date or time
                """);
    }

    @Test
    void truncatesToFields() {
        check("""
                date_trunc('year', date '2015-02-19') -> 2015-01-01
                date_trunc('week', date '2015-02-19') -> 2015-02-16
                date_trunc('quarter', timestamp '2015-02-19 12:34:56') -> 2015-01-01 00:00:00
                date_trunc('hour', timestamp '2015-02-19 12:34:56') -> 2015-02-19 12:00:00
                date_trunc('second', timestamp '2015-02-19 12:34:56.78') -> 2015-02-19 12:34:56.00
                date_trunc('minute', time '12:59:56') -> 12:59:00
                date_trunc('minute', timestamp '1969-12-31 23:59:59') -> 1969-12-31 23:59:00
                date_ceil('month', timestamp '2015-02-19 12:34:56') -> 2015-03-01 00:00:00
                date_ceil('year', date '2015-01-01') -> 2015-01-01
                date_ceil('minute', timestamp '2015-02-19 12:34:56') -> 2015-02-19 12:35:00
                last_day(date '1900-02-03') -> 1900-02-28
                """);
    }

    @Test
    void addsIntervals() {
        check("""
                date '1998-12-01' - interval '90' day -> 1998-09-02
                date '2024-01-31' + interval '1' month -> 2024-02-29
                date '2024-02-29' - interval '1' year -> 2023-02-28
                date '2024-02-29' + interval '25' hour -> 2024-03-01 01:00:00
                timestamp '2024-02-29 23:00:00.5' + interval '2' hour -> 2024-03-01 01:00:00.5
                timestamp '2024-03-31 23:00:00' - interval '1' month -> 2024-02-29 23:00:00
                time '23:00:00' + interval '2' hour -> 01:00:00
                time '01:00:00' - interval '2' hour -> 23:00:00
                date '2024-03-01' - date '2024-02-28' -> +2 00:00:00
                timestamp '2024-03-01 00:00:01' - timestamp '2024-02-29 00:00:00' -> +1 00:00:01
                interval '1' day * 3 -> +3 00:00:00
                2 * interval '1' month -> +0-02
                interval '3' day / 2 -> +1 12:00:00
                interval '1' day + interval '1' hour -> +1 01:00:00
                interval '1' year - interval '1' month -> +0-11
                - interval '1' day -> -1 00:00:00
                abs(- interval '1' day) -> +1 00:00:00
                date '2024-02-29' + null -> NULL
                """);
    }

    @Test
    void readsTheClockOfTheQuery() {
        check("""
                current_date -> 2024-02-29
                current_timestamp -> 2024-02-29 13:34:56.789000+01:00
                localtimestamp -> 2024-02-29 13:34:56.789000
                localtime -> 13:34:56.789000
                """);
    }
}
