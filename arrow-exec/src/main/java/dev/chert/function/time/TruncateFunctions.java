package dev.chert.function.time;

import dev.chert.function.CallContext;
import dev.chert.function.ScalarFunction;

/// FLOOR and CEIL of dates and timestamps to a field; date_trunc is the first with its arguments exchanged.
final class TruncateFunctions {
    private TruncateFunctions() {}

    @ScalarFunction(
            name = "date_trunc",
            signature = "(VARCHAR, DATE) -> DATE",
            description = "The beginning of the year, month, hour, ... in which a date or timestamp lies.",
            example = "date_trunc('month', date '2024-02-29')",
            result = "2024-02-01")
    static int floor(TimeField field, int days) {
        return Math.toIntExact(field.firstDay(days));
    }

    @ScalarFunction(name = "date_trunc", signature = "(VARCHAR, TIMESTAMP) -> $1; (VARCHAR, TIME) -> $1")
    static long floor(CallContext context, TimeField field, long units) {
        return floor(field, units, context.argumentType(1).unitsPerSecond());
    }

    @ScalarFunction(name = "date_trunc", signature = "(VARCHAR, TIMESTAMP_LTZ) -> $1")
    static long floorInstant(CallContext context, TimeField field, long units) {
        long unitsPerSecond = context.argumentType(1).unitsPerSecond();
        Zones zones = Zones.of(context);
        return zones.toInstant(floor(field, zones.toLocal(units, unitsPerSecond), unitsPerSecond), unitsPerSecond);
    }

    private static long floor(TimeField field, long units, long unitsPerSecond) {
        if (field.isOfDay()) {
            long length = field.units(unitsPerSecond);
            return Math.floorDiv(units, length) * length;
        }
        long unitsPerDay = TimeField.SECONDS_PER_DAY * unitsPerSecond;
        return field.firstDay(Math.floorDiv(units, unitsPerDay)) * unitsPerDay;
    }

    @ScalarFunction(
            name = "date_ceil",
            signature = "(VARCHAR, DATE) -> DATE",
            description = "The first beginning of a year, month, hour, ... that is not before a date or timestamp.",
            example = "date_ceil('month', date '2024-02-29')",
            result = "2024-03-01")
    static int ceil(TimeField field, int days) {
        return Math.toIntExact(field.firstDay(days) == days ? days : field.nextFirstDay(days));
    }

    @ScalarFunction(name = "date_ceil", signature = "(VARCHAR, TIMESTAMP) -> $1; (VARCHAR, TIME) -> $1")
    static long ceil(CallContext context, TimeField field, long units) {
        long unitsPerSecond = context.argumentType(1).unitsPerSecond();
        long floor = floor(field, units, unitsPerSecond);
        if (floor == units) {
            return units;
        }
        if (field.isOfDay()) {
            return floor + field.units(unitsPerSecond);
        }
        long unitsPerDay = TimeField.SECONDS_PER_DAY * unitsPerSecond;
        return field.nextFirstDay(Math.floorDiv(units, unitsPerDay)) * unitsPerDay;
    }

    @ScalarFunction(
            name = "last_day",
            signature = "(DATE) -> DATE",
            description = "The last day of the month.",
            example = "last_day(date '2024-02-01')",
            result = "2024-02-29")
    static int lastDay(int days) {
        return Math.toIntExact(TimeField.MONTH.nextFirstDay(days) - 1);
    }

    @ScalarFunction(name = "last_day", signature = "(TIMESTAMP) -> DATE")
    static int lastDay(CallContext context, long units) {
        long unitsPerDay = TimeField.SECONDS_PER_DAY * context.argumentType(0).unitsPerSecond();
        return lastDay(Math.toIntExact(Math.floorDiv(units, unitsPerDay)));
    }
}
