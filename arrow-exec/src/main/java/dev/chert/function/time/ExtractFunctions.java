package dev.chert.function.time;

import dev.chert.function.CallContext;
import dev.chert.function.FunctionException;
import dev.chert.function.ScalarFunction;

/// EXTRACT.
final class ExtractFunctions {
    private ExtractFunctions() {}

    @ScalarFunction(
            name = "extract",
            aliases = "date_part",
            signature = "(VARCHAR, DATE) -> BIGINT",
            description = "A field of a date, time, timestamp or interval.",
            example = "extract(year from date '2024-02-29')",
            result = "2024")
    static long extract(TimeField field, int days) {
        return field.ofDate(days);
    }

    @ScalarFunction(name = "extract", aliases = "date_part", signature = "(VARCHAR, TIME) -> BIGINT")
    static long extractFromTime(CallContext context, TimeField field, long units) {
        return field.ofTime(units, context.argumentType(1).unitsPerSecond());
    }

    @ScalarFunction(name = "extract", aliases = "date_part", signature = "(VARCHAR, TIMESTAMP) -> BIGINT")
    static long extractFromTimestamp(CallContext context, TimeField field, long units) {
        return extract(field, units, context.argumentType(1).unitsPerSecond());
    }

    @ScalarFunction(name = "extract", aliases = "date_part", signature = "(VARCHAR, TIMESTAMP_LTZ) -> BIGINT")
    static long extractFromInstant(CallContext context, TimeField field, long units) {
        long unitsPerSecond = context.argumentType(1).unitsPerSecond();
        if (field == TimeField.EPOCH) {
            return Math.floorDiv(units, unitsPerSecond);
        }
        return extract(field, Zones.of(context).toLocal(units, unitsPerSecond), unitsPerSecond);
    }

    private static long extract(TimeField field, long units, long unitsPerSecond) {
        if (field == TimeField.EPOCH) {
            return Math.floorDiv(units, unitsPerSecond);
        }
        long unitsPerDay = TimeField.SECONDS_PER_DAY * unitsPerSecond;
        long days = Math.floorDiv(units, unitsPerDay);
        return field.isOfDay() ? field.ofTime(units - days * unitsPerDay, unitsPerSecond) : field.ofDate(days);
    }

    @ScalarFunction(name = "extract", aliases = "date_part", signature = "(VARCHAR, INTERVAL_DAY_TIME) -> BIGINT")
    static long extractFromInterval(CallContext context, TimeField field, long units) {
        long unitsPerSecond = context.argumentType(1).unitsPerSecond();
        long unitsPerDay = TimeField.SECONDS_PER_DAY * unitsPerSecond;
        return switch (field) {
            case DAY -> units / unitsPerDay;
            case EPOCH -> units / unitsPerSecond;
            case HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND, NANOSECOND ->
                field.ofTime(units % unitsPerDay, unitsPerSecond);
            case MILLENNIUM, CENTURY, DECADE, YEAR, ISOYEAR, QUARTER, MONTH, WEEK, DOW, ISODOW, DOY ->
                throw FunctionException.invalid("an INTERVAL DAY TO SECOND has no field %s", field);
        };
    }

    @ScalarFunction(name = "extract", aliases = "date_part", signature = "(VARCHAR, INTERVAL_YEAR_MONTH) -> BIGINT")
    static long extractFromMonths(TimeField field, int months) {
        return switch (field) {
            case MILLENNIUM -> months / 12_000;
            case CENTURY -> months / 1_200;
            case DECADE -> months / 120;
            case YEAR -> months / 12;
            case QUARTER -> months % 12 / 3 + 1;
            case MONTH -> months % 12;
            case DAY, HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND, NANOSECOND -> 0;
            case ISOYEAR, WEEK, DOW, ISODOW, DOY, EPOCH ->
                throw FunctionException.invalid("an INTERVAL YEAR TO MONTH has no field %s", field);
        };
    }
}
