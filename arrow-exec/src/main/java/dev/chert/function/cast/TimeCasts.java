package dev.chert.function.cast;

import dev.chert.batch.ScalarType;
import dev.chert.batch.StringView;
import dev.chert.function.CallContext;
import dev.chert.function.ScalarFunction;
import dev.chert.function.StringWriter;
import dev.chert.function.time.Zones;
import java.time.LocalDate;

/// Conversions among dates, times, timestamps and intervals, and between them and strings. What a finer unit has
/// more is cut off, towards the past.
final class TimeCasts {
    private static final long SECONDS_PER_DAY = 86_400;
    private static final long MILLIS_PER_SECOND = 1_000;

    private TimeCasts() {}

    /// Brings units of one type to those of another and cuts the digits that its precision does not have.
    static long rescale(long units, ScalarType from, ScalarType to) {
        long scaled = to.unitsPerSecond() >= from.unitsPerSecond()
                ? Math.multiplyExact(units, to.unitsPerSecond() / from.unitsPerSecond())
                : Math.floorDiv(units, from.unitsPerSecond() / to.unitsPerSecond());
        long step = step(to);
        return step == 1 ? scaled : Math.floorDiv(scaled, step) * step;
    }

    /// Units of the last digit that a type shows.
    private static long step(ScalarType type) {
        int stored = Long.toString(type.unitsPerSecond()).length() - 1;
        long step = 1;
        for (int i = type.precision(); i < stored; i++) {
            step *= 10;
        }
        return step;
    }

    @ScalarFunction(
            name = "cast",
            signature = "(TIME) -> TIME; (TIMESTAMP) -> TIMESTAMP; (TIMESTAMP_LTZ) -> TIMESTAMP_LTZ;"
                    + " (INTERVAL_DAY_TIME) -> INTERVAL_DAY_TIME")
    static long rescale(CallContext context, long units) {
        return rescale(units, context.argumentType(0), context.resultType());
    }

    @ScalarFunction(name = "cast", signature = "(DATE) -> TIMESTAMP")
    static long dateToTimestamp(CallContext context, int days) {
        return Math.multiplyExact(days, SECONDS_PER_DAY * context.resultType().unitsPerSecond());
    }

    @ScalarFunction(name = "cast", signature = "(DATE) -> TIMESTAMP_LTZ")
    static long dateToInstant(CallContext context, int days) {
        return Zones.of(context)
                .toInstant(dateToTimestamp(context, days), context.resultType().unitsPerSecond());
    }

    @ScalarFunction(name = "cast", signature = "(TIMESTAMP) -> DATE")
    static int timestampToDate(CallContext context, long units) {
        return Math.toIntExact(
                Math.floorDiv(units, SECONDS_PER_DAY * context.argumentType(0).unitsPerSecond()));
    }

    @ScalarFunction(name = "cast", signature = "(TIMESTAMP_LTZ) -> DATE")
    static int instantToDate(CallContext context, long units) {
        return timestampToDate(context, local(context, units));
    }

    @ScalarFunction(name = "cast", signature = "(TIMESTAMP) -> TIME")
    static long timestampToTime(CallContext context, long units) {
        long unitsPerDay = SECONDS_PER_DAY * context.argumentType(0).unitsPerSecond();
        return rescale(Math.floorMod(units, unitsPerDay), context.argumentType(0), context.resultType());
    }

    @ScalarFunction(name = "cast", signature = "(TIMESTAMP_LTZ) -> TIME")
    static long instantToTime(CallContext context, long units) {
        return timestampToTime(context, local(context, units));
    }

    @ScalarFunction(name = "cast", signature = "(TIME) -> TIMESTAMP")
    static long timeToTimestamp(CallContext context, long units) {
        long today = LocalDate.ofInstant(
                        context.query().startTime(), context.query().zone())
                .toEpochDay();
        ScalarType type = context.resultType();
        return Math.addExact(
                today * SECONDS_PER_DAY * type.unitsPerSecond(), rescale(units, context.argumentType(0), type));
    }

    @ScalarFunction(name = "cast", signature = "(TIMESTAMP) -> TIMESTAMP_LTZ")
    static long timestampToInstant(CallContext context, long units) {
        long instant =
                Zones.of(context).toInstant(units, context.argumentType(0).unitsPerSecond());
        return rescale(instant, context.argumentType(0), context.resultType());
    }

    @ScalarFunction(name = "cast", signature = "(TIMESTAMP_LTZ) -> TIMESTAMP")
    static long instantToTimestamp(CallContext context, long units) {
        return rescale(local(context, units), context.argumentType(0), context.resultType());
    }

    private static long local(CallContext context, long units) {
        return Zones.of(context).toLocal(units, context.argumentType(0).unitsPerSecond());
    }

    @ScalarFunction(name = "cast", signature = "(INTERVAL_YEAR_MONTH) -> INTEGER")
    static int monthsToInt(int months) {
        return months;
    }

    @ScalarFunction(name = "cast", signature = "(INTERVAL_YEAR_MONTH) -> BIGINT")
    static long monthsToLong(int months) {
        return months;
    }

