package dev.chert.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class Int128Test {
    private static final BigInteger MIN = BigInteger.ONE.shiftLeft(127).negate();
    private static final BigInteger MAX = BigInteger.ONE.shiftLeft(127).subtract(BigInteger.ONE);

    private static List<BigInteger> numbers(Random random) {
        List<BigInteger> numbers = new ArrayList<>(List.of(
                BigInteger.ZERO,
                BigInteger.ONE,
                BigInteger.ONE.negate(),
                BigInteger.valueOf(Long.MAX_VALUE),
                BigInteger.valueOf(Long.MIN_VALUE),
                BigInteger.ONE.shiftLeft(63),
                BigInteger.ONE.shiftLeft(64),
                BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE),
                BigInteger.ONE.shiftLeft(96),
                BigInteger.TEN.pow(38),
                MIN,
                MAX));
        for (int i = 0; i < 60; i++) {
            BigInteger number = new BigInteger(1 + random.nextInt(127), random);
            numbers.add(random.nextBoolean() ? number : number.negate());
        }
        return numbers;
    }

    private interface Operation {
        void apply(Int128 a, Int128 b, Int128 result);
    }

    private static void check(String name, BigInteger expected, Operation operation, BigInteger a, BigInteger b) {
        if (expected == null) {
            return; // division by zero
        }
        Int128 result = new Int128();
        Int128 left = new Int128().set(a);
        Int128 right = new Int128().set(b);
        if (expected.compareTo(MIN) < 0 || expected.compareTo(MAX) > 0) {
            assertThatThrownBy(() -> operation.apply(left, right, result))
                    .as("%d %s %d", a, name, b)
                    .isInstanceOf(ArithmeticException.class);
            return;
        }
        operation.apply(left, right, result);
        assertThat(result.toBigInteger()).as("%d %s %d", a, name, b).isEqualTo(expected);
        operation.apply(left, right, left);
        assertThat(left.toBigInteger()).as("%d %s %d into itself", a, name, b).isEqualTo(expected);
    }

    @Test
    void computesAsBigIntegersDo() {
        long seed = 20_240_229;
        List<BigInteger> numbers = numbers(new Random(seed));
        for (BigInteger a : numbers) {
            for (BigInteger b : numbers) {
                check("+", a.add(b), Int128::add, a, b);
                check("-", a.subtract(b), Int128::subtract, a, b);
                check("*", a.multiply(b), Int128::multiply, a, b);
                if (b.signum() != 0) {
                    check("/", a.divide(b), Int128::divide, a, b);
                    check("%", a.remainder(b), Int128::remainder, a, b);
                    BigInteger halfUp = new BigDecimal(a)
                            .divide(new BigDecimal(b), 0, RoundingMode.HALF_UP)
                            .toBigInteger();
                    check("/ half up", halfUp, Int128::divideHalfUp, a, b);
                }
                assertThat(Integer.signum(new Int128().set(a).compareTo(new Int128().set(b))))
                        .isEqualTo(a.compareTo(b));
            }
        }
    }

    @Test
    void keepsEveryDigitBetweenProductAndQuotient() {
        List<BigInteger> numbers = numbers(new Random(20_250_607));
        for (BigInteger a : numbers) {
            for (BigInteger b : numbers) {
                for (int digits : new int[] {0, 1, 4, 15, 19, 20, 37, 38}) {
                    BigInteger power = BigInteger.TEN.pow(digits);
                    check(
                            "* 10^%d /".formatted(digits),
                            halfUp(a, power, b),
                            (x, y, result) -> {
                                Int128.divideHalfUp(x, digits, y, result);
                            },
                            a,
                            b);
                    check(
                            "/ 10^%d *".formatted(digits),
                            halfUp(a, b, power),
                            (x, y, result) -> {
                                Int128.multiplyHalfUp(x, y, digits, result);
                            },
                            a,
                            b);
                }
            }
            for (long rows : new long[] {1, 2, 3, 1_000_003, Long.MAX_VALUE}) {
                BigInteger expected = halfUp(a, BigInteger.valueOf(1_000_000), BigInteger.valueOf(rows));
                check(
                        "average",
                        expected,
                        (x, y, result) -> {
                            Int128.multiplyDivideHalfUp(x, 1_000_000, rows, result);
                        },
                        a,
                        a);
            }
        }
    }

    /// @return null where `c` is 0
    private static BigInteger halfUp(BigInteger a, BigInteger b, BigInteger c) {
        if (c.signum() == 0) {
            return null;
        }
        return new BigDecimal(a.multiply(b))
                .divide(new BigDecimal(c), 0, RoundingMode.HALF_UP)
                .toBigInteger();
    }

    @Test
    void dividesProductsOf64Bits() {
        Random random = new Random(20_250_608);
        List<Long> numbers = new ArrayList<>(List.of(
                0L, 1L, -1L, 2L, -2L, 3L, 5L, 10L, Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MIN_VALUE, 1L << 62));
        for (int i = 0; i < 50; i++) {
            numbers.add(random.nextLong() >> random.nextInt(64));
        }
        for (long a : numbers) {
            for (long b : numbers) {
                for (long c : numbers) {
                    BigInteger expected = halfUp(BigInteger.valueOf(a), BigInteger.valueOf(b), BigInteger.valueOf(c));
                    if (expected != null && expected.bitLength() < 64) {
                        assertThat(Int128.multiplyDivideHalfUp(a, b, c))
                                .as("%d * %d / %d", a, b, c)
                                .isEqualTo(expected.longValue());
                    } else if (expected != null) {
                        assertThatThrownBy(() -> Int128.multiplyDivideHalfUp(a, b, c))
                                .as("%d * %d / %d", a, b, c)
                                .isInstanceOf(ArithmeticException.class);
                    }
                }
            }
        }
    }

    @Test
    void knowsTheLimitsOfDecimals() {
        Int128 largest = new Int128().set(BigInteger.TEN.pow(38).subtract(BigInteger.ONE));
        Int128.checkDecimal(largest);
        assertThatThrownBy(() -> Int128.checkDecimal(new Int128().set(BigInteger.TEN.pow(38))))
                .isInstanceOf(ArithmeticException.class);
        new Int128().set(-999).checkDigits(3);
        assertThatThrownBy(() -> new Int128().set(-1000).checkDigits(3)).isInstanceOf(ArithmeticException.class);
        for (int digits = 0; digits <= 38; digits++) {
            assertThat(new Int128().setPowerOfTen(digits).toBigInteger()).isEqualTo(BigInteger.TEN.pow(digits));
        }
    }
}
