/// Typed expression trees and what runs them.
///
/// Start with [Expression], then [RowFilter] and [Projection]: an operator asks for *this expression with this
/// consumer*, that is for a filter that narrows a selection or a projection that makes columns, and does not
/// learn how it is run. That is the seam at which fused loops take over from the vectorized interpreter.
///
/// Evaluation keeps row numbers: a projected column has the rows of its batch, defined where the batch selects
/// them, so a selection stays valid and nothing is copied.
package dev.chert.expression;
