/// Skips and counts rows. [RowWindow] is what the workers of a query share; each has a [LimitOperator].
package dev.chert.operator.limit;
