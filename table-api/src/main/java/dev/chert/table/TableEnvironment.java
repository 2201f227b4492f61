package dev.chert.table;

import dev.chert.error.ValidationException;
import dev.chert.pipeline.QueryProgress;
import dev.chert.planner.parse.StatementSplitter;
import dev.chert.source.TableSource;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;

/// A session: tables and views by name, settings, and the door through which statements reach the engine.
///
/// Thread-safe; statements of several threads run at the same time. Closing it stops its queries and frees its
/// tables in memory.
public final class TableEnvironment implements AutoCloseable {
    private final SqlSession session;

    private TableEnvironment(EnvironmentSettings settings) {
        this.session = new SqlSession(this, settings);
    }

    /// Makes an environment with every setting at its default.
    public static TableEnvironment create() {
        return create(EnvironmentSettings.defaults());
    }

    /// Makes an environment.
    public static TableEnvironment create(EnvironmentSettings settings) {
        return new TableEnvironment(settings);
    }

    SqlSession session() {
        return session;
    }

    /// Makes a table of a query, which is checked now and run by [Table#execute()].
    ///
    /// @throws ValidationException with line and column where the query is wrong
    public Table sqlQuery(String query) {
        return session.query(query);
    }

    /// Runs one statement; a semicolon may end it.
    ///
    /// Rows of a query come as the result is read; every other statement is done when this returns.
    ///
    /// @return the caller's to close
    /// @throws ValidationException with line and column where the statement is wrong
    public TableResult executeSql(String statement) {
        return session.execute(statement);
    }

    /// The table or view of a name, or the files at a path.
    ///
    /// @param path a name, quoted by backticks or double quotes where it is no identifier; or a path as of
    ///             [#fromFile]
    /// @throws ValidationException where there is none, with the nearest name
    public Table from(String path) {
        return session.from(path);
    }

    /// A file, a directory (all files below it) or a glob (`*`, `?`, `**`, `[abc]`, `{a,b}`) as a table; the
    /// files' endings tell the format.
    ///
    /// @throws ValidationException where there is no file or no format for it
    public Table fromFile(String location) {
        return session.fromFile(location);
    }

    /// An Arrow stream as a table that can be read once. The reader stays the caller's, to be closed after that.
    public Table fromArrow(ArrowReader reader) {
        TableSource source = ArrowBorder.source(reader);
        return session.fromSource(source);
    }

    /// Arrow batches as a table that can be read any number of times. The roots stay the caller's, who must not
    /// change or close them while a query reads them.
    ///
    /// @param roots at least one, all of one schema
    public Table fromArrow(List<VectorSchemaRoot> roots) {
        TableSource source = ArrowBorder.source(roots);
        return session.fromSource(source);
    }

    /// Gives a table a name that SQL can use.
    ///
    /// @throws ValidationException where the name is taken, or the table is another environment's
    public void createTemporaryView(String path, Table view) {
        session.createTemporaryView(path, view);
    }

    /// Takes away the name of a view; what it stood for stays.
    ///
    /// @return false where there is no view of that name
    public boolean dropTemporaryView(String path) {
        return session.dropTemporaryView(path);
    }

    /// How far the queries are that run now in this environment, also those of INSERT, CREATE TABLE AS and EXPLAIN
    /// ANALYZE, the longest running first.
    public List<QueryProgress> progress() {
        return session.progress();
    }

    /// The names of all tables and views, in the order of their letters.
    public List<String> listTables() {
        return session.listTables();
    }

    /// The settings of this session.
    public TableConfig getConfig() {
        return session.config();
    }

    /// Cuts a script into its statements at the semicolons outside of quotes and comments.
    public static List<SqlStatement> splitStatements(String script) {
        return StatementSplitter.split(script).stream()
                .map(sql -> new SqlStatement(sql.text(), sql.line(), sql.column()))
                .toList();
    }

    /// Stops the queries that run, frees the tables in memory, and closes the engine where it is this
    /// environment's own. A second call does nothing.
    @Override
    public void close() {
        session.close();
    }
}
