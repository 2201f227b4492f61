package dev.chert.function.time;

import dev.chert.function.CallContext;
import dev.chert.function.FunctionException;
import dev.chert.function.ScalarFunction;

/// + and - of dates, times, timestamps and intervals, * and / of intervals and numbers. The arguments of one call
/// have the same unit.
final class TimeArithmetic {
    private TimeArithmetic() {}

    @ScalarFunction(name = "+", signature = "(DATE, INTERVAL_YEAR_MONTH) -> DATE")
    static int plusMonths(int days, int months) {
        return Math.toIntExact(Calendar.plusMonths(days, months));
    }

    @ScalarFunction(name = "+", signature = "(INTERVAL_YEAR_MONTH, DATE) -> DATE")
    static int monthsPlus(int months, int days) {
        return plusMonths(days, months);
    }

    @ScalarFunction(name = "-", signature = "(DATE, INTERVAL_YEAR_MONTH) -> DATE")
    static int minusMonths(int days, int months) {
        return Math.toIntExact(Calendar.plusMonths(days, -(long) months));
    }

    @ScalarFunction(name = "+", signature = "(TIMESTAMP, INTERVAL_YEAR_MONTH) -> $0")
    static long timestampPlusMonths(CallContext context, long units, int months) {
        return plusMonths(units, months, context.argumentType(0).unitsPerSecond());
    }

    @ScalarFunction(name = "+", signature = "(INTERVAL_YEAR_MONTH, TIMESTAMP) -> $1")
    static long monthsPlusTimestamp(CallContext context, int months, long units) {
        return plusMonths(units, months, context.argumentType(1).unitsPerSecond());
    }

    @ScalarFunction(name = "-", signature = "(TIMESTAMP, INTERVAL_YEAR_MONTH) -> $0")
    static long timestampMinusMonths(CallContext context, long units, int months) {
        return plusMonths(units, -(long) months, context.argumentType(0).unitsPerSecond());
    }

    @ScalarFunction(name = "+", signature = "(TIMESTAMP_LTZ, INTERVAL_YEAR_MONTH) -> $0")
    static long instantPlusMonths(CallContext context, long units, int months) {
        return instantPlus(context, units, months);
    }

    @ScalarFunction(name = "-", signature = "(TIMESTAMP_LTZ, INTERVAL_YEAR_MONTH) -> $0")
    static long instantMinusMonths(CallContext context, long units, int months) {
        return instantPlus(context, units, -(long) months);
    }

    private static long instantPlus(CallContext context, long units, long months) {
        long unitsPerSecond = context.argumentType(0).unitsPerSecond();
        Zones zones = Zones.of(context);
        return zones.toInstant(
                plusMonths(zones.toLocal(units, unitsPerSecond), months, unitsPerSecond), unitsPerSecond);
    }

    private static long plusMonths(long units, long months, long unitsPerSecond) {
        long unitsPerDay = TimeField.SECONDS_PER_DAY * unitsPerSecond;
        long days = Math.floorDiv(units, unitsPerDay);
        long rest = units - days * unitsPerDay;
        return Math.addExact(Math.multiplyExact(Calendar.plusMonths(days, months), unitsPerDay), rest);
    }

    @ScalarFunction(
            name = "+",
            signature = "(TIMESTAMP, INTERVAL_DAY_TIME) -> $0; (TIMESTAMP_LTZ, INTERVAL_DAY_TIME) -> $0;"
                    + " (INTERVAL_DAY_TIME, TIMESTAMP) -> $1; (INTERVAL_DAY_TIME, TIMESTAMP_LTZ) -> $1;"
                    + " (INTERVAL_DAY_TIME, INTERVAL_DAY_TIME) -> $0")
    static long plus(long a, long b) {
        return Math.addExact(a, b);
    }

    @ScalarFunction(
            name = "-",
            signature = "(TIMESTAMP, INTERVAL_DAY_TIME) -> $0; (TIMESTAMP_LTZ, INTERVAL_DAY_TIME) -> $0;"
                    + " (INTERVAL_DAY_TIME, INTERVAL_DAY_TIME) -> $0; (TIMESTAMP, TIMESTAMP) -> INTERVAL_DAY_TIME;"
                    + " (TIMESTAMP_LTZ, TIMESTAMP_LTZ) -> INTERVAL_DAY_TIME; (TIME, TIME) -> INTERVAL_DAY_TIME")
    static long minus(long a, long b) {
        return Math.subtractExact(a, b);
    }

