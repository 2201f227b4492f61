package dev.chert.planner.translate;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.error.SourcePosition;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.Call;
import dev.chert.expression.Expression.Literal;
import dev.chert.function.FunctionRegistry;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.avatica.util.TimeUnitRange;

/// Calls of our functions, with the result types that the validator promised.
final class FunctionCalls {
    private FunctionCalls() {}

    static Expression bind(String name, List<Expression> arguments, DataType type, SourcePosition position) {
        if (!FunctionRegistry.contains(name)) {
            return new Call(name, arguments, type, position); // whoever runs it says that it is not there
        }
        Expression call = FunctionRegistry.bind(name, arguments, position);
        return call.type().equals(type) ? call : cast(call, type, false, position);
    }

    static Expression cast(Expression input, DataType type, boolean tried, SourcePosition position) {
        if (input instanceof Literal literal && literal.isNull()) {
            return new Literal(null, type);
        }
        return FunctionRegistry.cast(input, type, tried, position);
    }

    /// EXTRACT(unit FROM argument): the function of the unit's name, or `extract` with the unit as a string.
    static Expression extract(TimeUnitRange unit, Expression argument, DataType type, SourcePosition position) {
        String name = unit.name().toLowerCase(Locale.ROOT);
        return FunctionRegistry.contains(name)
                ? bind(name, List.of(argument), type, position)
                : bind("extract", List.of(new Literal(name, ScalarType.VARCHAR), argument), type, position);
    }
}
