/// Gives rows that stand in the plan. Start with [ValuesOperator].
package dev.chert.operator.values;
