package dev.chert.arrow;

import dev.chert.batch.ArrayType;
import dev.chert.batch.DataType;
import dev.chert.batch.Field;
import dev.chert.batch.MapType;
import dev.chert.batch.RowType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.error.TableException;
import java.util.List;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.FieldType;

/// Maps types between Chert and arrow-java.
///
/// Arrow types without a Chert type of their own come in as the next one that holds every value: unsigned
/// integers as the next wider signed type, unsigned 64-bit ones as DECIMAL(20, 0), half floats as REAL,
/// fixed-size binary as VARBINARY.
public final class ArrowSchemas {
    private ArrowSchemas() {}

    public static org.apache.arrow.vector.types.pojo.Schema toArrow(Schema schema) {
        return new org.apache.arrow.vector.types.pojo.Schema(
                schema.fields().stream().map(ArrowSchemas::toArrow).toList());
    }

    private static org.apache.arrow.vector.types.pojo.Field toArrow(Field field) {
        return new org.apache.arrow.vector.types.pojo.Field(
                field.name(), new FieldType(field.nullable(), toArrow(field.type(), field.name()), null), List.of());
    }

    private static ArrowType toArrow(DataType type, String column) {
        return switch (type) {
            case ScalarType scalar -> toArrow(scalar, column);
            case ArrayType _, MapType _, RowType _ -> throw refused(column, type.toString());
        };
    }

    private static ArrowType toArrow(ScalarType type, String column) {
        return switch (type.kind()) {
            case BOOLEAN -> ArrowType.Bool.INSTANCE;
            case TINYINT -> new ArrowType.Int(8, true);
            case SMALLINT -> new ArrowType.Int(16, true);
            case INTEGER -> new ArrowType.Int(32, true);
            case BIGINT -> new ArrowType.Int(64, true);
            case REAL -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
            case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case DECIMAL -> new ArrowType.Decimal(type.precision(), type.scale(), 128);
            case DATE -> new ArrowType.Date(DateUnit.DAY);
            case TIME -> new ArrowType.Time(unit(type), type.precision() <= 3 ? 32 : 64);
            case TIMESTAMP -> new ArrowType.Timestamp(unit(type), null);
            case TIMESTAMP_LTZ -> new ArrowType.Timestamp(unit(type), "UTC");
            case INTERVAL_YEAR_MONTH -> new ArrowType.Interval(IntervalUnit.YEAR_MONTH);
            case INTERVAL_DAY_TIME -> new ArrowType.Duration(unit(type));
            case CHAR, VARCHAR -> ArrowType.Utf8.INSTANCE;
            case VARBINARY -> ArrowType.Binary.INSTANCE;
            case UUID -> new ArrowType.FixedSizeBinary(16);
            case NULL -> ArrowType.Null.INSTANCE;
            case OPAQUE, ARRAY, MAP, ROW -> throw refused(column, type.toString());
        };
    }

    private static TimeUnit unit(ScalarType type) {
        int digits = type.precision();
        return digits == 0
                ? TimeUnit.SECOND
                : digits <= 3 ? TimeUnit.MILLISECOND : digits <= 6 ? TimeUnit.MICROSECOND : TimeUnit.NANOSECOND;
    }

    /// @throws TableException for a column of a type that has no Chert type, naming both
    public static Schema fromArrow(org.apache.arrow.vector.types.pojo.Schema schema) {
        return new Schema(schema.getFields().stream()
                .map(field -> new Field(field.getName(), fromArrow(field), field.isNullable()))
                .toList());
    }

    private static DataType fromArrow(org.apache.arrow.vector.types.pojo.Field field) {
        if (field.getDictionary() != null) {
            throw new TableException("column " + field.getName()
                    + " is dictionary-encoded: decode it with DictionaryEncoder.decode before handing it over");
        }
        return switch (field.getType()) {
            case ArrowType.Null _ -> ScalarType.NULL;
            case ArrowType.Bool _ -> ScalarType.BOOLEAN;
            case ArrowType.Int type -> fromInt(type);
            case ArrowType.FloatingPoint type ->
                type.getPrecision() == FloatingPointPrecision.DOUBLE ? ScalarType.DOUBLE : ScalarType.REAL;
            case ArrowType.Decimal type
            when type.getBitWidth() <= 128 && type.getScale() >= 0 ->
                ScalarType.decimal(Math.max(type.getPrecision(), type.getScale()), type.getScale());
            case ArrowType.Date _ -> ScalarType.DATE;
            case ArrowType.Time type -> ScalarType.time(digits(type.getUnit()));
            case ArrowType.Timestamp type ->
                type.getTimezone() == null
                        ? ScalarType.timestamp(digits(type.getUnit()))
                        : ScalarType.timestampLtz(digits(type.getUnit()));
            case ArrowType.Interval type
            when type.getUnit() == IntervalUnit.YEAR_MONTH -> ScalarType.INTERVAL_YEAR_MONTH;
            case ArrowType.Duration type -> ScalarType.intervalDayTime(digits(type.getUnit()));
            case ArrowType.Utf8 _, ArrowType.LargeUtf8 _, ArrowType.Utf8View _ -> ScalarType.VARCHAR;
            case ArrowType.Binary _, ArrowType.LargeBinary _, ArrowType.BinaryView _ -> ScalarType.VARBINARY;
            case ArrowType.FixedSizeBinary _ -> ScalarType.VARBINARY;
            case ArrowType type -> throw refused(field.getName(), "Arrow " + type);
        };
    }

    private static ScalarType fromInt(ArrowType.Int type) {
        return switch (type.getBitWidth()) {
            case 8 -> type.getIsSigned() ? ScalarType.TINYINT : ScalarType.SMALLINT;
            case 16 -> type.getIsSigned() ? ScalarType.SMALLINT : ScalarType.INTEGER;
            case 32 -> type.getIsSigned() ? ScalarType.INTEGER : ScalarType.BIGINT;
            default -> type.getIsSigned() ? ScalarType.BIGINT : ScalarType.decimal(20, 0);
        };
    }

    private static int digits(TimeUnit unit) {
        return switch (unit) {
            case SECOND -> 0;
            case MILLISECOND -> 3;
            case MICROSECOND -> 6;
            case NANOSECOND -> 9;
        };
    }

    private static TableException refused(String column, String type) {
        return new TableException("column " + column + ": " + type
                + " does not cross the border to Arrow; cast it to a scalar type, or leave the column out");
    }
}
