package dev.chert.planner.catalog;

import dev.chert.batch.Schema;
import dev.chert.source.TableSource;

/// A table by name. Its rows may change between two statements.
public interface CatalogTable {
    Schema schema();

    /// What a scan reads, as the table is now.
    TableSource source();
}
