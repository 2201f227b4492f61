package dev.chert.sqltest;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.duckdb.DuckDBConnection;

/// DuckDB in memory: the second opinion on the runner and on the expected results of our own files.
final class DuckDbEngine implements Engine {
    private static final Set<String> PROVIDED = Set.of(
            "parquet",
            "json",
            "skip_reload",
            "notwindows",
            "notmingw",
            "64bit",
            "noforcestorage",
            "no_alternative_verify",
            "no_vector_verification",
            "vector_size");

    private final String nullOrder;
    private final DuckDBConnection database;

    /// Starts DuckDB as its own test files expect it.
    DuckDbEngine() {
        this("nulls_last");
    }

    private DuckDbEngine(String nullOrder) {
        this.nullOrder = nullOrder;
        try {
            Properties properties = new Properties();
            properties.setProperty(
                    "threads", "1"); // rows come in insertion order either way; this is gentler on others
            database = (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:", properties);
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB does not start", e);
        }
    }

    /// Starts DuckDB with NULLs sorted high, as Chert sorts them.
    static DuckDbEngine withNullsHigh() {
        return new DuckDbEngine("nulls_last_on_asc_first_on_desc");
    }

    /// Starts DuckDB with NULLs sorted first, which agrees with SQLite as long as nothing is sorted in descending
    /// order.
    static DuckDbEngine withNullsFirst() {
        return new DuckDbEngine("nulls_first");
    }

    @Override
    public String label() {
        return "duckdb";
    }

    @Override
    public boolean provides(String requirement) {
        return PROVIDED.contains(requirement);
    }

    @Override
    public Session connect() {
        try {
            DuckDBConnection connection = database.duplicate();
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET default_null_order = '" + nullOrder + "'");
            }
            return new DuckDbSession(connection);
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB does not connect", e);
        }
    }

    @Override
    public void close() {
        close(database);
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB does not close", e);
        }
    }

    private record DuckDbSession(DuckDBConnection connection) implements Session {
        @Override
        public Outcome execute(String sql) {
            try (Statement statement = connection.createStatement()) {
                if (!statement.execute(sql)) {
                    return new Outcome.Done(statement.getUpdateCount());
                }
                try (ResultSet rows = statement.getResultSet()) {
                    return rows(rows);
                }
            } catch (SQLException e) {
                return new Outcome.Failed(e.getMessage());
            } catch (RuntimeException e) {
                return new Outcome.Crashed(e.toString()); // a value that the driver has no Java object for
            }
        }

        @Override
        public void close() {
            DuckDbEngine.close(connection);
        }

        private static Outcome.Rows rows(ResultSet result) throws SQLException {
            ResultSetMetaData columns = result.getMetaData();
            List<ColumnKind> kinds = new ArrayList<>();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                kinds.add(kind(columns.getColumnTypeName(i)));
            }
            List<List<Object>> rows = new ArrayList<>();
            while (result.next()) {
                Object[] row = new Object[kinds.size()];
                for (int i = 0; i < row.length; i++) {
                    row[i] = value(kinds.get(i), result, i + 1);
                }
                rows.add(Arrays.asList(row));
            }
            return new Outcome.Rows(kinds, rows);
        }

        private static Object value(ColumnKind kind, ResultSet result, int column) throws SQLException {
            Object value = result.getObject(column);
            return switch (kind) {
                case TIMESTAMP -> value instanceof java.sql.Timestamp timestamp ? timestamp.toLocalDateTime() : value;
                case OTHER -> value == null || value instanceof LocalTime ? value : result.getString(column);
                case INTEGER, FLOATING, DECIMAL, TEXT, BOOLEAN, DATE -> value;
            };
        }

        private static ColumnKind kind(String type) {
            return switch (type) {
                case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT" -> ColumnKind.INTEGER;
                case "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT" -> ColumnKind.INTEGER;
                case "FLOAT", "DOUBLE" -> ColumnKind.FLOATING;
                case "VARCHAR" -> ColumnKind.TEXT;
                case "BOOLEAN" -> ColumnKind.BOOLEAN;
                case "DATE" -> ColumnKind.DATE;
                case "TIMESTAMP" -> ColumnKind.TIMESTAMP;
                default -> type.startsWith("DECIMAL") ? ColumnKind.DECIMAL : ColumnKind.OTHER;
            };
        }
    }
}