    /// Whole milliseconds: a planner divides by its unit's.
    @ScalarFunction(name = "cast", signature = "(INTERVAL_DAY_TIME) -> BIGINT")
    static long intervalToLong(CallContext context, long units) {
        long unitsPerSecond = context.argumentType(0).unitsPerSecond();
        return unitsPerSecond < MILLIS_PER_SECOND
                ? Math.multiplyExact(units, MILLIS_PER_SECOND / unitsPerSecond)
                : units / (unitsPerSecond / MILLIS_PER_SECOND);
    }

    @ScalarFunction(name = "cast", signature = "(INTEGER) -> INTERVAL_YEAR_MONTH")
    static int intToMonths(int months) {
        return months;
    }

    @ScalarFunction(name = "cast", signature = "(VARCHAR) -> DATE")
    static int parseDate(StringView text) {
        return Math.toIntExact(TimeText.parseDate(text));
    }

    @ScalarFunction(name = "cast", signature = "(VARCHAR) -> TIME")
    static long parseTime(CallContext context, StringView text) {
        ScalarType type = context.resultType();
        return rescale(TimeText.parseTime(text, type.unitsPerSecond()), type, type);
    }

    @ScalarFunction(name = "cast", signature = "(VARCHAR) -> TIMESTAMP")
    static long parseTimestamp(CallContext context, StringView text) {
        ScalarType type = context.resultType();
        return rescale(TimeText.parseTimestamp(text, type.unitsPerSecond()), type, type);
    }

    @ScalarFunction(name = "cast", signature = "(VARCHAR) -> TIMESTAMP_LTZ")
    static long parseInstant(CallContext context, StringView text) {
        ScalarType type = context.resultType();
        TimeText.Zoned zoned = TimeText.parseZoned(text, type.unitsPerSecond());
        long instant = zoned.hasOffset()
                ? Math.subtractExact(zoned.units(), zoned.offsetSeconds() * type.unitsPerSecond())
                : Zones.of(context).toInstant(zoned.units(), type.unitsPerSecond());
        return rescale(instant, type, type);
    }

    @ScalarFunction(name = "cast", signature = "(VARCHAR) -> INTERVAL_YEAR_MONTH")
    static int parseMonths(StringView text) {
        return Math.toIntExact(TimeText.parseMonths(text));
    }

    @ScalarFunction(name = "cast", signature = "(VARCHAR) -> INTERVAL_DAY_TIME")
    static long parseInterval(CallContext context, StringView text) {
        ScalarType type = context.resultType();
        return rescale(TimeText.parseInterval(text, type.unitsPerSecond()), type, type);
    }

    @ScalarFunction(name = "cast", signature = "(DATE) -> VARCHAR; (DATE) -> CHAR")
    static void dateToText(CallContext context, int days, StringWriter out) {
        StringBuilder text = new StringBuilder();
        TimeText.putDate(text, days);
        TextWriting.write(context, text, out);
    }

    @ScalarFunction(name = "cast", signature = "(TIME) -> VARCHAR; (TIME) -> CHAR")
    static void timeToText(CallContext context, long units, StringWriter out) {
        ScalarType type = context.argumentType(0);
        StringBuilder text = new StringBuilder();
        TimeText.putTime(text, units, type.unitsPerSecond(), type.precision());
        TextWriting.write(context, text, out);
    }

    @ScalarFunction(name = "cast", signature = "(TIMESTAMP) -> VARCHAR; (TIMESTAMP) -> CHAR")
    static void timestampToText(CallContext context, long units, StringWriter out) {
        ScalarType type = context.argumentType(0);
        StringBuilder text = new StringBuilder();
        TimeText.putTimestamp(text, units, type.unitsPerSecond(), type.precision());
        TextWriting.write(context, text, out);
    }

    @ScalarFunction(name = "cast", signature = "(TIMESTAMP_LTZ) -> VARCHAR; (TIMESTAMP_LTZ) -> CHAR")
    static void instantToText(CallContext context, long units, StringWriter out) {
        ScalarType type = context.argumentType(0);
        long local = local(context, units);
        StringBuilder text = new StringBuilder();
        TimeText.putTimestamp(text, local, type.unitsPerSecond(), type.precision());
        long offset = (local - units) / type.unitsPerSecond();
        text.append(offset < 0 ? '-' : '+');
        TimeText.padded(text, Math.abs(offset) / 3600, 2);
        text.append(':');
        TimeText.padded(text, Math.abs(offset) / 60 % 60, 2);
        TextWriting.write(context, text, out);
    }

    @ScalarFunction(name = "cast", signature = "(INTERVAL_YEAR_MONTH) -> VARCHAR; (INTERVAL_YEAR_MONTH) -> CHAR")
    static void monthsToText(CallContext context, int months, StringWriter out) {
        StringBuilder text = new StringBuilder();
        TimeText.putMonths(text, months);
        TextWriting.write(context, text, out);
    }

    @ScalarFunction(name = "cast", signature = "(INTERVAL_DAY_TIME) -> VARCHAR; (INTERVAL_DAY_TIME) -> CHAR")
    static void intervalToText(CallContext context, long units, StringWriter out) {
        ScalarType type = context.argumentType(0);
        StringBuilder text = new StringBuilder();
        TimeText.putInterval(text, units, type.unitsPerSecond(), type.precision());
        TextWriting.write(context, text, out);
    }
}
