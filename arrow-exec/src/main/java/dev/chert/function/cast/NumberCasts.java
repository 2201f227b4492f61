package dev.chert.function.cast;

import dev.chert.batch.ScalarType;
import dev.chert.function.CallContext;
import dev.chert.function.FunctionException;
import dev.chert.function.ScalarFunction;
import dev.chert.function.number.DecimalRounding;
import dev.chert.function.number.PowersOfTen;
import dev.chert.kernel.Int128;
import java.math.BigDecimal;
import java.math.RoundingMode;

/// Conversions to and from DECIMAL. A 64-bit form raises [ArithmeticException] where only 128 bits may be enough,
/// and says [FunctionException] where no form is.
final class NumberCasts {
    private NumberCasts() {}

    @ScalarFunction(name = "cast", signature = "(TINYINT) -> DECIMAL")
    static long toDecimal(CallContext context, byte value) {
        return toDecimal(context, (long) value);
    }

    @ScalarFunction(name = "cast", signature = "(SMALLINT) -> DECIMAL")
    static long toDecimal(CallContext context, short value) {
        return toDecimal(context, (long) value);
    }

    @ScalarFunction(name = "cast", signature = "(INTEGER) -> DECIMAL")
    static long toDecimal(CallContext context, int value) {
        return toDecimal(context, (long) value);
    }

    @ScalarFunction(name = "cast", signature = "(BIGINT) -> DECIMAL")
    static long toDecimal(CallContext context, long value) {
        ScalarType type = context.resultType();
        return checked(value, DecimalRounding.rescale(value, type.scale()), 0, type);
    }

    @ScalarFunction(name = "cast", signature = "(TINYINT) -> DECIMAL")
    static void toDecimal(CallContext context, byte value, Int128 result) {
        rescaleChecked(new Int128().set(value), 0, context.resultType(), result);
    }

    @ScalarFunction(name = "cast", signature = "(SMALLINT) -> DECIMAL")
    static void toDecimal(CallContext context, short value, Int128 result) {
        rescaleChecked(new Int128().set(value), 0, context.resultType(), result);
    }

    @ScalarFunction(name = "cast", signature = "(INTEGER) -> DECIMAL")
    static void toDecimal(CallContext context, int value, Int128 result) {
        rescaleChecked(new Int128().set(value), 0, context.resultType(), result);
    }

    @ScalarFunction(name = "cast", signature = "(BIGINT) -> DECIMAL")
    static void toDecimal(CallContext context, long value, Int128 result) {
        rescaleChecked(new Int128().set(value), 0, context.resultType(), result);
    }

    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> DECIMAL")
    static long decimalToDecimal(CallContext context, long value) {
        ScalarType from = context.argumentType(0);
        ScalarType type = context.resultType();
        long result = DecimalRounding.rescale(value, type.scale() - from.scale());
        return checked(value, result, from.scale(), type);
    }

    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> DECIMAL")
    static void decimalToDecimal(CallContext context, Int128 value, Int128 result) {
        rescaleChecked(value, context.argumentType(0).scale(), context.resultType(), result);
    }

    private static long checked(long value, long result, int scale, ScalarType type) {
        if (type.precision() <= ScalarType.MAX_LONG_PRECISION) {
            long limit = PowersOfTen.longPower(type.precision());
            if (result >= limit || result <= -limit) {
                throw FunctionException.overflow(BigDecimal.valueOf(value, scale), type);
            }
        }
        return result;
    }

    private static void rescaleChecked(Int128 value, int scale, ScalarType type, Int128 result) {
        try {
            DecimalRounding.rescale(value, type.scale() - scale, result);
            result.checkDigits(type.precision());
        } catch (ArithmeticException e) {
            throw FunctionException.overflow(value.toBigDecimal(scale), type);
        }
    }

    @ScalarFunction(name = "cast", signature = "(REAL) -> DECIMAL")
    static void toDecimal(CallContext context, float value, Int128 result) {
        // the shortest decimal of a float, not the exact value of its bits
        toDecimal(context, value, Float.isFinite(value) ? new BigDecimal(Float.toString(value)) : null, result);
    }

