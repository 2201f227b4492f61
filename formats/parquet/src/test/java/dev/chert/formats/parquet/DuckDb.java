package dev.chert.formats.parquet;

import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// DuckDB as a second opinion: writes test files, and reads files in the values of [Reading].
final class DuckDb implements AutoCloseable {
    private final Connection connection;

    DuckDb() throws SQLException {
        connection = DriverManager.getConnection("jdbc:duckdb:");
        execute("SET TimeZone = 'UTC'");
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /// Writes the rows of a query.
    ///
    /// @param options of COPY, such as `COMPRESSION zstd`
    void copy(String query, Path file, String options) throws SQLException {
        execute("COPY (" + query + ") TO '" + file + "' (FORMAT parquet" + (options.isEmpty() ? "" : ", " + options)
                + ")");
    }

    /// The rows of a file, as [Reading] has them for the schema that it found. Times finer than microseconds are
    /// cut.
    List<List<Object>> rows(Path file, Schema schema) throws SQLException {
        String expressions = schema.fields().stream().map(DuckDb::expression).collect(Collectors.joining(", "));
        List<List<Object>> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery("SELECT " + expressions + " FROM read_parquet('" + file + "')")) {
            while (result.next()) {
                List<Object> values = new ArrayList<>();
                for (int i = 0; i < schema.size(); i++) {
                    values.add(value(result, i + 1, (ScalarType) schema.type(i)));
                }
                rows.add(values);
            }
        }
        return rows;
    }

    private static String expression(Field field) {
        String name = "\"" + field.name().replace("\"", "\"\"") + "\"";
        return switch (((ScalarType) field.type()).kind()) {
            case BOOLEAN -> name;
            case TINYINT, SMALLINT, INTEGER, BIGINT -> "CAST(" + name + " AS BIGINT)";
            case DATE -> "CAST(" + name + " - DATE '1970-01-01' AS BIGINT)";
            case TIME, UUID, DECIMAL, VARCHAR -> "CAST(" + name + " AS VARCHAR)";
            case TIMESTAMP -> "epoch_us(" + name + ")";
            case TIMESTAMP_LTZ -> "epoch_us(CAST(" + name + " AS TIMESTAMPTZ))";
            case REAL, DOUBLE -> "CAST(" + name + " AS DOUBLE)";
            case VARBINARY -> "hex(CAST(" + name + " AS BLOB))";
            case INTERVAL_YEAR_MONTH, INTERVAL_DAY_TIME, CHAR, ARRAY, MAP, ROW, NULL, OPAQUE ->
                throw new AssertionError(field);
        };
    }

    private static Object value(ResultSet result, int column, ScalarType type) throws SQLException {
        if (result.getObject(column) == null) {
            return null;
        }
        return switch (type.kind()) {
            case BOOLEAN -> result.getBoolean(column);
            case TINYINT, SMALLINT, INTEGER, BIGINT, DATE -> result.getLong(column);
            case TIME ->
                scaled(
                        LocalTime.parse(result.getString(column).replaceAll("[+]00$", ""))
                                .toNanoOfDay(),
                        1_000_000_000L,
                        type);
            case TIMESTAMP, TIMESTAMP_LTZ -> scaled(result.getLong(column), 1_000_000L, type);
            case UUID, VARCHAR -> result.getString(column);
            case DECIMAL -> new BigDecimal(result.getString(column)).setScale(type.scale());
            case REAL, DOUBLE -> result.getDouble(column);
            case VARBINARY -> result.getString(column).toLowerCase(Locale.ROOT);
            case INTERVAL_YEAR_MONTH, INTERVAL_DAY_TIME, CHAR, ARRAY, MAP, ROW, NULL, OPAQUE ->
                throw new AssertionError(type);
        };
    }

    private static long scaled(long value, long unitsPerSecond, ScalarType type) {
        return type.unitsPerSecond() >= unitsPerSecond
                ? value * (type.unitsPerSecond() / unitsPerSecond)
                : value / (unitsPerSecond / type.unitsPerSecond());
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
