package dev.chert.source;

import dev.chert.expression.Expression.Literal;
import java.io.Serializable;
import java.util.List;

/// A conjunct over one column of a source that statistics can answer.
public sealed interface ColumnPredicate extends Serializable {
    /// The column's number in the source's schema.
    int column();

    /// The signs of a [Comparison].
    enum Operator {
        EQUAL("="),
        NOT_EQUAL("<>"),
        LESS("<"),
        LESS_OR_EQUAL("<="),
        GREATER(">"),
        GREATER_OR_EQUAL(">=");

        private final String sign;

        Operator(String sign) {
            this.sign = sign;
        }

        @Override
        public String toString() {
            return sign;
        }
    }

    /// Column `operator` value; the value is not NULL and of the column's type.
    record Comparison(int column, Operator operator, Literal value) implements ColumnPredicate {
        @Override
        public String toString() {
            return "#" + column + " " + operator + " " + value;
        }
    }

    /// The column equals one of the values, none of which is NULL.
    record In(int column, List<Literal> values) implements ColumnPredicate {
        public In {
            values = List.copyOf(values);
        }

        @Override
        public String toString() {
            return "#" + column + " in " + values;
        }
    }

    /// The column is NULL, or is not where `negated`.
    record IsNull(int column, boolean negated) implements ColumnPredicate {
        @Override
        public String toString() {
            return "#" + column + (negated ? " is not null" : " is null");
        }
    }
}
