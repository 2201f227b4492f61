package dev.chert.table;

import dev.chert.batch.Schema;
import dev.chert.planner.catalog.CatalogTable;
import dev.chert.planner.parse.SqlText;

/// Rows that can be had: a query or a source, bound to one environment and not run yet.
///
/// A table made of SQL is read again whenever it is run, so it follows the tables that it names.
public final class Table {
    private final TableEnvironment environment;
    private final Origin origin;

    /// What a table is made of.
    sealed interface Origin {
        /// A query's text.
        ///
        /// @param schema its columns when the table was made
        record Query(SqlText sql, Schema schema) implements Origin {}

        /// A source: files or Arrow data.
        record Source(CatalogTable table) implements Origin {}
    }

    Table(TableEnvironment environment, Origin origin) {
        this.environment = environment;
        this.origin = origin;
    }

    TableEnvironment environment() {
        return environment;
    }

    Origin origin() {
        return origin;
    }

    /// Runs it.
    ///
    /// @return the caller's to close
    public TableResult execute() {
        return environment.session().execute(origin);
    }

    /// The columns, as they were when the table was made.
    public Schema getResolvedSchema() {
        return switch (origin) {
            case Origin.Query query -> query.schema();
            case Origin.Source source -> source.table().schema();
        };
    }

    /// The plan, as `EXPLAIN` shows it.
    public String explain() {
        return environment.session().explain(origin);
    }
}
