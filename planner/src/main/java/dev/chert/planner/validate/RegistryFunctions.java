package dev.chert.planner.validate;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.error.ValidationException;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.expression.Expression.Literal;
import dev.chert.function.FunctionDefinition;
import dev.chert.function.FunctionRegistry;
import dev.chert.function.aggregate.AggregateFunctions;
import dev.chert.planner.parse.ParseErrors;
import dev.chert.planner.types.ChertTypeFactory;
import dev.chert.planner.types.TypeMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.Optionality;

/// Functions as the registries describe them, for Calcite: it parses their calls, the registries say what they give.
final class RegistryFunctions {
    private RegistryFunctions() {}

    /// A scalar function under one of its names.
    static final class Scalar extends SqlFunction {
        private static final long serialVersionUID = 1;

        private final boolean deterministic;

        Scalar(String name, FunctionDefinition definition) {
            super(
                    name.toUpperCase(Locale.ROOT),
                    SqlKind.OTHER_FUNCTION,
                    binding -> scalarType(definition.name(), binding),
                    null,
                    OperandTypes.VARIADIC,
                    SqlFunctionCategory.USER_DEFINED_FUNCTION);
            this.deterministic = definition.deterministic();
        }

        @Override
        public boolean isDeterministic() {
            return deterministic;
        }
    }

    /// An aggregate function under one of its names.
    static final class Aggregate extends SqlAggFunction {
        private static final long serialVersionUID = 1;

        Aggregate(String name, AggregateFunctions.Definition definition) {
            super(
                    name.toUpperCase(Locale.ROOT),
                    null,
                    SqlKind.OTHER_FUNCTION,
                    binding -> aggregateType(definition.name(), binding),
                    null,
                    OperandTypes.VARIADIC,
                    SqlFunctionCategory.USER_DEFINED_FUNCTION,
                    false,
                    false,
                    Optionality.FORBIDDEN);
        }
    }

    /// A function may give NULL for arguments that are not, so the result is nullable.
    private static RelDataType scalarType(String name, SqlOperatorBinding binding) {
        List<Expression> arguments = new ArrayList<>();
        for (int i = 0; i < binding.getOperandCount(); i++) {
            RelDataType type = binding.getOperandType(i);
            boolean text = SqlTypeUtil.isCharacter(type) && binding.isOperandLiteral(i, false);
            arguments.add(
                    text
                            ? new Literal(binding.getOperandLiteralValue(i, String.class), ScalarType.VARCHAR)
                            : new InputColumn(i, TypeMapping.dataType(type)));
        }
        try {
            return nullable(
                    binding, FunctionRegistry.bind(name, arguments, null).type());
        } catch (ValidationException e) {
            throw placed(e, binding);
        }
    }

    private static RelDataType aggregateType(String name, SqlOperatorBinding binding) {
        List<DataType> arguments = new ArrayList<>();
        for (int i = 0; i < binding.getOperandCount(); i++) {
            arguments.add(TypeMapping.dataType(binding.getOperandType(i)));
        }
        try {
            return nullable(binding, AggregateFunctions.resultType(name, arguments));
        } catch (ValidationException e) {
            throw placed(e, binding);
        }
    }

    private static RelDataType nullable(SqlOperatorBinding binding, DataType type) {
        return TypeMapping.relType((ChertTypeFactory) binding.getTypeFactory(), type, true);
    }

    private static ValidationException placed(ValidationException error, SqlOperatorBinding binding) {
        return binding instanceof SqlCallBinding call
                ? error.withPosition(ParseErrors.position(call.getCall().getParserPosition()))
                : error;
    }
}
