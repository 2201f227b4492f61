package dev.chert.table;

import dev.chert.batch.Schema;
import dev.chert.planner.catalog.CatalogTable;
import dev.chert.source.TableSource;
import dev.chert.source.memory.MemoryTable;

/// A table that CREATE TABLE made.
record StoredTable(MemoryTable rows) implements CatalogTable {
    @Override
    public Schema schema() {
        return rows.schema();
    }

    @Override
    public TableSource source() {
        return rows.source();
    }
}
