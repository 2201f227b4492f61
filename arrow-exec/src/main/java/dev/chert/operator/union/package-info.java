/// Puts inputs one after the other. Start with [UnionAllOperator].
package dev.chert.operator.union;
