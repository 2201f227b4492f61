/// Names and types of a parsed query, resolved and checked.
///
/// Start with [QueryValidator], which shows a [dev.chert.planner.catalog.Catalog] to Calcite's validator and turns a
/// query into Calcite's relational algebra. [Operators] lists the operators and functions that a query may call, each
/// with the name of our function that runs it; [ValidationErrors] words what is wrong.
package dev.chert.planner.validate;
