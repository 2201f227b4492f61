package dev.chert.planner.translate;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.error.SourcePosition;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.Literal;
import dev.chert.function.FunctionRegistry;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.avatica.util.TimeUnitRange;

/// Calls of our functions, with the result types that the validator promised.
final class FunctionCalls {
    private FunctionCalls() {}

    static Expression bind(String name, List<Expression> arguments, DataType type, SourcePosition position) {
        Expression call = FunctionRegistry.bind(name, arguments, position);
        return call.type().equals(type) ? call : cast(call, type, false, position);
    }

    static Expression cast(Expression input, DataType type, boolean tried, SourcePosition position) {
        if (input instanceof Literal literal && literal.isNull()) {
            return new Literal(null, type);
        }
        return FunctionRegistry.cast(input, type, tried, position);
    }

    /// EXTRACT(unit FROM argument).
    static Expression extract(TimeUnitRange unit, Expression argument, DataType type, SourcePosition position) {
        Literal name = new Literal(unit.name().toLowerCase(Locale.ROOT), ScalarType.VARCHAR);
        return bind("extract", List.of(name, argument), type, position);
    }
}
