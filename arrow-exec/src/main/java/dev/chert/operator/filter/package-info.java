/// Keeps rows by a predicate. One operator, [FilterOperator]; how the predicate runs is the expression package's
/// matter.
package dev.chert.operator.filter;
