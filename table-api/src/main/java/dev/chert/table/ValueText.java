package dev.chert.table;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Map;
import java.util.StringJoiner;

/// The text of values of a result, as the command line and SQL tests print it.
///
/// Numbers keep their scale; `DOUBLE` and `REAL` print the shortest digits that read back as the same value, without an
/// exponent from 1E-4 up to 1E15; dates and times are ISO 8601 with a blank between them and no more fraction digits
/// than needed; bytes are hexadecimal after `\x`.
public final class ValueText {
    private static final double LEAST_PLAIN = 1e-4;
    private static final double LEAST_WITH_EXPONENT = 1e15;

    private ValueText() {}

    /// Returns the text of a value.
    /// @param value not null: what stands for NULL is the caller's choice
    public static String of(Object value) {
        return switch (value) {
            case String text -> text;
            case BigDecimal decimal -> decimal.toPlainString();
            case Double number -> ofDouble(number);
            case Float number -> ofFloat(number);
            case LocalTime time -> ofTime(time);
            case LocalDateTime timestamp -> timestamp.toLocalDate() + " " + ofTime(timestamp.toLocalTime());
            case OffsetDateTime timestamp -> of(timestamp.toLocalDateTime()) + offset(timestamp.getOffset());
            case Instant instant -> of(instant.atOffset(ZoneOffset.UTC));
            case Period months -> ofMonths(months.toTotalMonths());
            case Duration duration -> ofDuration(duration);
            case byte[] bytes -> "\\x" + HexFormat.of().formatHex(bytes);
            case Iterable<?> items -> ofItems(items);
            case Map<?, ?> entries -> ofEntries(entries);
            default -> value.toString();
        };
    }

    private static String ofDouble(double number) {
        double size = Math.abs(number);
        return size >= LEAST_PLAIN && size < LEAST_WITH_EXPONENT
                ? withPoint(new BigDecimal(Double.toString(number)))
                : Double.toString(number);
    }

    private static String ofFloat(float number) {
        double size = Math.abs(number);
        return size >= LEAST_PLAIN && size < LEAST_WITH_EXPONENT
                ? withPoint(new BigDecimal(Float.toString(number)))
                : Float.toString(number);
    }

    /// Writes a number without exponent and with at least one digit after the point, so that it reads as no integer.
    private static String withPoint(BigDecimal number) {
        BigDecimal digits = number.stripTrailingZeros();
        return (digits.scale() < 1 ? digits.setScale(1) : digits).toPlainString();
    }

    private static String ofTime(LocalTime time) {
        String text = "%02d:%02d:%02d".formatted(time.getHour(), time.getMinute(), time.getSecond());
        return text + fraction(time.getNano());
    }

    private static String fraction(int nanos) {
        return nanos == 0 ? "" : ".%09d".formatted(nanos).replaceAll("0+$", "");
    }

    private static String offset(ZoneOffset offset) {
        return offset.equals(ZoneOffset.UTC) ? "+00:00" : offset.getId();
    }

    private static String ofMonths(long months) {
        return "%s%d-%d".formatted(months < 0 ? "-" : "", Math.abs(months) / 12, Math.abs(months) % 12);
    }

    private static String ofDuration(Duration duration) {
        Duration size = duration.abs();
        return "%s%d %02d:%02d:%02d%s"
                .formatted(
                        duration.isNegative() ? "-" : "",
                        size.toDaysPart(),
                        size.toHoursPart(),
                        size.toMinutesPart(),
                        size.toSecondsPart(),
                        fraction(size.toNanosPart()));
    }

    private static String ofItems(Iterable<?> items) {
        StringJoiner text = new StringJoiner(", ", "[", "]");
        items.forEach(item -> text.add(orNull(item)));
        return text.toString();
    }

    private static String ofEntries(Map<?, ?> entries) {
        StringJoiner text = new StringJoiner(", ", "{", "}");
        entries.forEach((key, value) -> text.add(orNull(key) + "=" + orNull(value)));
        return text.toString();
    }

    private static String orNull(Object item) {
        return item == null ? "NULL" : of(item);
    }
}
