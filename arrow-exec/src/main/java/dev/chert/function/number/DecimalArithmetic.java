package dev.chert.function.number;

import dev.chert.function.CallContext;
import dev.chert.function.FunctionException;
import dev.chert.function.ScalarFunction;
import dev.chert.kernel.Int128;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/// Decimals as unscaled integers, each operation in a 64-bit and a 128-bit form. The arguments of + and - have
/// the result's scale already.
final class DecimalArithmetic {
    private DecimalArithmetic() {}

    @ScalarFunction(name = "+", signature = "(DECIMAL, DECIMAL) -> DECIMAL")
    static long add(long a, long b) {
        return Math.addExact(a, b);
    }

    @ScalarFunction(name = "+", signature = "(DECIMAL, DECIMAL) -> DECIMAL")
    static void add(Int128 a, Int128 b, Int128 result) {
        Int128.add(a, b, result);
        Int128.checkDecimal(result);
    }

    @ScalarFunction(name = "-", signature = "(DECIMAL, DECIMAL) -> DECIMAL")
    static long subtract(long a, long b) {
        return Math.subtractExact(a, b);
    }

    @ScalarFunction(name = "-", signature = "(DECIMAL, DECIMAL) -> DECIMAL")
    static void subtract(Int128 a, Int128 b, Int128 result) {
        Int128.subtract(a, b, result);
        Int128.checkDecimal(result);
    }

    @ScalarFunction(name = "-", signature = "(DECIMAL) -> $0")
    static long negate(long a) {
        return Math.negateExact(a);
    }

    @ScalarFunction(name = "-", signature = "(DECIMAL) -> $0")
    static void negate(Int128 a, Int128 result) {
        Int128.negate(a, result);
    }

    @ScalarFunction(name = "*", signature = "(DECIMAL, DECIMAL) -> DECIMAL")
    static long multiply(CallContext context, long a, long b) {
        int dropped = droppedDigits(context);
        if (dropped == 0) {
            return Math.multiplyExact(a, b);
        }
        if (dropped > PowersOfTen.MOST_DIGITS) {
            throw new ArithmeticException("the divisor does not fit 64 bits");
        }
        return Int128.multiplyDivideHalfUp(a, b, PowersOfTen.longPower(dropped));
    }

    @ScalarFunction(name = "*", signature = "(DECIMAL, DECIMAL) -> DECIMAL")
    static void multiply(CallContext context, Int128 a, Int128 b, Int128 result) {
        int dropped = droppedDigits(context);
        if (dropped == 0) {
            Int128.multiply(a, b, result);
        } else if (dropped <= Int128.MAX_DIGITS) {
            Int128.multiplyHalfUp(a, b, dropped, result);
        } else {
            BigInteger product = a.toBigInteger().multiply(b.toBigInteger());
            result.set(new BigDecimal(product, dropped)
                    .setScale(0, RoundingMode.HALF_UP)
                    .unscaledValue());
        }
        Int128.checkDecimal(result);
    }

    /// How many of the product's fraction digits its type does not keep.
    private static int droppedDigits(CallContext context) {
        return context.argumentType(0).scale()
                + context.argumentType(1).scale()
                - context.resultType().scale();
    }

    @ScalarFunction(name = "/", signature = "(DECIMAL, DECIMAL) -> DECIMAL")
    static long divide(CallContext context, long a, long b) {
        if (b == 0) {
            throw FunctionException.divisionByZero();
        }
        int shift = addedDigits(context);
        if (shift > PowersOfTen.MOST_DIGITS) {
            throw new ArithmeticException("the factor does not fit 64 bits");
        }
        return Int128.multiplyDivideHalfUp(a, PowersOfTen.longPower(shift), b);
    }

    @ScalarFunction(name = "/", signature = "(DECIMAL, DECIMAL) -> DECIMAL")
    static void divide(CallContext context, Int128 a, Int128 b, Int128 result) {
        if (b.isZero()) {
            throw FunctionException.divisionByZero();
        }
        int shift = addedDigits(context);
        if (shift <= Int128.MAX_DIGITS) {
            Int128.divideHalfUp(a, shift, b, result);
        } else {
            BigDecimal dividend = new BigDecimal(a.toBigInteger(), -shift);
            result.set(dividend.divide(new BigDecimal(b.toBigInteger()), 0, RoundingMode.HALF_UP)
                    .unscaledValue());
        }
        Int128.checkDecimal(result);
    }

    /// What the result's type leaves to add: never less than 0, by [dev.chert.function.DecimalRules#quotient].
    private static int addedDigits(CallContext context) {
        return context.resultType().scale()
                - context.argumentType(0).scale()
                + context.argumentType(1).scale();
    }

    @ScalarFunction(name = "%", aliases = "mod", signature = "(DECIMAL, DECIMAL) -> DECIMAL")
    static long remainder(long a, long b) {
        if (b == 0) {
            throw FunctionException.divisionByZero();
        }
        return b == -1 ? 0 : a % b;
    }

    @ScalarFunction(name = "%", aliases = "mod", signature = "(DECIMAL, DECIMAL) -> DECIMAL")
    static void remainder(Int128 a, Int128 b, Int128 result) {
        if (b.isZero()) {
            throw FunctionException.divisionByZero();
        }
        Int128.remainder(a, b, result);
    }
}
