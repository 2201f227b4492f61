package dev.chert.function;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.TypeKind;
import dev.chert.expression.Expression;
import java.util.List;

/// The exact result type of an overload: what its signature leaves open.
final class ResultTypes {
    private ResultTypes() {}

    /// @param arguments converted to the overload's parameters
    static DataType of(FunctionMethod method, List<Expression> arguments) {
        String rule = method.resultRule();
        if (rule.startsWith("$")) {
            return arguments.get(Integer.parseInt(rule.substring(1))).type();
        }
        TypeKind kind = TypeKind.valueOf(rule);
        if (ScalarTypes.hasFraction(kind)) {
            return new ScalarType(kind, fractionDigits(arguments), 0);
        }
        if (kind == TypeKind.DECIMAL) {
            // what rounds to whole numbers keeps its precision
            ScalarType first = (ScalarType) arguments.getFirst().type();
            return ScalarType.decimal(first.precision(), 0);
        }
        return ScalarTypes.plain(kind);
    }

    private static int fractionDigits(List<Expression> arguments) {
        int most = 0;
        boolean any = false;
        for (Expression argument : arguments) {
            if (argument.type() instanceof ScalarType type && ScalarTypes.hasFraction(type.kind())) {
                most = Math.max(most, type.precision());
                any = true;
            }
        }
        return any || arguments.stream().anyMatch(argument -> argument.type().kind() == TypeKind.DATE) ? most : 6;
    }
}
