/// In which order tables are joined.
///
/// Start with [JoinOrder]: it finds the largest trees of inner, semi and anti joins, takes each apart into a
/// [JoinGraph] (relations, predicates, classes of equal columns), lets [Enumeration] find the cheapest order and builds
/// the tree anew. The right input of every inner join is the smaller one, which the translation makes the build side.
///
/// A semi or anti join filters the rows of its left side, so it can be done as soon as the columns it compares are
/// there, or later: its right side is a relation that may only be joined alone. Outer and mark joins stay where they
/// are; what is below them is ordered by itself.
///
/// The enumeration is ours because Calcite 1.42's DPhyp rule left graphs of ten relations unplanned. It visits
/// connected pairs of sub-graphs (Moerkotte and Neumann, "Analysis of Two Existing and One New Dynamic Programming
/// Algorithm", 2006) up to a budget of pairs, and is greedy beyond (Fegaras, "A New Heuristic for Optimizing Large
/// Queries", 1998).
package dev.chert.planner.joinorder;
