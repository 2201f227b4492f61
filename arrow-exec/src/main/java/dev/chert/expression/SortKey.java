package dev.chert.expression;

import java.io.Serializable;

/// One key of an order; rows that tie on it are ordered by the next.
public record SortKey(Expression expression, boolean ascending, boolean nullsFirst) implements Serializable {
    @Override
    public String toString() {
        return expression + (ascending ? "" : " desc") + (nullsFirst ? " nulls first" : " nulls last");
    }
}
