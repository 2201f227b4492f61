package dev.chert.formats.parquet;

import dev.chert.batch.ArrayType;
import dev.chert.batch.DataType;
import dev.chert.batch.Field;
import dev.chert.batch.MapType;
import dev.chert.batch.RowType;
import dev.chert.batch.ScalarType;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.TimeType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.Type;

/// Turns a file's schema, a tree written depth first, into columns with SQL types.
///
/// A logical type wins over the older converted type. An annotation that the physical type cannot carry, or that
/// is unknown, is left aside, as the format says: the column then has the type of its physical values. A column
/// that cannot be read stays in the schema with a type and says why when it is read.
/// Source: parquet.thrift, `SchemaElement`; LogicalTypes.md.
final class SchemaReader {
    private static final String NESTED = "is nested; read its file without it, nested columns are not supported yet";
    private static final int MOST_NESTED = 64;
    private static final int MOST_DECIMAL_LENGTH = 64;

    private final List<SchemaElement> elements;
    private final Location file;
    private int next;
    private int leaves;

    private SchemaReader(List<SchemaElement> elements, Location file) {
        this.elements = elements;
        this.file = file;
    }

    /// The columns of a schema, and how many leaves it has.
    ///
    /// @param leaves column chunks that each row group has
    record Columns(List<ParquetColumn> columns, int leaves) {}

    static Columns read(List<SchemaElement> elements, Location file) {
        if (elements.isEmpty()) {
            throw file.corrupt("the schema is empty");
        }
        SchemaReader reader = new SchemaReader(elements, file);
        int children = reader.childCount(reader.element());
        List<ParquetColumn> columns = new ArrayList<>();
        for (int i = 0; i < children; i++) {
            columns.add(reader.column());
        }
        if (reader.next != elements.size()) {
            throw file.corrupt("the schema has %d elements, its tree has places for %d", elements.size(), reader.next);
        }
        return new Columns(columns, reader.leaves);
    }

    private SchemaElement element() {
        if (next == elements.size()) {
            throw file.corrupt("the schema ends after %d elements, within a group", next);
        }
        return elements.get(next++);
    }

    private int childCount(SchemaElement element) {
        int count = element.isSetNum_children() ? element.getNum_children() : 0;
        if (count < 0 || count > elements.size() - next) {
            throw file.corrupt(
                    "schema element %s claims %d children, %d elements follow",
                    element.getName(), count, elements.size() - next);
        }
        return count;
    }

    private ParquetColumn column() {
        int leaf = leaves;
        SchemaElement element = upcoming();
        if (element.isSetType()) {
            ParquetColumn column = primitive(element());
            return element.getRepetition_type() == FieldRepetitionType.REPEATED
                    ? refused(element, new ArrayType(new Field("element", column.type(), false)), leaf, NESTED)
                    : column;
        }
        return refused(element, nested(0), leaf, NESTED);
    }

    private static ParquetColumn refused(SchemaElement element, DataType type, int leaf, String refusal) {
        return new ParquetColumn(element.getName(), type, isNullable(element), leaf, null, 0, null, refusal);
    }

    private static boolean isNullable(SchemaElement element) {
        return element.getRepetition_type() == FieldRepetitionType.OPTIONAL;
    }