    @ScalarFunction(name = "+", signature = "(DATE, INTERVAL_DAY_TIME) -> TIMESTAMP")
    static long datePlus(CallContext context, int days, long interval) {
        long unitsPerDay = TimeField.SECONDS_PER_DAY * context.argumentType(1).unitsPerSecond();
        return Math.addExact(Math.multiplyExact(days, unitsPerDay), interval);
    }

    @ScalarFunction(name = "+", signature = "(INTERVAL_DAY_TIME, DATE) -> TIMESTAMP")
    static long plusDate(CallContext context, long interval, int days) {
        long unitsPerDay = TimeField.SECONDS_PER_DAY * context.argumentType(0).unitsPerSecond();
        return Math.addExact(Math.multiplyExact(days, unitsPerDay), interval);
    }

    @ScalarFunction(name = "-", signature = "(DATE, INTERVAL_DAY_TIME) -> TIMESTAMP")
    static long dateMinus(CallContext context, int days, long interval) {
        long unitsPerDay = TimeField.SECONDS_PER_DAY * context.argumentType(1).unitsPerSecond();
        return Math.subtractExact(Math.multiplyExact(days, unitsPerDay), interval);
    }

    @ScalarFunction(
            name = "date_add",
            signature = "(DATE, INTERVAL_DAY_TIME) -> DATE",
            description = "A date so many whole days later; what an interval has beside whole days is left out.",
            example = "date_add(date '2024-02-28', interval '1' day)",
            result = "2024-02-29")
    static int dateAdd(CallContext context, int days, long interval) {
        long unitsPerDay = TimeField.SECONDS_PER_DAY * context.argumentType(1).unitsPerSecond();
        return Math.toIntExact(days + interval / unitsPerDay);
    }

    @ScalarFunction(name = "date_add", signature = "(DATE, BIGINT) -> DATE")
    static int dateAdd(int days, long added) {
        return Math.toIntExact(Math.addExact((long) days, added));
    }

    @ScalarFunction(
            name = "date_sub",
            signature = "(DATE, INTERVAL_DAY_TIME) -> DATE",
            description = "A date so many whole days earlier; what an interval has beside whole days is left out.",
            example = "date_sub(date '2024-03-01', interval '1' day)",
            result = "2024-02-29")
    static int dateSubtract(CallContext context, int days, long interval) {
        long unitsPerDay = TimeField.SECONDS_PER_DAY * context.argumentType(1).unitsPerSecond();
        return Math.toIntExact(days - interval / unitsPerDay);
    }

    @ScalarFunction(name = "date_sub", signature = "(DATE, BIGINT) -> DATE")
    static int dateSubtract(int days, long subtracted) {
        return Math.toIntExact(Math.subtractExact((long) days, subtracted));
    }

    @ScalarFunction(
            name = "whole_months",
            signature = "(DATE, DATE) -> INTERVAL_YEAR_MONTH",
            description =
                    "The whole months from the second date or timestamp to the first; what is beyond is left" + " out.",
            example = "whole_months(date '2024-05-25', date '2024-02-26')",
            result = "+0-02")
    static int wholeMonths(int a, int b) {
        return Math.toIntExact(a < b ? -Calendar.monthsBetween(a, b) : Calendar.monthsBetween(b, a));
    }

    @ScalarFunction(name = "whole_months", signature = "(TIMESTAMP, TIMESTAMP) -> INTERVAL_YEAR_MONTH")
    static int wholeMonths(CallContext context, long a, long b) {
        long unitsPerDay = TimeField.SECONDS_PER_DAY * context.argumentType(0).unitsPerSecond();
        return Math.toIntExact(a < b ? -monthsBetween(a, b, unitsPerDay) : monthsBetween(b, a, unitsPerDay));
    }

    private static long monthsBetween(long from, long to, long unitsPerDay) {
        // a day that has not come to the time of day of the first is not over
        long lastDay = Math.floorDiv(to, unitsPerDay)
                - (Math.floorMod(to, unitsPerDay) < Math.floorMod(from, unitsPerDay) ? 1 : 0);
        return Calendar.monthsBetween(Math.floorDiv(from, unitsPerDay), lastDay);
    }

