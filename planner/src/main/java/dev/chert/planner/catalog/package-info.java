/// The names that a session can query: tables, views and paths.
///
/// Start with [Catalog], a map from names to tables and views; [CatalogTable] is what a table must be able to say of
/// itself. [FileTables] makes a table of a path, by the formats that [java.util.ServiceLoader] finds. Views are kept as
/// text and parsed again wherever they are used, so a view follows its tables.
///
/// Nothing here knows Calcite: the validate package shows a catalog to it.
package dev.chert.planner.catalog;
