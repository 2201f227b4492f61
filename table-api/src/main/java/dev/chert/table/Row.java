package dev.chert.table;

import dev.chert.error.ValidationException;
import dev.chert.query.NearestName;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;

/// A row of Java values.
///
/// | SQL | Java |
/// |---|---|
/// | BOOLEAN | [Boolean] |
/// | TINYINT, SMALLINT, INTEGER, BIGINT | [Byte], [Short], [Integer], [Long] |
/// | REAL, DOUBLE | [Float], [Double] |
/// | DECIMAL | [java.math.BigDecimal] of the type's scale |
/// | DATE, TIME, TIMESTAMP | [java.time.LocalDate], [java.time.LocalTime], [java.time.LocalDateTime] |
/// | TIMESTAMP_LTZ | [java.time.Instant] |
/// | INTERVAL YEAR TO MONTH, DAY TO SECOND | [java.time.Period] of years and months, [java.time.Duration] |
/// | CHAR, VARCHAR | [String] |
/// | VARBINARY | `byte[]` |
/// | UUID | [java.util.UUID] |
/// | NULL | `null` |
///
/// Two rows are equal where their values are, byte arrays by their bytes; names do not count.
public final class Row {
    private final Object[] values;
    private final List<String> names;

    /// @param values given
    Row(Object[] values, List<String> names) {
        this.values = values;
        this.names = names;
    }

    /// Makes a row of values whose columns have no names.
    public static Row of(Object... values) {
        return new Row(values.clone(), List.of());
    }

    /// How many values it has.
    public int size() {
        return values.length;
    }

    /// The value of a column by its number, from 0; null for NULL.
    public Object get(int column) {
        if (column < 0 || column >= values.length) {
            throw new ValidationException(
                    "the row has no column " + column + ": it has " + values.length + ", numbered from 0");
        }
        return values[column];
    }

    /// The value of a column by its name, exact case before ignoring case; null for NULL.
    ///
    /// @throws ValidationException where no column, or more than one, has the name
    public Object get(String name) {
        return values[indexOf(name)];
    }

    /// The value of a column as a type that it has.
    ///
    /// @throws ValidationException where the value is of another type, naming it
    public <T> T get(int column, Class<T> type) {
        Object value = get(column);
        if (value != null && !type.isInstance(value)) {
            throw new ValidationException("column " + column
                    + (names.isEmpty() ? "" : " ('" + names.get(column) + "')")
                    + " holds a " + value.getClass().getSimpleName() + ", not a " + type.getSimpleName());
        }
        return type.cast(value);
    }

    /// The value of a column as a type that it has; else as [#get(int, Class)].
    public <T> T get(String name, Class<T> type) {
        return get(indexOf(name), type);
    }

    /// True where the column is NULL.
    public boolean isNull(int column) {
        return get(column) == null;
    }

    /// The text of a CHAR or VARCHAR column; null for NULL.
    public String getString(int column) {
        return get(column, String.class);
    }

    /// The value of a numeric column without a fraction.
    ///
    /// @throws ValidationException where it is NULL or no integer
    public long getLong(int column) {
        return switch (get(column)) {
            case Long value -> value;
            case Integer value -> value;
            case Short value -> value;
            case Byte value -> value;
            case null -> throw new ValidationException("column " + column + " is NULL, which a long cannot be");
            case Object other ->
                throw new ValidationException(
                        "column " + column + " holds a " + other.getClass().getSimpleName() + ", not an integer");
        };
    }

    /// The value of a numeric column, rounded where a double does not hold it.
    ///
    /// @throws ValidationException where it is NULL or no number
    public double getDouble(int column) {
        return switch (get(column)) {
            case Number value -> value.doubleValue();
            case null -> throw new ValidationException("column " + column + " is NULL, which a double cannot be");
            case Object other ->
                throw new ValidationException(
                        "column " + column + " holds a " + other.getClass().getSimpleName() + ", not a number");
        };
    }

    /// The value of a BOOLEAN column.
    ///
    /// @throws ValidationException where it is NULL or no boolean
    public boolean getBoolean(int column) {
        Boolean value = get(column, Boolean.class);
        if (value == null) {
            throw new ValidationException("column " + column + " is NULL, which a boolean cannot be");
        }
        return value;
    }

    /// The names of the columns; empty where they have none.
    public List<String> names() {
        return names;
    }

    /// The values as an unmodifiable list, which may hold nulls.
    public List<Object> toList() {
        return Collections.unmodifiableList(Arrays.asList(values));
    }

    private int indexOf(String name) {
        int exact = onlyIndex(name, false);
        int found = exact >= 0 ? exact : onlyIndex(name, true);
        if (found < 0) {
            throw new ValidationException(
                    names.isEmpty()
                            ? "the columns of this row have no names; ask for '" + name + "' by its number"
                            : "the row has no column '" + name + "'; did you mean '" + NearestName.of(name, names)
                                    + "'?");
        }
        return found;
    }

    private int onlyIndex(String name, boolean ignoreCase) {
        int found = -1;
        for (int i = 0; i < names.size(); i++) {
            if (ignoreCase ? names.get(i).equalsIgnoreCase(name) : names.get(i).equals(name)) {
                if (found >= 0) {
                    throw new ValidationException("the row has more than one column '" + name + "', " + found + " and "
                            + i + "; ask by the number, or name the columns apart with AS");
                }
                found = i;
            }
        }
        return found;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Row row && Arrays.deepEquals(values, row.values);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(values);
    }

    /// The values as the command line prints them, between brackets.
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", "[", "]");
        for (Object value : values) {
            text.add(value == null ? "NULL" : ValueText.of(value));
        }
        return text.toString();
    }
}
