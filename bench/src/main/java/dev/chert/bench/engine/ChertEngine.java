package dev.chert.bench.engine;

import dev.chert.bench.result.QueryResult;
import dev.chert.table.EnvironmentSettings;
import dev.chert.table.TableEnvironment;
import dev.chert.table.TableResult;
import java.util.ArrayList;
import java.util.Map;

/// Chert in this process, through the Table API, over views of the Parquet files.
public final class ChertEngine implements Engine {
    private final TableEnvironment environment;
    private final String description;

    public ChertEngine(EngineSetup setup) {
        EnvironmentSettings.Builder settings = EnvironmentSettings.newInstance()
                .ownEngine()
                .set("execution.threads", Integer.toString(setup.threads()));
        setup.settings().forEach(settings::set);
        environment = TableEnvironment.create(settings.build());
        for (Map.Entry<String, String> table : setup.tables().entrySet()) {
            String file = table.getValue().replace("'", "''");
            environment
                    .executeSql("CREATE TEMPORARY VIEW %s AS SELECT * FROM '%s'".formatted(table.getKey(), file))
                    .close();
        }
        description = "Chert, %d threads, zstd by the %s codec%s"
                .formatted(
                        setup.threads(),
                        usesNativeCodec(setup) ? "native" : "Java",
                        setup.settings().isEmpty() ? "" : ", " + setup.settings());
    }

    /// Native codecs run only where native access was granted and nobody turned them off.
    private static boolean usesNativeCodec(EngineSetup setup) {
        return ChertEngine.class.getModule().isNativeAccessEnabled()
                && !"off".equals(setup.settings().get("codec.native"));
    }

    /// The environment that this engine runs its queries in, which stays the engine's.
    public TableEnvironment environment() {
        return environment;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public QueryResult run(String sql) {
        return fetch(environment.executeSql(sql));
    }

    /// Fetches all rows of a result and closes it.
    public static QueryResult fetch(TableResult rowsOf) {
        try (TableResult result = rowsOf) {
            ArrayList<ArrayList<Object>> rows = new ArrayList<>();
            ArrayList<String> columns = new ArrayList<>();
            result.columns().forEach(column -> columns.add(column.name()));
            result.forEach(row -> rows.add(new ArrayList<>(row.toList())));
            return new QueryResult(columns, rows);
        }
    }

    @Override
    public void close() {
        environment.close();
    }
}
