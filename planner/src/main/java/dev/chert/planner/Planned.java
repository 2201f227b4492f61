package dev.chert.planner;

import dev.chert.batch.Schema;
import dev.chert.plan.PhysicalPlan;
import dev.chert.planner.catalog.Catalog;
import dev.chert.planner.catalog.CatalogTable;

/// A statement that is ready to be carried out.
public sealed interface Planned {
    /// A query: runs the plan, whose schema names the columns.
    record Query(PhysicalPlan plan) implements Planned {}

    /// Shows plans; runs the physical one first where `analyze`.
    ///
    /// @param logical the algebra, one operator a line
    /// @param plan    what would run
    record Explain(String logical, PhysicalPlan plan, boolean analyze) implements Planned {}

    /// Makes a table in memory.
    ///
    /// @param schema   its columns; rows with NULL in one that is not nullable are refused
    /// @param source   fills it, in the order of its columns; null where it begins empty
    record CreateTable(String name, Schema schema, boolean replace, boolean ifNotExists, PhysicalPlan source)
            implements Planned {}

    /// Appends rows to a table.
    ///
    /// @param name   as the catalog has it
    /// @param source all columns of the table, in its order and types
    record Insert(String name, CatalogTable table, PhysicalPlan source) implements Planned {}

    record DropTable(String name, boolean ifExists) implements Planned {}

    record CreateView(Catalog.View view, boolean replace, boolean ifNotExists) implements Planned {}

    record DropView(String name, boolean ifExists) implements Planned {}

    record SetOption(String key, String value) implements Planned {}

    record ResetOption(String key) implements Planned {}

    record ShowTables() implements Planned {}

    /// Shows the columns of a table or query.
    record Describe(Schema schema) implements Planned {}
}
