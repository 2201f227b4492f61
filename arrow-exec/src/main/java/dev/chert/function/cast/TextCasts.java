package dev.chert.function.cast;

import dev.chert.batch.ScalarType;
import dev.chert.batch.StringView;
import dev.chert.function.CallContext;
import dev.chert.function.FunctionException;
import dev.chert.function.ScalarFunction;
import dev.chert.function.StringWriter;
import dev.chert.function.number.DecimalRounding;
import dev.chert.kernel.Int128;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/// Conversions between strings and numbers, truth values, byte strings and UUIDs.
final class TextCasts {
    private TextCasts() {}

    @ScalarFunction(name = "cast", signature = "(VARCHAR) -> VARCHAR; (VARCHAR) -> CHAR; (CHAR) -> CHAR")
    static void toText(CallContext context, StringView value, StringWriter out) {
        TextWriting.writeCut(context, value, out);
    }

    @ScalarFunction(name = "cast", signature = "(CHAR) -> VARCHAR")
    static void charToText(CallContext context, StringView value, StringWriter out) {
        TextWriting.writeCut(context, value, out);
    }

    @ScalarFunction(name = "cast")
    static boolean toBoolean(StringView value) {
        return NumberText.parseBoolean(value);
    }

    @ScalarFunction(name = "cast")
    static byte toByte(StringView value) {
        return (byte) NumberText.parseLong(value, Byte.MIN_VALUE, Byte.MAX_VALUE, "TINYINT");
    }

    @ScalarFunction(name = "cast")
    static short toShort(StringView value) {
        return (short) NumberText.parseLong(value, Short.MIN_VALUE, Short.MAX_VALUE, "SMALLINT");
    }

    @ScalarFunction(name = "cast")
    static int toInt(StringView value) {
        return (int) NumberText.parseLong(value, Integer.MIN_VALUE, Integer.MAX_VALUE, "INTEGER");
    }

    @ScalarFunction(name = "cast")
    static long toLong(StringView value) {
        return NumberText.parseLong(value, Long.MIN_VALUE, Long.MAX_VALUE, "BIGINT");
    }

    @ScalarFunction(name = "cast")
    static float toFloat(StringView value) {
        return (float) NumberText.parseDouble(value, "REAL");
    }

    @ScalarFunction(name = "cast")
    static double toDouble(StringView value) {
        return NumberText.parseDouble(value, "DOUBLE");
    }

    @ScalarFunction(name = "cast", signature = "(VARCHAR) -> DECIMAL")
    static void toDecimal(CallContext context, StringView value, Int128 result) {
        ScalarType type = context.resultType();
        BigDecimal rounded = DecimalRounding.toScale(NumberText.parseDecimal(value, type.toString()), type.scale());
        if (rounded.precision() > type.precision()) {
            throw FunctionException.overflow("'" + value + "'", type);
        }
        result.set(rounded.unscaledValue());
    }

    @ScalarFunction(name = "cast", signature = "(BOOLEAN) -> VARCHAR; (BOOLEAN) -> CHAR")
    static void fromBoolean(CallContext context, boolean value, StringWriter out) {
        TextWriting.write(context, Boolean.toString(value), out);
    }

    @ScalarFunction(name = "cast", signature = "(TINYINT) -> VARCHAR; (TINYINT) -> CHAR")
    static void fromByte(CallContext context, byte value, StringWriter out) {
        TextWriting.write(context, Byte.toString(value), out);
    }

    @ScalarFunction(name = "cast", signature = "(SMALLINT) -> VARCHAR; (SMALLINT) -> CHAR")
    static void fromShort(CallContext context, short value, StringWriter out) {
        TextWriting.write(context, Short.toString(value), out);
    }

    @ScalarFunction(name = "cast", signature = "(INTEGER) -> VARCHAR; (INTEGER) -> CHAR")
    static void fromInt(CallContext context, int value, StringWriter out) {
        TextWriting.write(context, Integer.toString(value), out);
    }

