/// Computes columns. One operator, [ProjectOperator]; how the expressions run is the expression package's matter.
package dev.chert.operator.project;
