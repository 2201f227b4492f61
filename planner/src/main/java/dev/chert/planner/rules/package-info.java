/// The way of a query from Calcite's algebra to the tree that is translated.
///
/// Start with [Optimizer], which lists the steps. Each is a Hep program (rules that always improve, applied until none
/// fits) or one of our own passes; nothing searches but the join order, so that planning stays a few milliseconds.
/// Metadata is asked through [Metadata], which does not generate and compile code as Calcite's own provider does.
package dev.chert.planner.rules;
