package dev.chert.table;

import dev.chert.batch.Batch;
import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.error.ValidationException;
import dev.chert.expression.Expression.Literal;
import dev.chert.pipeline.Engine;
import dev.chert.pipeline.QueryMetrics;
import dev.chert.pipeline.QueryOrigin;
import dev.chert.pipeline.QueryProgress;
import dev.chert.plan.PhysicalPlan;
import dev.chert.planner.PlanText;
import dev.chert.planner.Planned;
import dev.chert.planner.Planner;
import dev.chert.planner.catalog.Catalog;
import dev.chert.planner.catalog.CatalogTable;
import dev.chert.planner.catalog.FileTables;
import dev.chert.planner.parse.SqlText;
import dev.chert.planner.parse.StatementSplitter;
import dev.chert.query.Settings;
import dev.chert.source.LocalFileSystem;
import dev.chert.source.TableSource;
import dev.chert.source.memory.MemoryTable;
import dev.chert.source.memory.TableAppender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// What an environment does: its names, its settings, its statements. Thread-safe.
final class SqlSession implements AutoCloseable {
    private final TableEnvironment environment;
    private final EngineLease engine;
    private final TableConfig config;
    private final Catalog catalog = new Catalog();
    private final RunningQuery.Group queries = new RunningQuery.Group();
    private final ReadWriteLock closing = new ReentrantReadWriteLock(); // read by who makes or fills tables
    private List<String> allowedPaths;
    private FileTables files;
    private FileTables plannedFiles;
    private Planner planner;

    SqlSession(TableEnvironment environment, EnvironmentSettings settings) {
        this.environment = environment;
        this.engine = new EngineLease(settings);
        this.config = new TableConfig(settings.settings());
    }

    Engine engine() {
        return engine.engine();
    }

    TableConfig config() {
        return config;
    }

    List<QueryProgress> progress() {
        return queries.progress();
    }

    List<String> listTables() {
        return catalog.names();
    }

    /// Checks a query and makes a table of it.
    Table query(String text) {
        SqlText sql = single(text);
        Planned planned = plan(sql, config.settings());
        if (!(planned instanceof Planned.Query query)) {
            throw new ValidationException("expected a query, such as SELECT; other statements are run by executeSql");
        }
        return new Table(environment, new Table.Origin.Query(sql, query.plan().schema()));
    }

    Table from(String path) {
        String name = name(path);
        Optional<Catalog.Entry> entry = catalog.find(name);
        if (entry.isEmpty()) {
            if (FileTables.looksLikePath(name)) {
                return fromFile(name);
            }
            throw unknown("table", name);
        }
        return switch (entry.get()) {
            case Catalog.Table table -> new Table(environment, new Table.Origin.Source(table.table()));
            case Catalog.View view -> query("SELECT * FROM \"" + view.name().replace("\"", "\"\"") + '"');
        };
    }

    Table fromFile(String location) {
        return new Table(
                environment, new Table.Origin.Source(files(config.settings()).open(location)));
    }

    Table fromSource(TableSource source) {
        return new Table(environment, new Table.Origin.Source(new SourceTable(source)));
    }

    void createTemporaryView(String path, Table view) {
        if (view.environment() != environment) {
            throw new ValidationException("the table belongs to another TableEnvironment; make it with this one");
        }
        String name = name(path);
        catalog.add(
                switch (view.origin()) {
                    case Table.Origin.Query query -> new Catalog.View(name, List.of(), query.sql());
                    case Table.Origin.Source source -> new Catalog.Table(name, source.table());
                },
                false);
    }

    /// Drops a view, or the name of a source; not a table that holds rows of its own.
    boolean dropTemporaryView(String path) {
        String name = name(path);
        boolean source = catalog.find(name)
                .filter(entry -> entry instanceof Catalog.Table table && !(table.table() instanceof StoredTable))
                .isPresent();
        return catalog.remove(name, !source).isPresent();
    }

    /// Runs one statement.
    TableResult execute(String text) {
        SqlText sql = single(text);
        Settings settings = config.settings();
        long began = System.nanoTime();
        Planned planned = plan(sql, settings);
        QueryOrigin origin = origin(sql, began);
        return switch (planned) {
            case Planned.Query query ->
                TableResult.rows(start(
                        query.plan(), () -> replan(sql, Planned.Query.class).plan(), origin, settings));
            case Planned.Explain explain -> explain(sql, explain, origin, settings);
            case Planned.Describe describe -> describe(describe.schema());
            case Planned.ShowTables _ -> showTables();
            case Planned.CreateTable create -> changeTables(() -> createTable(sql, create, origin, settings));
            case Planned.Insert insert -> changeTables(() -> insert(sql, insert, origin, settings));
            case Planned.DropTable drop -> {
                drop(drop.name(), false, drop.ifExists());
                yield TableResult.completed(-1);
            }
            case Planned.DropView drop -> {
                drop(drop.name(), true, drop.ifExists());
                yield TableResult.completed(-1);
            }
            case Planned.CreateView create -> {
                if (!create.ifNotExists() || catalog.find(create.view().name()).isEmpty()) {
                    catalog.add(create.view(), create.replace());
                }
                yield TableResult.completed(-1);
            }
            case Planned.SetOption set -> {
                config.set(set.key(), set.value());
                yield TableResult.completed(-1);
            }
            case Planned.ResetOption reset -> {
                config.reset(reset.key());
                yield TableResult.completed(-1);
            }
        };
    }