    /// The type of the element that comes next, with all that lies below it.
    private DataType nested(int depth) {
        if (depth > MOST_NESTED) {
            throw file.corrupt("the schema is nested more than %d levels deep", MOST_NESTED);
        }
        SchemaElement element = element();
        if (element.isSetType()) {
            next--;
            return primitive(element()).type();
        }
        int children = childCount(element);
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < children; i++) {
            SchemaElement child = upcoming();
            DataType type = nested(depth + 1);
            if (child.getRepetition_type() == FieldRepetitionType.REPEATED && !isList(element) && !isMap(element)) {
                type = new ArrayType(new Field("element", type, false));
            }
            fields.add(new Field(child.getName(), type, isNullable(child)));
        }
        if (isList(element) && fields.size() == 1) {
            DataType repeated = fields.getFirst().type();
            return repeated instanceof RowType row && row.fields().size() == 1
                    ? new ArrayType(row.fields().getFirst())
                    : new ArrayType(new Field("element", repeated, false));
        }
        if (isMap(element)
                && fields.size() == 1
                && fields.getFirst().type() instanceof RowType entry
                && entry.fields().size() == 2) {
            return new MapType(entry.fields().get(0).type(), entry.fields().get(1));
        }
        return new RowType(fields);
    }

    private SchemaElement upcoming() {
        SchemaElement element = element();
        next--;
        return element;
    }

    private static boolean isList(SchemaElement element) {
        return element.isSetLogicalType()
                ? element.getLogicalType().isSetLIST()
                : element.getConverted_type() == ConvertedType.LIST;
    }

    private static boolean isMap(SchemaElement element) {
        return element.isSetLogicalType()
                ? element.getLogicalType().isSetMAP()
                : element.getConverted_type() == ConvertedType.MAP
                        || element.getConverted_type() == ConvertedType.MAP_KEY_VALUE;
    }

    /// A column's type and form, or its type and why it is refused.
    private record Reading(DataType type, ValueForm form, String refusal) {
        static Reading as(DataType type, ValueForm form) {
            return new Reading(type, form, null);
        }

        static Reading refused(String format, Object... arguments) {
            return new Reading(ScalarType.OPAQUE, null, format.formatted(arguments));
        }
    }

    private ParquetColumn primitive(SchemaElement element) {
        if (element.isSetNum_children() && element.getNum_children() > 0) {
            throw file.corrupt("schema element %s has both a type and children", element.getName());
        }
        int length = 0;
        if (element.getType() == Type.FIXED_LEN_BYTE_ARRAY) {
            length = element.getType_length();
            if (length < 1) {
                throw file.inColumn(element.getName())
                        .corrupt("the length of its FIXED_LEN_BYTE_ARRAY is %d, expected at least 1", length);
            }
        }
        Reading reading = reading(element, length);
        return new ParquetColumn(
                element.getName(),
                reading.type(),
                isNullable(element),
                leaves++,
                element.getType(),
                length,
                reading.form(),
                reading.refusal());
    }

    private static Reading reading(SchemaElement element, int length) {
        Reading annotated = element.isSetLogicalType()
                ? byLogicalType(element, element.getLogicalType(), length)
                : element.isSetConverted_type() ? byConvertedType(element, element.getConverted_type(), length) : null;
        return annotated != null ? annotated : byPhysicalType(element.getType());
    }

    private static Reading byPhysicalType(Type type) {
        return switch (type) {
            case BOOLEAN -> Reading.as(ScalarType.BOOLEAN, ValueForm.BOOLEAN);
            case INT32 -> Reading.as(ScalarType.INTEGER, ValueForm.INT32);
            case INT64 -> Reading.as(ScalarType.BIGINT, ValueForm.INT64);
            case INT96 -> Reading.as(ScalarType.timestamp(6), ValueForm.INT96_AS_MICROS);
            case FLOAT -> Reading.as(ScalarType.REAL, ValueForm.FLOAT);
            case DOUBLE -> Reading.as(ScalarType.DOUBLE, ValueForm.DOUBLE);
            case BYTE_ARRAY -> Reading.as(ScalarType.VARBINARY, ValueForm.BYTES);
            case FIXED_LEN_BYTE_ARRAY -> Reading.as(ScalarType.VARBINARY, ValueForm.FIXED_BYTES);
        };
    }

    /// @return null where the annotation says nothing about the physical type
    private static Reading byLogicalType(SchemaElement element, LogicalType logical, int length) {
        if (logical.getSetField() == null) {
            return null; // of a newer format
        }
        Type type = element.getType();
        return switch (logical.getSetField()) {
            case STRING, ENUM, JSON -> string(type);
            case DECIMAL -> {
                DecimalType decimal = logical.getDECIMAL();
                yield decimal(type, length, decimal.getPrecision(), decimal.getScale());
            }
            case DATE -> type == Type.INT32 ? Reading.as(ScalarType.DATE, ValueForm.INT32) : null;
            case TIME -> {
                TimeType time = logical.getTIME();
                yield time(type, time.getUnit());
            }
            case TIMESTAMP -> {
                TimestampType timestamp = logical.getTIMESTAMP();
                yield timestamp(type, timestamp.getUnit(), timestamp.isIsAdjustedToUTC());
            }
            case INTEGER -> {
                IntType integer = logical.getINTEGER();
                yield integer(type, integer.getBitWidth(), integer.isIsSigned());
            }
            case UUID ->
                type == Type.FIXED_LEN_BYTE_ARRAY && length == 16 ? Reading.as(ScalarType.UUID, ValueForm.UUID) : null;
            case FLOAT16 ->
                type == Type.FIXED_LEN_BYTE_ARRAY && length == 2
                        ? Reading.as(ScalarType.REAL, ValueForm.FLOAT16)
                        : null;
            case BSON, UNKNOWN, GEOMETRY, GEOGRAPHY, MAP, LIST, VARIANT -> null;
        };
    }

    /// @return null where the annotation says nothing about the physical type
    private static Reading byConvertedType(SchemaElement element, ConvertedType converted, int length) {
        Type type = element.getType();
        return switch (converted) {
            case UTF8, ENUM, JSON -> string(type);
            case DECIMAL -> decimal(type, length, element.getPrecision(), element.getScale());
            case DATE -> type == Type.INT32 ? Reading.as(ScalarType.DATE, ValueForm.INT32) : null;
            case TIME_MILLIS -> type == Type.INT32 ? Reading.as(ScalarType.time(3), ValueForm.TIME_MILLIS) : null;
            case TIME_MICROS -> type == Type.INT64 ? Reading.as(ScalarType.time(6), ValueForm.TIME_MICROS) : null;
            case TIMESTAMP_MILLIS ->
                type == Type.INT64 ? Reading.as(ScalarType.timestampLtz(3), ValueForm.INT64) : null;
            case TIMESTAMP_MICROS ->
                type == Type.INT64 ? Reading.as(ScalarType.timestampLtz(6), ValueForm.INT64) : null;
            case INT_8 -> integer(type, 8, true);
            case INT_16 -> integer(type, 16, true);
            case INT_32 -> integer(type, 32, true);
            case INT_64 -> integer(type, 64, true);
            case UINT_8 -> integer(type, 8, false);
            case UINT_16 -> integer(type, 16, false);
            case UINT_32 -> integer(type, 32, false);
            case UINT_64 -> integer(type, 64, false);
            case INTERVAL ->
                type == Type.FIXED_LEN_BYTE_ARRAY && length == 12
                        ? Reading.refused("is an INTERVAL of months, days and milliseconds, for which there is no SQL"
                                + " type here; write months or milliseconds as an integer column instead")
                        : null;
            case BSON, MAP, MAP_KEY_VALUE, LIST -> null;
        };
    }

    private static Reading string(Type type) {
        return type == Type.BYTE_ARRAY ? Reading.as(ScalarType.VARCHAR, ValueForm.STRING) : null;
    }

    private static Reading integer(Type type, int bits, boolean signed) {
        return switch (type) {
            case INT32 ->
                switch (bits) {
                    case 8 ->
                        signed
                                ? Reading.as(ScalarType.TINYINT, ValueForm.INT32_AS_INT8)
                                : Reading.as(ScalarType.SMALLINT, ValueForm.UINT8_AS_INT16);
                    case 16 ->
                        signed
                                ? Reading.as(ScalarType.SMALLINT, ValueForm.INT32_AS_INT16)
                                : Reading.as(ScalarType.INTEGER, ValueForm.UINT16_AS_INT32);
                    case 32 -> signed ? null : Reading.as(ScalarType.BIGINT, ValueForm.UINT32_AS_INT64);
                    default -> null;
                };
            case INT64 ->
                bits == 64 && !signed ? Reading.as(ScalarType.decimal(20, 0), ValueForm.UINT64_AS_INT128) : null;
            case BOOLEAN, INT96, FLOAT, DOUBLE, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> null;
        };
    }

    private static Reading time(Type type, TimeUnit unit) {
        if (unit.isSetMILLIS()) {
            return type == Type.INT32 ? Reading.as(ScalarType.time(3), ValueForm.TIME_MILLIS) : null;
        }
        if (type != Type.INT64) {
            return null;
        }
        return unit.isSetMICROS()
                ? Reading.as(ScalarType.time(6), ValueForm.TIME_MICROS)
                : unit.isSetNANOS() ? Reading.as(ScalarType.time(9), ValueForm.TIME_NANOS) : null;
    }

    private static Reading timestamp(Type type, TimeUnit unit, boolean isAdjustedToUtc) {
        int digits = unit.isSetMILLIS() ? 3 : unit.isSetMICROS() ? 6 : unit.isSetNANOS() ? 9 : -1;
        if (type != Type.INT64 || digits < 0) {
            return null;
        }
        return Reading.as(
                isAdjustedToUtc ? ScalarType.timestampLtz(digits) : ScalarType.timestamp(digits), ValueForm.INT64);
    }

    private static Reading decimal(Type type, int length, int precision, int scale) {
        if (precision < 1 || scale < 0 || scale > precision) {
            return Reading.refused(
                    "is DECIMAL(%d, %d); expected a precision of at least 1 and a scale from 0 to the precision",
                    precision, scale);
        }
        if (precision > ScalarType.MAX_DECIMAL_PRECISION) {
            return Reading.refused(
                    "is DECIMAL(%d, %d), more than 38 digits are not supported; write it as DOUBLE or VARCHAR",
                    precision, scale);
        }
        ScalarType decimal = ScalarType.decimal(precision, scale);
        boolean isLong = precision <= ScalarType.MAX_LONG_PRECISION;
        return switch (type) {
            case INT32 ->
                isLong
                        ? Reading.as(decimal, ValueForm.INT32_AS_INT64)
                        : Reading.refused("is %s stored as INT32, which holds 9 digits", decimal);
            case INT64 -> Reading.as(decimal, isLong ? ValueForm.INT64 : ValueForm.INT64_AS_INT128);
            case BYTE_ARRAY -> Reading.as(decimal, isLong ? ValueForm.DECIMAL_AS_INT64 : ValueForm.DECIMAL_AS_INT128);
            case FIXED_LEN_BYTE_ARRAY ->
                length > MOST_DECIMAL_LENGTH
                        ? Reading.refused("is %s stored in %d bytes, more than 64 are not supported", decimal, length)
                        : Reading.as(
                                decimal, isLong ? ValueForm.FIXED_DECIMAL_AS_INT64 : ValueForm.FIXED_DECIMAL_AS_INT128);
            case BOOLEAN, INT96, FLOAT, DOUBLE -> null;
        };
    }
}
