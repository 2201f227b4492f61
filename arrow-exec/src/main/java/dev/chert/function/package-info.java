/// Scalar functions: what each is, how a call finds its overload, and the contract of the loops that run it.
///
/// Start with [ScalarFunction], the annotation that makes a static method over one row a function. The build writes two
/// things from such methods, which lie below this package, one package a subject: a [FunctionLoop] for each method, its
/// loops over columns in every shape; and an index of them all, which [FunctionRegistry] reads. The registry binds a
/// call by name to a typed call expression ([Binding]: common types, cheapest conversions) and gives the evaluator the
/// [Implementation] behind it. So a function is written once, and what a planner may call, what an expression means and
/// what runs cannot differ.
///
/// A method says that a row has no result by a [FunctionException] without a stack trace; whoever evaluates adds the
/// expression and its place. A function on DECIMAL has a 64-bit form, which is checked, and a 128-bit form, with which
/// a batch that overflowed runs again. Functions and expressions know each other: the registry makes call expressions,
/// and they run the loops.
package dev.chert.function;