    TableResult execute(Table.Origin table) {
        long began = System.nanoTime();
        PhysicalPlan plan = plan(table);
        QueryOrigin origin = switch (table) {
            case Table.Origin.Query query -> origin(query.sql(), began);
            case Table.Origin.Source _ -> QueryOrigin.NONE;
        };
        return TableResult.rows(start(plan, () -> plan(table), origin, config.settings()));
    }

    /// @param began when the planning of the text began, of [System#nanoTime()]
    private static QueryOrigin origin(SqlText sql, long began) {
        return new QueryOrigin(sql.text(), Duration.ofNanos(System.nanoTime() - began));
    }

    /// Runs a plan that was made before.
    TableResult run(PhysicalPlan plan) {
        return TableResult.rows(start(
                plan,
                () -> {
                    throw new ValidationException(
                            "a table in memory that the plan reads has changed; make the plan again");
                },
                QueryOrigin.NONE,
                config.settings()));
    }

    PhysicalPlan plan(Table.Origin origin) {
        return switch (origin) {
            case Table.Origin.Query query ->
                replan(query.sql(), Planned.Query.class).plan();
            case Table.Origin.Source source -> scan(source.table());
        };
    }

    String explain(Table.Origin origin) {
        return PlanText.withEstimates(plan(origin));
    }

    private Planned plan(SqlText sql, Settings settings) {
        return planner(settings).plan(sql, settings);
    }

    private <P extends Planned> P replan(SqlText sql, Class<P> kind) {
        return kind.cast(plan(sql, config.settings()));
    }

    private static PhysicalPlan scan(CatalogTable table) {
        TableSource source = table.source();
        List<Integer> all = IntStream.range(0, source.schema().size()).boxed().toList();
        double rows = source.statistics().rowCount().value();
        return new PhysicalPlan.Scan(source, all, List.of(), rows);
    }

    /// @param again makes the plan anew where it is stale
    private RunningQuery start(PhysicalPlan plan, Supplier<PhysicalPlan> again, QueryOrigin origin, Settings settings) {
        return queries.start(engine.engine(), plan, again, origin, settings);
    }

    /// Makes or fills a table: whoever closes the environment meanwhile stops the query, but leaves memory and names
    /// alone until this has ended.
    ///
    /// @throws ValidationException where the environment is closed
    private TableResult changeTables(Supplier<TableResult> change) {
        closing.readLock().lock();
        try {
            engine(); // which throws where it is closed
            return change.get();
        } finally {
            closing.readLock().unlock();
        }
    }

    private TableResult createTable(SqlText sql, Planned.CreateTable create, QueryOrigin origin, Settings settings) {
        if (create.ifNotExists() && catalog.find(create.name()).isPresent()) {
            return TableResult.completed(-1);
        }
        if (!create.replace()) {
            catalog.demandFree(create.name());
        }
        MemoryTable table = new MemoryTable(create.name(), create.schema(), engine().memory());
        boolean added = false;
        try {
            long rows = create.source() == null
                    ? -1
                    : append(
                            table,
                            start(
                                    create.source(),
                                    () -> replan(sql, Planned.CreateTable.class).source(),
                                    origin,
                                    settings));
            Optional<Catalog.Entry> replaced =
                    catalog.add(new Catalog.Table(create.name(), new StoredTable(table)), create.replace());
            added = true;
            replaced.ifPresent(SqlSession::free);
            return TableResult.completed(rows);
        } finally {
            if (!added) {
                table.drop();
            }
        }
    }

    private TableResult insert(SqlText sql, Planned.Insert insert, QueryOrigin origin, Settings settings) {
        if (!(insert.table() instanceof StoredTable(MemoryTable table))) {
            throw new ValidationException(
                    "'" + insert.name() + "' is not a table in memory; rows go into tables that CREATE TABLE has made");
        }
        PhysicalPlan rows = insert.source();
        return TableResult.completed(append(
                table, start(rows, () -> replan(sql, Planned.Insert.class).source(), origin, settings)));
    }

    /// @param query given
    private static long append(MemoryTable table, RunningQuery query) {
        try (query) {
            return query.read(() -> {
                try (TableAppender appender = table.append()) {
                    for (Batch batch = query.take(); batch != null; batch = query.take()) {
                        appender.add(batch);
                        batch.close();
                    }
                    return appender.commit();
                }
            });
        }
    }

