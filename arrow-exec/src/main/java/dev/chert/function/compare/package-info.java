/// Comparisons of scalar values.
///
/// The loops of `Comparison` come from a template, since they differ only in types and signs; [TextOrder] has
/// what is no comparison of Java's.
package dev.chert.function.compare;