    @ScalarFunction(name = "-", signature = "(DATE, DATE) -> INTERVAL_DAY_TIME")
    static long dateMinusDate(CallContext context, int a, int b) {
        return ((long) a - b) * TimeField.SECONDS_PER_DAY * context.resultType().unitsPerSecond();
    }

    @ScalarFunction(name = "+", signature = "(TIME, INTERVAL_DAY_TIME) -> $0; (INTERVAL_DAY_TIME, TIME) -> $1")
    static long timePlus(CallContext context, long a, long b) {
        long unitsPerDay = TimeField.SECONDS_PER_DAY * context.resultType().unitsPerSecond();
        return Math.floorMod(Math.floorMod(a, unitsPerDay) + Math.floorMod(b, unitsPerDay), unitsPerDay);
    }

    @ScalarFunction(name = "-", signature = "(TIME, INTERVAL_DAY_TIME) -> $0")
    static long timeMinus(CallContext context, long time, long interval) {
        long unitsPerDay = TimeField.SECONDS_PER_DAY * context.resultType().unitsPerSecond();
        return Math.floorMod(time - Math.floorMod(interval, unitsPerDay), unitsPerDay);
    }

    @ScalarFunction(name = "+", signature = "(INTERVAL_YEAR_MONTH, INTERVAL_YEAR_MONTH) -> $0")
    static int monthsPlusMonths(int a, int b) {
        return Math.addExact(a, b);
    }

    @ScalarFunction(name = "-", signature = "(INTERVAL_YEAR_MONTH, INTERVAL_YEAR_MONTH) -> $0")
    static int monthsMinusMonths(int a, int b) {
        return Math.subtractExact(a, b);
    }

    @ScalarFunction(name = "-", signature = "(INTERVAL_YEAR_MONTH) -> $0")
    static int negate(int months) {
        return Math.negateExact(months);
    }

    @ScalarFunction(name = "-", signature = "(INTERVAL_DAY_TIME) -> $0")
    static long negate(long units) {
        return Math.negateExact(units);
    }

    @ScalarFunction(name = "*", signature = "(INTERVAL_YEAR_MONTH, BIGINT) -> $0")
    static int times(int months, long factor) {
        return Math.toIntExact(Math.multiplyExact((long) months, factor));
    }

    @ScalarFunction(name = "*", signature = "(INTERVAL_DAY_TIME, BIGINT) -> $0")
    static long times(long units, long factor) {
        return Math.multiplyExact(units, factor);
    }

    @ScalarFunction(name = "*", signature = "(INTERVAL_YEAR_MONTH, DOUBLE) -> $0")
    static int times(int months, double factor) {
        return Math.toIntExact(truncated(months * factor));
    }

    @ScalarFunction(name = "*", signature = "(INTERVAL_DAY_TIME, DOUBLE) -> $0")
    static long times(long units, double factor) {
        return truncated(units * factor);
    }

    @ScalarFunction(name = "/", signature = "(INTERVAL_YEAR_MONTH, DOUBLE) -> $0")
    static int dividedBy(int months, double divisor) {
        return Math.toIntExact(truncated(months / nonZero(divisor)));
    }

    @ScalarFunction(name = "/", signature = "(INTERVAL_DAY_TIME, DOUBLE) -> $0")
    static long dividedBy(long units, double divisor) {
        return truncated(units / nonZero(divisor));
    }

    @ScalarFunction(name = "/", signature = "(INTERVAL_YEAR_MONTH, BIGINT) -> $0")
    static int dividedBy(int months, long divisor) {
        if (divisor == 0) {
            throw FunctionException.divisionByZero();
        }
        return Math.toIntExact(months / divisor);
    }

    @ScalarFunction(name = "/", signature = "(INTERVAL_DAY_TIME, BIGINT) -> $0")
    static long dividedBy(long units, long divisor) {
        if (divisor == 0) {
            throw FunctionException.divisionByZero();
        }
        return Math.divideExact(units, divisor);
    }

    private static double nonZero(double divisor) {
        if (divisor == 0) {
            throw FunctionException.divisionByZero();
        }
        return divisor;
    }

    private static long truncated(double units) {
        if (!(units >= -0x1p63 && units < 0x1p63)) {
            throw FunctionException.overflow(units, "INTERVAL");
        }
        return (long) units;
    }
}
