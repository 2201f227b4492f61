/// SQL types as the planner sees them.
///
/// Start with [ChertTypeSystem], which says how wide results are, and [ChertTypeFactory], which makes Calcite's type
/// objects. [TypeMapping] goes from Calcite's types to [dev.chert.batch.DataType] and back.
///
/// Calcite types a string literal CHAR(n), which pads. Here CHAR(n) exists only where a query writes it (see
/// [FixedCharSpec]); wherever Calcite asks its factory for a CHAR it gets VARCHAR.
package dev.chert.planner.types;
