/// Side-by-side runs: who runs when, and what is printed.
///
/// Start at [SideBySide]. Medians, since a machine with two cores has outliers in one direction only; a geometric mean
/// of ratios, since a sum would be the longest query's.
package dev.chert.bench.run;
