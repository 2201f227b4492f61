package dev.chert.table;

import dev.chert.batch.Schema;
import dev.chert.planner.catalog.CatalogTable;
import dev.chert.source.TableSource;

/// A source that a Java program gave.
record SourceTable(TableSource source) implements CatalogTable {
    @Override
    public Schema schema() {
        return source.schema();
    }
}