    @ScalarFunction(name = "cast", signature = "(DOUBLE) -> DECIMAL")
    static void toDecimal(CallContext context, double value, Int128 result) {
        toDecimal(context, value, Double.isFinite(value) ? BigDecimal.valueOf(value) : null, result);
    }

    private static void toDecimal(CallContext context, double value, BigDecimal exact, Int128 result) {
        ScalarType type = context.resultType();
        BigDecimal rounded = exact == null ? null : exact.setScale(type.scale(), RoundingMode.HALF_UP);
        if (rounded == null || rounded.precision() > type.precision()) {
            throw FunctionException.overflow(value, type);
        }
        result.set(rounded.unscaledValue());
    }

    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> TINYINT")
    static byte toByte(CallContext context, long value) {
        long whole = whole(context, value);
        if ((byte) whole != whole) {
            throw overflow(context, value);
        }
        return (byte) whole;
    }

    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> SMALLINT")
    static short toShort(CallContext context, long value) {
        long whole = whole(context, value);
        if ((short) whole != whole) {
            throw overflow(context, value);
        }
        return (short) whole;
    }

    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> INTEGER")
    static int toInt(CallContext context, long value) {
        long whole = whole(context, value);
        if ((int) whole != whole) {
            throw overflow(context, value);
        }
        return (int) whole;
    }

    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> BIGINT")
    static long toLong(CallContext context, long value) {
        return whole(context, value);
    }

    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> TINYINT")
    static byte toByte(CallContext context, Int128 value) {
        return (byte) whole(context, value, Byte.MIN_VALUE, Byte.MAX_VALUE);
    }

    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> SMALLINT")
    static short toShort(CallContext context, Int128 value) {
        return (short) whole(context, value, Short.MIN_VALUE, Short.MAX_VALUE);
    }

    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> INTEGER")
    static int toInt(CallContext context, Int128 value) {
        return (int) whole(context, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> BIGINT")
    static long toLong(CallContext context, Int128 value) {
        return whole(context, value, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static long whole(CallContext context, long value) {
        int scale = context.argumentType(0).scale();
        return scale > 18 ? 0 : value / PowersOfTen.longPower(scale);
    }

    private static long whole(CallContext context, Int128 value, long least, long most) {
        Int128 whole = new Int128();
        Int128.divide(value, new Int128().setPowerOfTen(context.argumentType(0).scale()), whole);
        if (!whole.fitsLong() || whole.low() < least || whole.low() > most) {
            throw FunctionException.overflow(
                    value.toBigDecimal(context.argumentType(0).scale()), context.resultType());
        }
        return whole.low();
    }

    private static FunctionException overflow(CallContext context, long value) {
        return FunctionException.overflow(
                BigDecimal.valueOf(value, context.argumentType(0).scale()), context.resultType());
    }

    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> REAL")
    static float toFloat(CallContext context, long value) {
        return (float) toDouble(context, value);
    }

    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> REAL")
    static float toFloat(CallContext context, Int128 value) {
        return value.toBigDecimal(context.argumentType(0).scale()).floatValue();
    }

    /// 2^53 and 10^22 are the bounds up to which both sides of the division are exact, and so its result the
    /// nearest.
    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> DOUBLE")
    static double toDouble(CallContext context, long value) {
        int scale = context.argumentType(0).scale();
        if (scale <= 18 && value <= 1L << 53 && value >= -(1L << 53)) {
            return value / (double) PowersOfTen.longPower(scale);
        }
        return BigDecimal.valueOf(value, scale).doubleValue();
    }

    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> DOUBLE")
    static double toDouble(CallContext context, Int128 value) {
        return value.toBigDecimal(context.argumentType(0).scale()).doubleValue();
    }

    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> BOOLEAN")
    static boolean toBoolean(long value) {
        return value != 0;
    }

    @ScalarFunction(name = "cast", signature = "(DECIMAL) -> BOOLEAN")
    static boolean toBoolean(Int128 value) {
        return !value.isZero();
    }
}
