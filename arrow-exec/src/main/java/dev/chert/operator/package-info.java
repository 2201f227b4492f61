/// What operators and sinks are; the families of operators lie below this package, one a package.
///
/// Start with [Operator], which is pulled, and [Breaker], the state that the workers of one pipeline fill
/// together and the next pipeline reads. Operators know batches, expressions and each other's contracts; what
/// runs them, and on which thread, is the pipeline package's business.
package dev.chert.operator;
