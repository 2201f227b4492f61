package dev.chert.planner.validate;

import java.math.BigDecimal;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;

/// Which types give way to which without a CAST.
///
/// Numbers become wider numbers, and a string *literal* becomes what stands beside it (`l_shipdate <
/// '1995-01-01'`). A column of strings beside a number or a date is an error that names both: converting it row
/// by row is slow at best and fails on some row at worst, and whoever means it can write the CAST.
final class Coercion extends TypeCoercionImpl {
    Coercion(RelDataTypeFactory factory, SqlValidator validator) {
        super(factory, validator);
    }

    @Override
    public boolean binaryArithmeticCoercion(SqlCallBinding binding) {
        return isAllowed(binding) && (integerBesideDecimal(binding) || super.binaryArithmeticCoercion(binding));
    }

    /// An integer literal counts as a DECIMAL of its own digits, not of all that an INTEGER can have.
    private boolean integerBesideDecimal(SqlCallBinding binding) {
        if (binding.getOperandCount() != 2 || !binding.getCall().getKind().belongsTo(SqlKind.BINARY_ARITHMETIC)) {
            return false;
        }
        for (int i = 0; i < 2; i++) {
            BigDecimal literal = integer(binding.operand(i));
            if (literal != null && SqlTypeUtil.isDecimal(binding.getOperandType(1 - i))) {
                RelDataType type = factory.createSqlType(SqlTypeName.DECIMAL, literal.precision(), 0);
                return coerceOperandType(binding.getScope(), binding.getCall(), i, type);
            }
        }
        return false;
    }

    /// The digits of an integer literal, with or without a sign before it; else null.
    private static BigDecimal integer(SqlNode node) {
        if (node.getKind() == SqlKind.MINUS_PREFIX || node.getKind() == SqlKind.PLUS_PREFIX) {
            return integer(((SqlCall) node).operand(0));
        }
        return node instanceof SqlNumericLiteral literal && literal.isInteger() ? literal.bigDecimalValue() : null;
    }

    @Override
    public boolean binaryComparisonCoercion(SqlCallBinding binding) {
        if (!isAllowed(binding)) {
            throw binding.newValidationSignatureError();
        }
        return super.binaryComparisonCoercion(binding);
    }

    @Override
    public boolean builtinFunctionCoercion(
            SqlCallBinding binding, List<RelDataType> types, List<SqlTypeFamily> expected) {
        for (int i = 0; i < types.size() && i < expected.size(); i++) {
            SqlTypeFamily family = expected.get(i);
            boolean text = family == SqlTypeFamily.CHARACTER || family == SqlTypeFamily.STRING;
            boolean any = family == SqlTypeFamily.ANY || family == SqlTypeFamily.IGNORE;
            if (!any
                    && !SqlTypeUtil.isNull(types.get(i))
                    && SqlTypeUtil.isCharacter(types.get(i)) != text
                    && !binding.isOperandLiteral(i, true)) {
                return false;
            }
        }
        return super.builtinFunctionCoercion(binding, types, expected);
    }

    private static boolean isAllowed(SqlCallBinding binding) {
        boolean stringColumn = false;
        boolean other = false;
        for (int i = 0; i < binding.getOperandCount(); i++) {
            RelDataType type = binding.getOperandType(i);
            if (!SqlTypeUtil.isCharacter(type)) {
                other |= !SqlTypeUtil.isNull(type);
            } else if (!binding.isOperandLiteral(i, true)) {
                stringColumn = true;
            }
        }
        return !(stringColumn && other);
    }
}
