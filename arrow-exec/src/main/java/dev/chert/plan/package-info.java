/// Physical plans: what to run, as plain serialisable records.
///
/// Start with [PhysicalPlan]. A plan names its sources, expressions and functions by value or by name and holds
/// nothing of the engine that runs it, so it can be built by hand, by the planner, or sent to another machine.
/// The pipeline package cuts it at its breakers and runs it.
package dev.chert.plan;
