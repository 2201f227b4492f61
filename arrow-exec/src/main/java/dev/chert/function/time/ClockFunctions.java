package dev.chert.function.time;

import dev.chert.batch.ScalarType;
import dev.chert.function.CallContext;
import dev.chert.function.ScalarFunction;
import java.time.Instant;
import java.time.LocalDateTime;

/// The time at which the query began: the same in all its rows.
final class ClockFunctions {
    private ClockFunctions() {}

    @ScalarFunction(
            name = "current_date",
            signature = "() -> DATE",
            description = "The date at which the query began, in the session's time zone.",
            example = "current_date",
            result = "2024-02-29")
    static int currentDate(CallContext context) {
        return Math.toIntExact(local(context).toLocalDate().toEpochDay());
    }

    @ScalarFunction(
            name = "current_timestamp",
            aliases = "now",
            signature = "() -> TIMESTAMP_LTZ",
            description = "The instant at which the query began.",
            example = "current_timestamp",
            result = "2024-02-29 13:34:56.789000+01:00")
    static long currentTimestamp(CallContext context) {
        Instant start = context.query().startTime();
        ScalarType type = context.resultType();
        return Math.addExact(
                Math.multiplyExact(start.getEpochSecond(), type.unitsPerSecond()),
                start.getNano() / (1_000_000_000 / type.unitsPerSecond()));
    }

    @ScalarFunction(
            name = "localtimestamp",
            signature = "() -> TIMESTAMP",
            description = "The date and time at which the query began, in the session's time zone.",
            example = "localtimestamp",
            result = "2024-02-29 13:34:56.789000")
    static long localTimestamp(CallContext context) {
        LocalDateTime local = local(context);
        long unitsPerSecond = context.resultType().unitsPerSecond();
        long seconds = local.toLocalDate().toEpochDay() * TimeField.SECONDS_PER_DAY
                + local.toLocalTime().toSecondOfDay();
        return Math.addExact(
                Math.multiplyExact(seconds, unitsPerSecond), local.getNano() / (1_000_000_000 / unitsPerSecond));
    }

    @ScalarFunction(
            name = "localtime",
            aliases = "current_time",
            signature = "() -> TIME",
            description = "The time of day at which the query began, in the session's time zone.",
            example = "localtime",
            result = "13:34:56.789000")
    static long localTime(CallContext context) {
        long unitsPerSecond = context.resultType().unitsPerSecond();
        return local(context).toLocalTime().toNanoOfDay() / (1_000_000_000 / unitsPerSecond);
    }

    private static LocalDateTime local(CallContext context) {
        return LocalDateTime.ofInstant(
                context.query().startTime(), context.query().zone());
    }
}
