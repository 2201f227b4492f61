/// What engines answered, and whether two answers mean the same.
///
/// Start at [ResultComparison]. The rules are those of the project's tests: doubles at a relative 1e-9, decimals at the
/// coarser scale.
package dev.chert.bench.result;
