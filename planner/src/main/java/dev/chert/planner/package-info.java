/// From SQL text to physical plans.
///
/// Start with `Planner`. A statement goes through these packages in turn: `parse` (text to a statement), `catalog`
/// (what names stand for), `validate` (Calcite's validator over our catalog, types and functions; then relational
/// algebra), `rules`, `statistics` and `joinorder` (the algebra made fast), `translate` (to
/// [dev.chert.plan.PhysicalPlan]). `types` says how wide results are. A statement's objects of Calcite live as long as
/// its planning and leave no trace in the plan.
package dev.chert.planner;