    private void drop(String name, boolean view, boolean ifExists) {
        Optional<Catalog.Entry> dropped = catalog.remove(name, view);
        if (dropped.isEmpty() && !ifExists) {
            throw unknown(view ? "view" : "table", name);
        }
        dropped.ifPresent(SqlSession::free);
    }

    private static void free(Catalog.Entry dropped) {
        if (dropped instanceof Catalog.Table table && table.table() instanceof StoredTable stored) {
            stored.rows().drop();
        }
    }

    private ValidationException unknown(String kind, String name) {
        String nearest = catalog.nearest(name);
        return new ValidationException(
                "unknown " + kind + " '" + name + "'" + (nearest == null ? "" : "; did you mean '" + nearest + "'?"));
    }

    private TableResult showTables() {
        List<List<Literal>> rows = catalog.names().stream()
                .map(name -> List.of(new Literal(name, ScalarType.VARCHAR)))
                .toList();
        return literalRows(Schema.of(new Field("table_name", ScalarType.VARCHAR, false)), rows);
    }

    private TableResult describe(Schema described) {
        List<List<Literal>> rows = described.fields().stream()
                .map(field -> List.of(
                        new Literal(field.name(), ScalarType.VARCHAR),
                        new Literal(field.type().toString(), ScalarType.VARCHAR),
                        new Literal(field.nullable(), ScalarType.BOOLEAN)))
                .toList();
        return literalRows(
                Schema.of(
                        new Field("column_name", ScalarType.VARCHAR, false),
                        new Field("column_type", ScalarType.VARCHAR, false),
                        new Field("nullable", ScalarType.BOOLEAN, false)),
                rows);
    }

    private TableResult explain(SqlText sql, Planned.Explain explain, QueryOrigin origin, Settings settings) {
        List<String> lines = new ArrayList<>();
        if (!explain.logical().isBlank()) {
            lines.add("Logical plan");
            explain.logical().lines().map(line -> "  " + line).forEach(lines::add);
        }
        if (explain.analyze()) {
            PhysicalPlan plan = explain.plan();
            QueryMetrics metrics;
            try (RunningQuery query =
                    start(plan, () -> replan(sql, Planned.Explain.class).plan(), origin, settings)) {
                for (Batch batch = query.take(); batch != null; batch = query.take()) {
                    batch.close();
                }
                metrics = query.metrics();
            }
            lines.add("Physical plan, as it ran"); // a scan adds what it read when the query closes it
            MetricsText.lines(metrics).forEach(line -> lines.add("  " + line));
        } else {
            lines.add("Physical plan");
            PlanText.withEstimates(explain.plan())
                    .lines()
                    .map(line -> "  " + line)
                    .forEach(lines::add);
        }
        List<List<Literal>> rows = lines.stream()
                .map(line -> List.of(new Literal(line, ScalarType.VARCHAR)))
                .toList();
        return literalRows(Schema.of(new Field("plan", ScalarType.VARCHAR, false)), rows);
    }

    private TableResult literalRows(Schema schema, List<List<Literal>> rows) {
        return run(new PhysicalPlan.Values(schema, rows));
    }

    /// A planner whose paths are those that the settings allow.
    private synchronized Planner planner(Settings settings) {
        FileTables allowed = files(settings);
        if (planner == null || allowed != plannedFiles) {
            planner = new Planner(catalog, allowed);
            plannedFiles = allowed;
        }
        return planner;
    }

    private synchronized FileTables files(Settings settings) {
        List<String> paths = settings.get(Settings.ALLOWED_PATHS);
        if (files == null || !paths.equals(allowedPaths)) {
            files = FileTables.installed(new LocalFileSystem(paths));
            allowedPaths = paths;
        }
        return files;
    }

    /// The one statement of a text.
    private static SqlText single(String text) {
        List<SqlText> statements = StatementSplitter.split(text);
        if (statements.size() != 1) {
            throw new ValidationException(
                    statements.isEmpty()
                            ? "expected a statement, found none"
                            : "expected one statement, found " + statements.size()
                                    + "; cut a script apart with TableEnvironment.splitStatements");
        }
        return statements.getFirst();
    }

    /// A name without its quotes.
    private static String name(String path) {
        int last = path.length() - 1;
        char quote = path.isEmpty() ? ' ' : path.charAt(0);
        if (last > 0 && (quote == '`' || quote == '"') && path.charAt(last) == quote) {
            return path.substring(1, last).replace(String.valueOf(quote).repeat(2), String.valueOf(quote));
        }
        if (path.isBlank()) {
            throw new ValidationException("expected the name of a table, found nothing");
        }
        return path;
    }

    @Override
    public void close() {
        queries.close();
        closing.writeLock().lock();
        try {
            for (String name : catalog.names()) {
                catalog.find(name).ifPresent(SqlSession::free);
            }
            engine.close();
        } finally {
            closing.writeLock().unlock();
        }
    }
}
