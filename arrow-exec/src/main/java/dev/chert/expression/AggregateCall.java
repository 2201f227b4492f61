package dev.chert.expression;

import dev.chert.batch.DataType;
import dev.chert.error.SourcePosition;
import java.io.Serializable;
import java.util.List;

/// An aggregate function over expressions of the input's rows.
///
/// @param function  the registry's name, lower case: `count`, `sum`, `min`, `max`, `avg`, `single_value`, ...
/// @param arguments none for COUNT(*)
/// @param distinct  each distinct tuple of arguments counts once
/// @param filter    BOOLEAN; rows where it is not true are left out; null where all rows count
/// @param position  where it stands in the statement, or null
public record AggregateCall(
        String function,
        List<Expression> arguments,
        boolean distinct,
        Expression filter,
        DataType type,
        SourcePosition position)
        implements Serializable {
    public AggregateCall {
        arguments = List.copyOf(arguments);
    }

    @Override
    public String toString() {
        String inner = arguments.isEmpty()
                ? "*"
                : arguments.toString().replace("[", "").replace("]", "");
        return function + "(" + (distinct ? "distinct " : "") + inner + ")"
                + (filter == null ? "" : " filter (where " + filter + ")");
    }
}