    @ScalarFunction(name = "cast", signature = "(BIGINT) -> VARCHAR; (BIGINT) -> CHAR")
    static void fromLong(CallContext context, long value, StringWriter out) {
        TextWriting.write(context, Long.toString(value), out);
    }

    @ScalarFunction(name = "cast", signature = "(REAL) -> VARCHAR; (REAL) -> CHAR")
    static void fromFloat(CallContext context, float value, StringWriter out) {
        TextWriting.write(context, Float.toString(value), out);
    }

    @ScalarFunction(name = "cast", signature = "(DOUBLE) -> VARCHAR; (DOUBLE) -> CHAR")
    static void fromDouble(CallContext context, double value, StringWriter out) {
        TextWriting.write(context, Double.toString(value), out);
    }

    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> VARCHAR; (DECIMAL) -> CHAR")
    static void fromDecimal(CallContext context, long value, StringWriter out) {
        int scale = context.argumentType(0).scale();
        TextWriting.write(context, BigDecimal.valueOf(value, scale).toPlainString(), out);
    }

    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> VARCHAR; (DECIMAL) -> CHAR")
    static void fromDecimal(CallContext context, Int128 value, StringWriter out) {
        int scale = context.argumentType(0).scale();
        TextWriting.write(context, value.toBigDecimal(scale).toPlainString(), out);
    }

    @ScalarFunction(name = "cast", signature = "(VARCHAR) -> VARBINARY; (VARBINARY) -> VARBINARY")
    static void toBytes(CallContext context, StringView value, StringWriter out) {
        int limit = context.resultType().precision();
        out.write(value, 0, limit == ScalarType.UNBOUNDED ? value.length() : Math.min(limit, value.length()));
    }

    @ScalarFunction(name = "cast", signature = "(VARBINARY) -> VARCHAR; (VARBINARY) -> CHAR")
    static void fromBytes(CallContext context, StringView value, StringWriter out) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value.toBytes()));
        } catch (CharacterCodingException e) {
            throw FunctionException.invalid("a byte string that is not UTF-8 is no %s", context.resultType());
        }
        TextWriting.writeCut(context, value, out);
    }

    @ScalarFunction(name = "cast", signature = "(VARCHAR) -> UUID")
    static void toUuid(StringView value, Int128 result) {
        String text = value.toString().strip();
        try {
            if (text.length() != 36) {
                throw NumberText.notA(value, "UUID");
            }
            set(UUID.fromString(text), result);
        } catch (IllegalArgumentException e) {
            throw NumberText.notA(value, "UUID");
        }
    }

    private static void set(UUID uuid, Int128 result) {
        result.set(Long.reverseBytes(uuid.getLeastSignificantBits()), Long.reverseBytes(uuid.getMostSignificantBits()));
    }

    @ScalarFunction(name = "cast", signature = "(UUID) -> VARCHAR; (UUID) -> CHAR")
    static void fromUuid(CallContext context, Int128 value, StringWriter out) {
        UUID uuid = new UUID(Long.reverseBytes(value.low()), Long.reverseBytes(value.high()));
        TextWriting.write(context, uuid.toString(), out);
    }

    @ScalarFunction(name = "cast", signature = "(VARBINARY) -> UUID")
    static void bytesToUuid(StringView value, Int128 result) {
        if (value.length() != 16) {
            throw FunctionException.invalid("a UUID has 16 bytes, not %d", value.length());
        }
        ByteBuffer bytes = ByteBuffer.wrap(value.toBytes());
        set(new UUID(bytes.getLong(), bytes.getLong()), result);
    }

    @ScalarFunction(name = "cast", signature = "(UUID) -> VARBINARY")
    static void uuidToBytes(Int128 value, StringWriter out) {
        out.write(ByteBuffer.allocate(16)
                .putLong(Long.reverseBytes(value.low()))
                .putLong(Long.reverseBytes(value.high()))
                .array());
    }
}
