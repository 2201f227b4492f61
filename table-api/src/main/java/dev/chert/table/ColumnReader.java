package dev.chert.table;

import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.batch.ScalarType;
import dev.chert.batch.StringView;
import dev.chert.error.TableException;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.UUID;

/// Turns one column of a result into Java values, batch by batch. Not thread-safe.
///
/// What a type's values become is chosen once. The values of a dictionary are made once, and shared by the rows
/// of all batches that have it.
final class ColumnReader {
    private static final long NANOS_A_SECOND = 1_000_000_000L;
    private static final int MONTHS_A_YEAR = 12;
    /// The values of a dictionary with more values than this for each row that is read are not kept.
    private static final int MOST_VALUES_A_ROW = 2;

    private final Values values;
    private Column dictionary;
    private Object[] dictionaryValues = {};

    /// Makes the Java value of a row that is not NULL of a flat column.
    private interface Values {
        Object at(Column flat, int row);
    }

    private ColumnReader(Values values) {
        this.values = values;
    }

    /// @throws TableException where the type has no Java value yet
    static ColumnReader of(DataType type) {
        if (!(type instanceof ScalarType scalar)) {
            throw notReadable(type);
        }
        return new ColumnReader(
                switch (scalar.kind()) {
                    case BOOLEAN -> (c, row) -> Bitmap.get(c.values(), row);
                    case TINYINT -> (c, row) -> c.values().get(Layouts.BYTE, row);
                    case SMALLINT -> (c, row) -> c.values().getAtIndex(Layouts.SHORT, row);
                    case INTEGER -> (c, row) -> c.values().getAtIndex(Layouts.INT, row);
                    case BIGINT -> (c, row) -> c.values().getAtIndex(Layouts.LONG, row);
                    case REAL -> (c, row) -> c.values().getAtIndex(Layouts.FLOAT, row);
                    case DOUBLE -> (c, row) -> c.values().getAtIndex(Layouts.DOUBLE, row);
                    case DECIMAL -> (c, row) -> decimal(c, row, scalar.scale());
                    case DATE -> (c, row) -> LocalDate.ofEpochDay(c.values().getAtIndex(Layouts.INT, row));
                    case TIME -> (c, row) -> LocalTime.ofNanoOfDay(units(c, row) * nanosAUnit(scalar));
                    case TIMESTAMP ->
                        (c, row) -> LocalDateTime.ofEpochSecond(
                                seconds(units(c, row), scalar), nanos(units(c, row), scalar), ZoneOffset.UTC);
                    case TIMESTAMP_LTZ ->
                        (c, row) -> Instant.ofEpochSecond(seconds(units(c, row), scalar), nanos(units(c, row), scalar));
                    case INTERVAL_YEAR_MONTH -> (c, row) -> period(c.values().getAtIndex(Layouts.INT, row));
                    case INTERVAL_DAY_TIME ->
                        (c, row) -> Duration.ofSeconds(seconds(units(c, row), scalar), nanos(units(c, row), scalar));
                    case CHAR, VARCHAR -> {
                        StringView string = new StringView();
                        yield (c, row) -> string.at(c, row).toString();
                    }
                    case VARBINARY -> {
                        StringView string = new StringView();
                        yield (c, row) -> string.at(c, row).toBytes();
                    }
                    case UUID -> (c, row) -> uuid(c.values(), 16L * row);
                    case NULL -> (_, _) -> null;
                    case OPAQUE, ARRAY, MAP, ROW -> throw notReadable(type);
                });
    }

    private static TableException notReadable(DataType type) {
        return new TableException("a result with a column of type " + type
                + " cannot be read as rows yet; select its parts, or read batches or Arrow");
    }

    /// Writes the values of the selected rows into column `to` of `rows`.
    ///
    /// @param selection `count` row numbers, or null for the first `count` rows
    void read(Column column, int[] selection, int count, Object[][] rows, int to) {
        boolean nulls = column.hasNulls();
        switch (column.form()) {
            case FLAT -> {
                for (int i = 0; i < count; i++) {
                    int row = selection == null ? i : selection[i];
                    rows[i][to] = nulls && column.isNull(row) ? null : values.at(column, row);
                }
            }
            case CONSTANT -> {
                Object value = nulls && column.isNull(0) ? null : values.at(column, 0);
                for (int i = 0; i < count; i++) {
                    rows[i][to] = value;
                }
            }
            case DICTIONARY -> {
                lookAt(column.dictionary(), count);
                for (int i = 0; i < count; i++) {
                    int row = selection == null ? i : selection[i];
                    rows[i][to] = nulls && column.isNull(row) ? null : valueOf(column.valueRow(row));
                }
            }
        }
    }

    /// @param count rows that will be read now
    private void lookAt(Column next, int count) {
        if (next != dictionary) {
            dictionary = next;
            boolean pays = next.rowCount() <= (long) count * MOST_VALUES_A_ROW;
            dictionaryValues = new Object[pays ? next.rowCount() : 0];
        }
    }

    /// A dictionary's value, made when it is first met.
    private Object valueOf(int code) {
        if (dictionaryValues.length == 0) {
            return values.at(dictionary, code);
        }
        Object value = dictionaryValues[code];
        if (value == null) {
            value = values.at(dictionary, code);
            dictionaryValues[code] = value;
        }
        return value instanceof byte[] bytes ? bytes.clone() : value;
    }

    private static BigDecimal decimal(Column column, int row, int scale) {
        if (column.physical() == Physical.INT64) {
            return BigDecimal.valueOf(column.values().getAtIndex(Layouts.LONG, row), scale);
        }
        long low = column.values().get(Layouts.LONG, 16L * row);
        long high = column.values().get(Layouts.LONG, 16L * row + 8);
        if (high == low >> 63) {
            return BigDecimal.valueOf(low, scale);
        }
        BigInteger unscaled = BigInteger.valueOf(high)
                .shiftLeft(Long.SIZE)
                .add(BigInteger.valueOf(low >>> 1).shiftLeft(1))
                .add(BigInteger.valueOf(low & 1));
        return new BigDecimal(unscaled, scale);
    }

    private static long units(Column column, int row) {
        return column.values().getAtIndex(Layouts.LONG, row);
    }

    private static long nanosAUnit(ScalarType type) {
        return NANOS_A_SECOND / type.unitsPerSecond();
    }

    private static long seconds(long units, ScalarType type) {
        return Math.floorDiv(units, type.unitsPerSecond());
    }

    private static int nanos(long units, ScalarType type) {
        return (int) (Math.floorMod(units, type.unitsPerSecond()) * nanosAUnit(type));
    }

    private static Period period(int months) {
        return Period.of(months / MONTHS_A_YEAR, months % MONTHS_A_YEAR, 0);
    }

    private static UUID uuid(MemorySegment values, long at) {
        return new UUID(
                Long.reverseBytes(values.get(Layouts.LONG, at)), Long.reverseBytes(values.get(Layouts.LONG, at + 8)));
    }
}
