package dev.chert.function.time;

import java.time.LocalDate;

/// The proleptic Gregorian calendar on days since 1970-01-01.
///
/// Source of the conversions: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in
/// March, so that the leap day is their last.
public final class Calendar {
    private static final int DAYS_PER_ERA = 146_097;
    private static final int DAYS_FROM_YEAR_0_TO_1970 = 719_468;

    private Calendar() {}

    /// Year, month and day in one number: `(year << 9) + (month << 5) + day`.
    public static long split(long days) {
        long z = days + DAYS_FROM_YEAR_0_TO_1970;
        long era = Math.floorDiv(z, DAYS_PER_ERA);
        int dayOfEra = (int) (z - era * DAYS_PER_ERA);
        int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int shifted = (5 * dayOfYear + 2) / 153;
        int day = dayOfYear - (153 * shifted + 2) / 5 + 1;
        int month = shifted < 10 ? shifted + 3 : shifted - 9;
        long year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
        return (year << 9) + (month << 5) + day;
    }

    public static long yearOf(long split) {
        return split >> 9;
    }

    public static int monthOf(long split) {
        return (int) (split >> 5) & 15;
    }

    public static int dayOf(long split) {
        return (int) split & 31;
    }

    /// Days since 1970-01-01 of a date.
    public static long days(long year, int month, int day) {
        long y = month <= 2 ? year - 1 : year;
        long era = Math.floorDiv(y, 400);
        int yearOfEra = (int) (y - era * 400);
        int dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
        int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
        return era * DAYS_PER_ERA + dayOfEra - DAYS_FROM_YEAR_0_TO_1970;
    }

    /// The same day so many months later, or the last of that month where it has no such day.
    public static long plusMonths(long days, long months) {
        long split = split(days);
        long month = Math.addExact(Math.multiplyExact(yearOf(split), 12L), Math.addExact(monthOf(split) - 1L, months));
        long year = Math.floorDiv(month, 12);
        int monthOfYear = (int) (month - year * 12) + 1;
        return days(year, monthOfYear, Math.min(dayOf(split), lengthOfMonth(year, monthOfYear)));
    }

    /// The most months that, added to the first day, do not go beyond the last.
    ///
    /// @param last not before `first`, or by one day
    static long monthsBetween(long first, long last) {
        if (last < first) {
            return 0;
        }
        long from = split(first);
        long to = split(last);
        long months = (yearOf(to) - yearOf(from)) * 12 + monthOf(to) - monthOf(from);
        return plusMonths(first, months) > last ? months - 1 : months;
    }

    public static int lengthOfMonth(long year, int month) {
        return switch (month) {
            case 2 -> isLeap(year) ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }

    private static boolean isLeap(long year) {
        return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    /// 1 is Monday, 7 is Sunday.
    public static int isoDayOfWeek(long days) {
        return (int) Math.floorMod(days + 3, 7L) + 1;
    }

    /// The Monday of the ISO week.
    public static long monday(long days) {
        return days - (isoDayOfWeek(days) - 1);
    }

    /// The ISO week-based year: that of the week's Thursday.
    public static long isoYear(long days) {
        return yearOf(split(monday(days) + 3));
    }

    public static int isoWeek(long days) {
        long thursday = monday(days) + 3;
        long year = yearOf(split(thursday));
        return (int) ((thursday - days(year, 1, 1)) / 7) + 1;
    }

    public static int dayOfYear(long days) {
        return (int) (days - days(yearOf(split(days)), 1, 1)) + 1;
    }

    /// As text, `2024-02-29`.
    public static String text(long days) {
        return LocalDate.ofEpochDay(days).toString();
    }
}
