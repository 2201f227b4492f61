package dev.chert.function.number;

import dev.chert.function.CallContext;
import dev.chert.function.FunctionException;
import dev.chert.function.ScalarFunction;
import dev.chert.query.QueryContext;
import java.util.SplittableRandom;

/// Functions of floating point numbers, as IEEE 754 has them: the logarithm of 0 is -Infinity, the root of -1 is
/// NaN.
final class MathFunctions {
    private MathFunctions() {}

    @ScalarFunction(
            name = "power",
            aliases = "pow",
            description = "A number to the power of another.",
            example = "power(2, 10)",
            result = "1024.0")
    static double power(double base, double exponent) {
        return Math.pow(base, exponent);
    }

    @ScalarFunction(name = "sqrt", description = "The square root.", example = "sqrt(9)", result = "3.0")
    static double sqrt(double value) {
        return Math.sqrt(value);
    }

    @ScalarFunction(name = "cbrt", description = "The cube root.", example = "cbrt(27)", result = "3.0")
    static double cbrt(double value) {
        return Math.cbrt(value);
    }

    @ScalarFunction(name = "exp", description = "Euler's number to a power.", example = "exp(0)", result = "1.0")
    static double exp(double value) {
        return Math.exp(value);
    }

    @ScalarFunction(name = "ln", description = "The natural logarithm.", example = "ln(1)", result = "0.0")
    static double ln(double value) {
        return Math.log(value);
    }

    @ScalarFunction(name = "log10", description = "The logarithm to base 10.", example = "log10(1000)", result = "3.0")
    static double log10(double value) {
        return Math.log10(value);
    }

    @ScalarFunction(name = "log2", description = "The logarithm to base 2.", example = "log2(8)", result = "3.0")
    static double log2(double value) {
        double result = Math.log(value) / Math.log(2);
        double rounded = Math.rint(result);
        return Math.pow(2, rounded) == value ? rounded : result;
    }

    @ScalarFunction(
            name = "log",
            description =
                    "The logarithm, to the base that is the first number, of the second; of one alone, to base e.",
            example = "log(2, 8)",
            result = "3.0")
    static double log(double base, double value) {
        return Math.log(value) / Math.log(base);
    }

    @ScalarFunction(name = "log")
    static double log(double value) {
        return Math.log(value);
    }

    @ScalarFunction(name = "sin", description = "The sine of an angle in radians.", example = "sin(0)", result = "0.0")
    static double sin(double value) {
        return Math.sin(value);
    }

    @ScalarFunction(
            name = "cos",
            description = "The cosine of an angle in radians.",
            example = "cos(0)",
            result = "1.0")
    static double cos(double value) {
        return Math.cos(value);
    }

    @ScalarFunction(
            name = "tan",
            description = "The tangent of an angle in radians.",
            example = "tan(0)",
            result = "0.0")
    static double tan(double value) {
        return Math.tan(value);
    }

    @ScalarFunction(
            name = "cot",
            description = "The cotangent of an angle in radians.",
            example = "round(cot(1), 4)",
            result = "0.6421")
    static double cot(double value) {
        return 1 / Math.tan(value);
    }

    @ScalarFunction(name = "asin", description = "The angle with a sine.", example = "asin(0)", result = "0.0")
    static double asin(double value) {
        return Math.asin(value);
    }

    @ScalarFunction(name = "acos", description = "The angle with a cosine.", example = "acos(1)", result = "0.0")
    static double acos(double value) {
        return Math.acos(value);
    }

    @ScalarFunction(name = "atan", description = "The angle with a tangent.", example = "atan(0)", result = "0.0")
    static double atan(double value) {
        return Math.atan(value);
    }

    @ScalarFunction(
            name = "atan2",
            description = "The angle of the point whose second and first coordinates are given.",
            example = "atan2(0, 1)",
            result = "0.0")
    static double atan2(double y, double x) {
        return Math.atan2(y, x);
    }

    @ScalarFunction(name = "sinh", description = "The hyperbolic sine.", example = "sinh(0)", result = "0.0")
    static double sinh(double value) {
        return Math.sinh(value);
    }

    @ScalarFunction(name = "cosh", description = "The hyperbolic cosine.", example = "cosh(0)", result = "1.0")
    static double cosh(double value) {
        return Math.cosh(value);
    }

    @ScalarFunction(name = "tanh", description = "The hyperbolic tangent.", example = "tanh(0)", result = "0.0")
    static double tanh(double value) {
        return Math.tanh(value);
    }

    @ScalarFunction(name = "degrees", description = "Radians as degrees.", example = "degrees(pi())", result = "180.0")
    static double degrees(double value) {
        return Math.toDegrees(value);
    }

    @ScalarFunction(
            name = "radians",
            description = "Degrees as radians.",
            example = "round(radians(180), 4)",
            result = "3.1416")
    static double radians(double value) {
        return Math.toRadians(value);
    }

    @ScalarFunction(
            name = "pi",
            description = "The ratio of a circle's circumference to its diameter.",
            example = "pi()",
            result = "3.141592653589793")
    static double pi(QueryContext query) {
        return Math.PI;
    }

    @ScalarFunction(
            name = "random",
            aliases = "rand",
            deterministic = false,
            description = "A random number from 0 to below 1 for each row; with a seed, the same numbers each time.",
            example = "random() < 1",
            result = "true")
    static double random(CallContext context) {
        return context.state(MathFunctions::numbers).nextDouble();
    }

    @ScalarFunction(name = "random", aliases = "rand", deterministic = false)
    static double random(CallContext context, int seed) {
        return context.state(call -> new SplittableRandom(seed)).nextDouble();
    }

    @ScalarFunction(
            name = "rand_integer",
            deterministic = false,
            description = "A random whole number from 0 to below a bound for each row.",
            example = "rand_integer(1)",
            result = "0")
    static int randomInteger(CallContext context, int bound) {
        if (bound < 1) {
            throw FunctionException.invalid("a bound of %d leaves no number", bound);
        }
        return context.state(MathFunctions::numbers).nextInt(bound);
    }

    /// Other numbers for each call and worker, the same ones for a query's seed.
    private static SplittableRandom numbers(CallContext call) {
        long spread = new SplittableRandom(call.query().seed() + call.number()).nextLong(); // far from its neighbours
        return new SplittableRandom(spread);
    }
}
