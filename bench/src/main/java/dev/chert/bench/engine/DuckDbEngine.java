package dev.chert.bench.engine;

import dev.chert.bench.result.QueryResult;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Map;

/// DuckDB in this process, through JDBC, over views of the Parquet files.
final class DuckDbEngine implements Engine {
    private final Connection connection;
    private final String description;

    DuckDbEngine(EngineSetup setup) throws SQLException {
        connection = DriverManager.getConnection("jdbc:duckdb:");
        execute("SET threads = " + setup.threads());
        for (Map.Entry<String, String> setting : setup.settings().entrySet()) {
            execute("SET %s = '%s'".formatted(setting.getKey(), quoted(setting.getValue())));
        }
        for (Map.Entry<String, String> table : setup.tables().entrySet()) {
            execute("CREATE VIEW %s AS SELECT * FROM read_parquet('%s')"
                    .formatted(table.getKey(), quoted(table.getValue())));
        }
        description = "DuckDB %s through JDBC, %d threads, its own zstd"
                .formatted(connection.getMetaData().getDatabaseProductVersion(), setup.threads());
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public QueryResult run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return fetch(rows);
        }
    }

    private static QueryResult fetch(ResultSet cursor) throws SQLException {
        ResultSetMetaData metaData = cursor.getMetaData();
        ArrayList<String> columns = new ArrayList<>();
        for (int column = 1; column <= metaData.getColumnCount(); column++) {
            columns.add(metaData.getColumnLabel(column));
        }
        ArrayList<ArrayList<Object>> rows = new ArrayList<>();
        while (cursor.next()) {
            ArrayList<Object> row = new ArrayList<>(columns.size());
            for (int column = 1; column <= columns.size(); column++) {
                row.add(cursor.getObject(column));
            }
            rows.add(row);
        }
        return new QueryResult(columns, rows);
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String quoted(String text) {
        return text.replace("'", "''");
    }

    @Override
    public void close() throws IOException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }
}
