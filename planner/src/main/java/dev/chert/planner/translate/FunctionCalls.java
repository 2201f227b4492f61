package dev.chert.planner.translate;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.TypeKind;
import dev.chert.error.SourcePosition;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.Literal;
import dev.chert.function.FunctionRegistry;
import java.math.BigDecimal;
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

    /// How many of its unit an interval is.
    ///
    /// @param unit in months or milliseconds
    static Expression intervalToNumber(
            Expression interval, BigDecimal unit, DataType type, boolean tried, SourcePosition position) {
        Expression whole = cast(interval, ScalarType.BIGINT, tried, position);
        boolean decimal = type.kind() == TypeKind.DECIMAL;
        ScalarType exact = decimal ? ScalarType.decimal(19, 0) : ScalarType.BIGINT;
        Literal divisor = decimal ? new Literal(unit, exact) : new Literal(unit.longValueExact(), exact);
        Expression count = FunctionRegistry.bind("/", List.of(cast(whole, exact, tried, position), divisor), position);
        return count.type().equals(type) ? count : cast(count, type, tried, position);
    }

    /// A string as CHAR is compared: blanks at its end do not count.
    static Expression withoutPadding(Expression text) {
        return FunctionRegistry.bind("rtrim", List.of(text), null);
    }

    /// FLOOR(argument TO unit), CEIL(argument TO unit).
    static Expression rounded(
            boolean up, TimeUnitRange unit, Expression argument, DataType type, SourcePosition position) {
        Literal name = new Literal(unit.name().toLowerCase(Locale.ROOT), ScalarType.VARCHAR);
        return bind(up ? "date_ceil" : "date_trunc", List.of(name, argument), type, position);
    }

    /// EXTRACT(unit FROM argument).
    static Expression extract(TimeUnitRange unit, Expression argument, DataType type, SourcePosition position) {
        Literal name = new Literal(unit.name().toLowerCase(Locale.ROOT), ScalarType.VARCHAR);
        return bind("extract", List.of(name, argument), type, position);
    }
}
