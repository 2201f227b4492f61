package dev.chert.bench.result;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/// Decides whether two engines mean the same value.
///
/// Engines differ in the type of an average (DECIMAL or DOUBLE) and in the scale of a quotient. So two decimals are
/// compared at the coarser scale of the two, two doubles at a relative 1e-9, and a decimal with a double at the
/// decimal's scale. All else must be equal.
final class CellComparison {
    private static final double RELATIVE_TOLERANCE = 1e-9;

    private CellComparison() {}

    static boolean same(Object left, Object right) {
        if (left == null || right == null) {
            return left == right;
        }
        if (!(left instanceof Number leftNumber) || !(right instanceof Number rightNumber)) {
            return left.equals(right);
        }
        if (isFloating(leftNumber) && isFloating(rightNumber)) {
            return close(leftNumber.doubleValue(), rightNumber.doubleValue());
        }
        if (isFloating(leftNumber)) {
            return sameAtScale(exact(rightNumber), leftNumber.doubleValue());
        }
        if (isFloating(rightNumber)) {
            return sameAtScale(exact(leftNumber), rightNumber.doubleValue());
        }
        if (left instanceof BigDecimal a && right instanceof BigDecimal b) {
            int scale = Math.min(a.scale(), b.scale());
            return atScale(a, scale).compareTo(atScale(b, scale)) == 0;
        }
        return exact(leftNumber).compareTo(exact(rightNumber)) == 0;
    }

    /// Compares a value with its published text.
    ///
    /// The text has lost its type: averages were doubles, and decimals may have lost trailing zeros. So the scale that
    /// counts is the value's own, never the text's.
    static boolean sameAsText(String text, Object value) {
        return switch (value) {
            case null -> text.isEmpty();
            case Number number
            when isFloating(number) -> isNumber(text) && close(Double.parseDouble(text), number.doubleValue());
            case Number number -> isNumber(text) && sameAtScale(exact(number), new BigDecimal(text));
            default -> text.equals(value.toString());
        };
    }

    private static boolean isNumber(String text) {
        return text.matches("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");
    }

    private static boolean isFloating(Number number) {
        return number instanceof Double || number instanceof Float;
    }

    private static BigDecimal exact(Number number) {
        return switch (number) {
            case BigDecimal decimal -> decimal;
            case BigInteger integer -> new BigDecimal(integer);
            default -> BigDecimal.valueOf(number.longValue());
        };
    }

    private static boolean sameAtScale(BigDecimal decimal, double floating) {
        return Double.isFinite(floating)
                && (sameAtScale(decimal, new BigDecimal(floating)) || close(decimal.doubleValue(), floating));
    }

    private static boolean sameAtScale(BigDecimal decimal, BigDecimal other) {
        return decimal.compareTo(other.scale() > decimal.scale() ? atScale(other, decimal.scale()) : other) == 0;
    }

    private static BigDecimal atScale(BigDecimal decimal, int scale) {
        return decimal.setScale(scale, RoundingMode.HALF_UP);
    }

    private static boolean close(double left, double right) {
        if (Double.compare(left, right) == 0) {
            return true;
        }
        return Math.abs(left - right) <= RELATIVE_TOLERANCE * Math.max(Math.abs(left), Math.abs(right));
    }
}
