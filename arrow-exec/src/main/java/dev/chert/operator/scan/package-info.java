/// Reads sources. [MorselQueue] is what the workers of a scan share: the splits nobody has taken yet; each worker
/// reads its splits through a [ScanOperator].
package dev.chert.operator.scan;
