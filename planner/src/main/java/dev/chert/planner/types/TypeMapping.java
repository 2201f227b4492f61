package dev.chert.planner.types;

import dev.chert.batch.ArrayType;
import dev.chert.batch.DataType;
import dev.chert.batch.Field;
import dev.chert.batch.MapType;
import dev.chert.batch.RowType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.error.TableException;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/// Between Calcite's types and ours, field by field.
public final class TypeMapping {
    /// Fraction digits of a day-time interval: Calcite's own literals are in milliseconds.
    private static final int INTERVAL_DIGITS = 6;

    private TypeMapping() {}

    public static Schema schema(RelDataType row) {
        return new Schema(row.getFieldList().stream().map(TypeMapping::field).toList());
    }

    private static Field field(RelDataTypeField field) {
        return new Field(
                field.getName(), dataType(field.getType()), field.getType().isNullable());
    }

    /// @throws TableException naming a type that has no columns here
    public static DataType dataType(RelDataType type) {
        return switch (type.getSqlTypeName()) {
            case BOOLEAN -> ScalarType.BOOLEAN;
            case TINYINT -> ScalarType.TINYINT;
            case SMALLINT -> ScalarType.SMALLINT;
            case INTEGER -> ScalarType.INTEGER;
            case BIGINT -> ScalarType.BIGINT;
            case REAL, FLOAT -> ScalarType.REAL;
            case DOUBLE -> ScalarType.DOUBLE;
            case DECIMAL -> ScalarType.decimal(type.getPrecision(), type.getScale());
            case DATE -> ScalarType.DATE;
            case TIME -> ScalarType.time(type.getPrecision());
            case TIMESTAMP -> ScalarType.timestamp(type.getPrecision());
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE, TIMESTAMP_TZ -> ScalarType.timestampLtz(type.getPrecision());
            case INTERVAL_YEAR, INTERVAL_YEAR_MONTH, INTERVAL_MONTH -> ScalarType.INTERVAL_YEAR_MONTH;
            case INTERVAL_DAY,
                    INTERVAL_DAY_HOUR,
                    INTERVAL_DAY_MINUTE,
                    INTERVAL_DAY_SECOND,
                    INTERVAL_HOUR,
                    INTERVAL_HOUR_MINUTE,
                    INTERVAL_HOUR_SECOND,
                    INTERVAL_MINUTE,
                    INTERVAL_MINUTE_SECOND,
                    INTERVAL_SECOND -> ScalarType.intervalDayTime(INTERVAL_DIGITS);
            case CHAR -> ScalarType.character(Math.max(1, type.getPrecision()));
            case VARCHAR -> ScalarType.VARCHAR;
            case BINARY, VARBINARY -> ScalarType.VARBINARY;
            case UUID -> ScalarType.UUID;
            case NULL -> ScalarType.NULL;
            case ARRAY, MULTISET ->
                new ArrayType(new Field(
                        "element",
                        dataType(type.getComponentType()),
                        type.getComponentType().isNullable()));
            case MAP ->
                new MapType(
                        dataType(type.getKeyType()),
                        new Field(
                                "value",
                                dataType(type.getValueType()),
                                type.getValueType().isNullable()));
            case ROW, STRUCTURED -> new RowType(schema(type).fields());
            default -> throw new TableException("the type " + type + " is not supported");
        };
    }

    public static RelDataType relType(ChertTypeFactory factory, Schema schema) {
        return relType(factory, schema.fields());
    }

    private static RelDataType relType(ChertTypeFactory factory, List<Field> fields) {
        var builder = factory.builder();
        for (Field field : fields) {
            builder.add(field.name(), relType(factory, field.type(), field.nullable()));
        }
        return builder.build();
    }

    public static RelDataType relType(ChertTypeFactory factory, DataType type, boolean nullable) {
        RelDataType made = switch (type) {
            case ScalarType scalar -> scalar(factory, scalar);
            case ArrayType array ->
                factory.createArrayType(
                        relType(factory, array.element().type(), array.element().nullable()), -1);
            case MapType map ->
                factory.createMapType(
                        relType(factory, map.key(), false),
                        relType(factory, map.value().type(), map.value().nullable()));
            case RowType row -> relType(factory, row.fields());
        };
        return factory.createTypeWithNullability(made, nullable);
    }

    private static RelDataType scalar(ChertTypeFactory factory, ScalarType type) {
        return switch (type.kind()) {
            case BOOLEAN -> factory.createSqlType(SqlTypeName.BOOLEAN);
            case TINYINT -> factory.createSqlType(SqlTypeName.TINYINT);
            case SMALLINT -> factory.createSqlType(SqlTypeName.SMALLINT);
            case INTEGER -> factory.createSqlType(SqlTypeName.INTEGER);
            case BIGINT -> factory.createSqlType(SqlTypeName.BIGINT);
            case REAL -> factory.createSqlType(SqlTypeName.REAL);
            case DOUBLE -> factory.createSqlType(SqlTypeName.DOUBLE);
            case DECIMAL -> factory.createSqlType(SqlTypeName.DECIMAL, type.precision(), type.scale());
            case DATE -> factory.createSqlType(SqlTypeName.DATE);
            case TIME -> factory.createSqlType(SqlTypeName.TIME, type.precision());
            case TIMESTAMP -> factory.createSqlType(SqlTypeName.TIMESTAMP, type.precision());
            case TIMESTAMP_LTZ -> factory.createSqlType(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, type.precision());
            case INTERVAL_YEAR_MONTH ->
                factory.createSqlIntervalType(
                        new SqlIntervalQualifier(TimeUnit.YEAR, TimeUnit.MONTH, SqlParserPos.ZERO));
            case INTERVAL_DAY_TIME ->
                factory.createSqlIntervalType(
                        new SqlIntervalQualifier(TimeUnit.DAY, TimeUnit.SECOND, SqlParserPos.ZERO));
            case CHAR -> factory.fixedChar(type.precision());
            case VARCHAR -> factory.createSqlType(SqlTypeName.VARCHAR);
            case VARBINARY -> factory.createSqlType(SqlTypeName.VARBINARY);
            case UUID -> factory.createSqlType(SqlTypeName.UUID);
            case NULL -> factory.createSqlType(SqlTypeName.NULL);
            case OPAQUE -> factory.createSqlType(SqlTypeName.ANY);
            case ARRAY, MAP, ROW -> throw new AssertionError(type);
        };
    }

    /// The type as messages write it.
    public static String text(RelDataType type) {
        return switch (type.getSqlTypeName()) {
            case ANY,
                    OTHER,
                    SYMBOL,
                    CURSOR,
                    COLUMN_LIST,
                    DISTINCT,
                    SARG,
                    FUNCTION,
                    MEASURE,
                    VARIANT,
                    GEOMETRY,
                    DYNAMIC_STAR,
                    UNKNOWN -> type.getSqlTypeName().getName();
            default -> dataType(type).toString();
        };
    }
}
