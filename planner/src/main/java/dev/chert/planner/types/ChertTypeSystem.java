package dev.chert.planner.types;

import static dev.chert.batch.ScalarType.MAX_DECIMAL_PRECISION;

import java.math.RoundingMode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/// How wide types are, and what arithmetic and aggregates give.
///
/// DECIMAL results follow SQL Server's rules: where 38 digits are not enough, digits after the point go first, down to
/// six. Source: Transact-SQL reference, "Precision, scale, and length".
public final class ChertTypeSystem extends RelDataTypeSystemImpl {
    public static final ChertTypeSystem INSTANCE = new ChertTypeSystem();

    /// Digits after the point that a result keeps although its integral part may overflow.
    private static final int KEPT_SCALE = 6;

    private static final int MAX_FRACTION_DIGITS = 9;
    private static final int DEFAULT_TIMESTAMP_DIGITS = 6;

    private ChertTypeSystem() {}

    @Override
    public int getMaxPrecision(SqlTypeName type) {
        return switch (type) {
            case DECIMAL -> MAX_DECIMAL_PRECISION;
            case TIME, TIME_WITH_LOCAL_TIME_ZONE, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> MAX_FRACTION_DIGITS;
            case CHAR, VARCHAR, BINARY, VARBINARY -> Integer.MAX_VALUE;
            default -> super.getMaxPrecision(type);
        };
    }

    @Override
    public int getMaxScale(SqlTypeName type) {
        return type == SqlTypeName.DECIMAL ? MAX_DECIMAL_PRECISION : super.getMaxScale(type);
    }

    @Override
    public int getDefaultPrecision(SqlTypeName type) {
        return switch (type) {
            case DECIMAL -> 18;
            case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> DEFAULT_TIMESTAMP_DIGITS;
            case TIME, TIME_WITH_LOCAL_TIME_ZONE -> DEFAULT_TIMESTAMP_DIGITS;
            case VARCHAR, VARBINARY, BINARY -> RelDataType.PRECISION_NOT_SPECIFIED;
            default -> super.getDefaultPrecision(type);
        };
    }

    @Override
    public int getDefaultScale(SqlTypeName type) {
        return type == SqlTypeName.DECIMAL ? 3 : super.getDefaultScale(type);
    }

    @Override
    public RoundingMode roundingMode() {
        return RoundingMode.HALF_UP;
    }

    @Override
    public boolean shouldConvertRaggedUnionTypesToVarying() {
        return true;
    }

    @Override
    public RelDataType deriveSumType(RelDataTypeFactory factory, RelDataType argument) {
        RelDataType sum = SqlTypeUtil.isIntType(argument)
                ? factory.createSqlType(SqlTypeName.BIGINT)
                : SqlTypeUtil.isDecimal(argument)
                        ? factory.createSqlType(SqlTypeName.DECIMAL, MAX_DECIMAL_PRECISION, argument.getScale())
                        : SqlTypeUtil.isApproximateNumeric(argument)
                                ? factory.createSqlType(SqlTypeName.DOUBLE)
                                : argument;
        return factory.createTypeWithNullability(sum, argument.isNullable());
    }

    @Override
    public RelDataType deriveAvgAggType(RelDataTypeFactory factory, RelDataType argument) {
        RelDataType average = SqlTypeUtil.isDecimal(argument)
                ? factory.createSqlType(
                        SqlTypeName.DECIMAL, MAX_DECIMAL_PRECISION, Math.max(argument.getScale(), KEPT_SCALE))
                : SqlTypeUtil.isIntType(argument) || SqlTypeUtil.isApproximateNumeric(argument)
                        ? factory.createSqlType(SqlTypeName.DOUBLE)
                        : argument;
        return factory.createTypeWithNullability(average, argument.isNullable());
    }

    @Override
    public RelDataType deriveDecimalPlusType(RelDataTypeFactory factory, RelDataType left, RelDataType right) {
        if (!isDecimal(left, right)) {
            return null;
        }
        int integral = Math.max(integralDigits(left), integralDigits(right));
        int scale = Math.max(left.getScale(), right.getScale());
        if (integral + scale + 1 > MAX_DECIMAL_PRECISION) {
            scale = Math.max(Math.min(scale, MAX_DECIMAL_PRECISION - integral), Math.min(scale, KEPT_SCALE));
        }
        return decimal(factory, integral + scale + 1, scale);
    }

    @Override
    public RelDataType deriveDecimalMultiplyType(RelDataTypeFactory factory, RelDataType left, RelDataType right) {
        if (!isDecimal(left, right)) {
            return null;
        }
        return reduced(factory, left.getPrecision() + right.getPrecision(), left.getScale() + right.getScale());
    }

    @Override
    public RelDataType deriveDecimalDivideType(RelDataTypeFactory factory, RelDataType left, RelDataType right) {
        if (!isDecimal(left, right)) {
            return null;
        }
        int scale = Math.max(KEPT_SCALE, left.getScale() + right.getPrecision() + 1);
        return reduced(factory, integralDigits(left) + right.getScale() + scale, scale);
    }

    @Override
    public RelDataType deriveDecimalModType(RelDataTypeFactory factory, RelDataType left, RelDataType right) {
        if (!isDecimal(left, right)) {
            return null;
        }
        int integral = Math.min(integralDigits(left), integralDigits(right));
        int scale = Math.max(left.getScale(), right.getScale());
        return reduced(factory, Math.max(1, integral + scale), scale);
    }

    /// Takes digits after the point away until the integral part fits, but leaves [#KEPT_SCALE].
    private static RelDataType reduced(RelDataTypeFactory factory, int precision, int scale) {
        int integral = precision - scale;
        int kept = precision <= MAX_DECIMAL_PRECISION
                ? scale
                : Math.max(MAX_DECIMAL_PRECISION - integral, Math.min(scale, KEPT_SCALE));
        return decimal(factory, integral + kept, kept);
    }

    private static RelDataType decimal(RelDataTypeFactory factory, int precision, int scale) {
        return factory.createSqlType(SqlTypeName.DECIMAL, Math.min(precision, MAX_DECIMAL_PRECISION), scale);
    }

    private static boolean isDecimal(RelDataType left, RelDataType right) {
        return SqlTypeUtil.isExactNumeric(left)
                && SqlTypeUtil.isExactNumeric(right)
                && (SqlTypeUtil.isDecimal(left) || SqlTypeUtil.isDecimal(right));
    }

    private static int integralDigits(RelDataType type) {
        return type.getPrecision() - type.getScale();
    }
}
