package dev.chert.function.time;

import dev.chert.batch.StringView;
import dev.chert.function.FunctionException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// A field of dates, times and intervals, by the name that EXTRACT, FLOOR and date_trunc know it.
public enum TimeField {
    MILLENNIUM,
    CENTURY,
    DECADE,
    YEAR,
    ISOYEAR,
    QUARTER,
    MONTH,
    WEEK,
    DAY,
    /// Sunday is 1.
    DOW,
    /// Monday is 1.
    ISODOW,
    DOY,
    HOUR,
    MINUTE,
    SECOND,
    /// With the whole seconds of the minute.
    MILLISECOND,
    MICROSECOND,
    NANOSECOND,
    /// Whole seconds since 1970-01-01.
    EPOCH;

    static final long SECONDS_PER_DAY = 86_400;

    /// The field with a name, in any case.
    public static TimeField of(StringView name) {
        String text = name.toString().toUpperCase(Locale.ROOT);
        return switch (text) {
            case "DAYOFWEEK" -> DOW;
            case "DAYOFYEAR" -> DOY;
            case "YEARS",
                    "QUARTERS",
                    "MONTHS",
                    "WEEKS",
                    "DAYS",
                    "HOURS",
                    "MINUTES",
                    "SECONDS",
                    "MILLISECONDS",
                    "MICROSECONDS",
                    "NANOSECONDS" -> valueOf(text.substring(0, text.length() - 1));
            default -> {
                for (TimeField field : values()) {
                    if (field.name().equals(text)) {
                        yield field;
                    }
                }
                throw FunctionException.invalid(
                        "'%s' is no field of a date or time; there are %s",
                        name, Arrays.stream(values()).map(Enum::name).collect(Collectors.joining(", ")));
            }
        };
    }

    boolean isOfDay() {
        return switch (this) {
            case HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND, NANOSECOND -> true;
            case MILLENNIUM, CENTURY, DECADE, YEAR, ISOYEAR, QUARTER, MONTH, WEEK, DAY, DOW, ISODOW, DOY, EPOCH ->
                false;
        };
    }

    /// The field of a date; of those of the day, 0.
    long ofDate(long days) {
        return switch (this) {
            case MILLENNIUM -> {
                long year = Calendar.yearOf(Calendar.split(days));
                yield year > 0 ? (year + 999) / 1000 : -((999 - (year - 1)) / 1000);
            }
            case CENTURY -> {
                long year = Calendar.yearOf(Calendar.split(days));
                yield year > 0 ? (year + 99) / 100 : -((99 - (year - 1)) / 100);
            }
            case DECADE -> Math.floorDiv(Calendar.yearOf(Calendar.split(days)), 10L);
            case YEAR -> Calendar.yearOf(Calendar.split(days));
            case ISOYEAR -> Calendar.isoYear(days);
            case QUARTER -> (Calendar.monthOf(Calendar.split(days)) + 2) / 3;
            case MONTH -> Calendar.monthOf(Calendar.split(days));
            case WEEK -> Calendar.isoWeek(days);
            case DAY -> Calendar.dayOf(Calendar.split(days));
            case DOW -> Calendar.isoDayOfWeek(days) % 7 + 1;
            case ISODOW -> Calendar.isoDayOfWeek(days);
            case DOY -> Calendar.dayOfYear(days);
            case EPOCH -> days * SECONDS_PER_DAY;
            case HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND, NANOSECOND -> 0;
        };
    }

    /// The field of a time of day or of the part of an interval below a day.
    ///
    /// @param units units since midnight
    long ofTime(long units, long unitsPerSecond) {
        return switch (this) {
            case HOUR -> units / (3600 * unitsPerSecond);
            case MINUTE -> units / (60 * unitsPerSecond) % 60;
            case SECOND -> units / unitsPerSecond % 60;
            case MILLISECOND -> scaled(units % (60 * unitsPerSecond), 1_000, unitsPerSecond);
            case MICROSECOND -> scaled(units % (60 * unitsPerSecond), 1_000_000, unitsPerSecond);
            case NANOSECOND -> scaled(units % (60 * unitsPerSecond), 1_000_000_000, unitsPerSecond);
            case EPOCH -> units / unitsPerSecond;
            case MILLENNIUM, CENTURY, DECADE, YEAR, ISOYEAR, QUARTER, MONTH, WEEK, DAY, DOW, ISODOW, DOY ->
                throw FunctionException.invalid("a TIME has no field %s", this);
        };
    }

    private static long scaled(long units, long perSecond, long unitsPerSecond) {
        return perSecond >= unitsPerSecond
                ? units * (perSecond / unitsPerSecond)
                : units / (unitsPerSecond / perSecond);
    }

    /// The first day of the field's period in which a day lies; of fields of the day, the day itself.
    long firstDay(long days) {
        long split = Calendar.split(days);
        long year = Calendar.yearOf(split);
        return switch (this) {
            case MILLENNIUM -> Calendar.days(Math.floorDiv(year - 1, 1000L) * 1000 + 1, 1, 1);
            case CENTURY -> Calendar.days(Math.floorDiv(year - 1, 100L) * 100 + 1, 1, 1);
            case DECADE -> Calendar.days(Math.floorDiv(year, 10L) * 10, 1, 1);
            case YEAR -> Calendar.days(year, 1, 1);
            case ISOYEAR -> Calendar.monday(Calendar.days(Calendar.isoYear(days), 1, 4));
            case QUARTER -> Calendar.days(year, (Calendar.monthOf(split) - 1) / 3 * 3 + 1, 1);
            case MONTH -> Calendar.days(year, Calendar.monthOf(split), 1);
            case WEEK -> Calendar.monday(days);
            case DAY, HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND, NANOSECOND -> days;
            case DOW, ISODOW, DOY, EPOCH -> throw FunctionException.invalid("nothing can be cut off at %s", this);
        };
    }

    /// The first day after the field's period in which a day lies.
    long nextFirstDay(long days) {
        long first = firstDay(days);
        return switch (this) {
            case MILLENNIUM -> Calendar.plusMonths(first, 12_000);
            case CENTURY -> Calendar.plusMonths(first, 1_200);
            case DECADE -> Calendar.plusMonths(first, 120);
            case YEAR -> Calendar.plusMonths(first, 12);
            case ISOYEAR -> Calendar.monday(Calendar.days(Calendar.isoYear(days) + 1, 1, 4));
            case QUARTER -> Calendar.plusMonths(first, 3);
            case MONTH -> Calendar.plusMonths(first, 1);
            case WEEK -> first + 7;
            case DAY, HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND, NANOSECOND -> first + 1;
            case DOW, ISODOW, DOY, EPOCH -> throw FunctionException.invalid("nothing can be cut off at %s", this);
        };
    }

    /// Units of the field's length; of the fields below a day only, at least one unit.
    long units(long unitsPerSecond) {
        return switch (this) {
            case HOUR -> 3600 * unitsPerSecond;
            case MINUTE -> 60 * unitsPerSecond;
            case SECOND -> unitsPerSecond;
            case MILLISECOND -> Math.max(1, unitsPerSecond / 1_000);
            case MICROSECOND -> Math.max(1, unitsPerSecond / 1_000_000);
            case NANOSECOND -> 1;
            case MILLENNIUM, CENTURY, DECADE, YEAR, ISOYEAR, QUARTER, MONTH, WEEK, DAY, DOW, ISODOW, DOY, EPOCH ->
                SECONDS_PER_DAY * unitsPerSecond;
        };
    }
}
