/// From optimized algebra to physical plans.
///
/// Start with [PlanTranslator], one method an operator of the algebra, and [ExpressionTranslator], one case a form of
/// expression. [JoinTranslator] finds hash keys in a join's condition and decides what is built; [Literals] turns
/// constants into values. What has no operator is refused by name.
package dev.chert.planner.translate;
