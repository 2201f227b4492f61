/// Aggregate functions, each written once: a state of fixed width, update, merge, finish.
///
/// Start with [AggregateFunction], then [AggregateFunctions], where the planner finds them by name.
///
/// A function is called once a batch, with its argument packed into arrays ([dev.chert.batch.PackedColumn]) and
/// the place of each value's group row. Rows that a filter or a NULL leaves out were taken out before, for all
/// functions of the same argument at once, so each function has one loop without tests. Sums and averages over
/// the same argument share a state.
///
/// Sums of integers and decimals are kept in 128 bits and checked in the end: then an overflow does not depend on
/// the order in which rows and workers' states come together.
package dev.chert.function.aggregate;
