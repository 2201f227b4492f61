package dev.chert.expression;

import static dev.chert.expression.EvaluationTester.literal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Batch;
import dev.chert.batch.ScalarType;
import dev.chert.error.SourcePosition;
import dev.chert.error.ValidationException;
import dev.chert.expression.Expression.And;
import dev.chert.expression.Expression.Branch;
import dev.chert.expression.Expression.Case;
import dev.chert.expression.Expression.Coalesce;
import dev.chert.expression.Expression.In;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.expression.Expression.IsDistinct;
import dev.chert.expression.Expression.IsNull;
import dev.chert.expression.Expression.Literal;
import dev.chert.expression.Expression.Or;
import dev.chert.function.FunctionRegistry;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EvaluatorsTest {
    private static final InputColumn A = new InputColumn(0, ScalarType.INTEGER);
    private static final InputColumn B = new InputColumn(1, ScalarType.INTEGER);

    private static Literal integer(long value) {
        return new Literal(value, ScalarType.INTEGER);
    }

    private static Expression call(String name, Expression... arguments) {
        return FunctionRegistry.bind(name, List.of(arguments), SourcePosition.at(1, 8));
    }

    private static Batch pairs(EvaluationTester tester) {
        return tester.batch(
                tester.column(ScalarType.INTEGER, 1, 2, null, 4, 5),
                tester.column(ScalarType.INTEGER, 10, null, 30, 0, 5));
    }

    @Test
    void addsColumnsAndLeavesNullRowsOut() {
        try (EvaluationTester tester = new EvaluationTester()) {
            assertThat(tester.evaluate(call("+", A, B), pairs(tester))).containsExactly(11L, null, null, 4L, 10L);
            assertThat(tester.evaluate(call("+", A, integer(1)), tester.selected(pairs(tester), 0, 2, 4)))
                    .containsExactly(2L, null, 6L);
        }
    }

    @Test
    void namesExpressionAndPlaceOfADivisionByZero() {
        try (EvaluationTester tester = new EvaluationTester()) {
            assertThatThrownBy(() -> tester.evaluate(call("/", A, B), pairs(tester)))
                    .isInstanceOf(ValidationException.class)
                    .hasMessageStartingWith("line 1, column 8: division by zero in (#0 / #1)");
        }
    }

    @Test
    void givesNullForADivisionByZeroWhereTheSettingSaysSo() {
        try (EvaluationTester tester = new EvaluationTester("sql.division-by-zero=null")) {
            assertThat(tester.evaluate(call("/", B, A), pairs(tester))).containsExactly(10L, null, null, 0L, 1L);
            assertThat(tester.evaluate(call("/", A, B), pairs(tester))).containsExactly(0L, null, null, null, 1L);
        }
    }

    @Test
    void doesNotEvaluateRowsThatAnEarlierOperandDecides() {
        try (EvaluationTester tester = new EvaluationTester()) {
            Expression quotient = call("=", call("/", A, B), integer(1));
            Expression guarded = new And(List.of(call("<>", B, integer(0)), quotient));
            assertThat(tester.filter(guarded, pairs(tester))).containsExactly(4);
            assertThat(tester.evaluate(guarded, pairs(tester))).containsExactly(false, null, null, false, true);
            Expression either = new Or(List.of(call("=", B, integer(0)), quotient));
            assertThat(tester.filter(either, pairs(tester))).containsExactly(3, 4);
            assertThat(tester.evaluate(either, pairs(tester))).containsExactly(false, null, null, true, true);
            Expression choice = new Case(
                    List.of(new Branch(call("=", B, integer(0)), integer(-1))), call("/", A, B), ScalarType.INTEGER);
            assertThat(tester.evaluate(choice, pairs(tester))).containsExactly(0L, null, null, -1L, 1L);
        }
    }

    @Test
    void testsNullsAndDistinctness() {
        try (EvaluationTester tester = new EvaluationTester()) {
            assertThat(tester.filter(new IsNull(A, false), pairs(tester))).containsExactly(2);
            assertThat(tester.evaluate(new IsNull(A, true), pairs(tester)))
                    .containsExactly(true, true, false, true, true);
            assertThat(tester.evaluate(new IsDistinct(A, B, false), pairs(tester)))
                    .containsExactly(true, true, true, true, false);
            assertThat(tester.evaluate(new Coalesce(List.of(B, A), ScalarType.INTEGER), pairs(tester)))
                    .containsExactly(10L, 2L, 30L, 0L, 5L);
        }
    }

    @Test
    void findsConstantsInLists() {
        try (EvaluationTester tester = new EvaluationTester()) {
            In in = new In(A, List.of(integer(4), integer(1)), false);
            assertThat(tester.filter(in, pairs(tester))).containsExactly(0, 3);
            assertThat(tester.evaluate(in, pairs(tester))).containsExactly(true, false, null, true, false);
            In not = new In(A, List.of(integer(4), new Literal(null, ScalarType.INTEGER)), true);
            assertThat(tester.evaluate(not, pairs(tester))).containsExactly(null, null, null, false, null);
            assertThat(tester.filter(not, pairs(tester))).isEmpty();
        }
    }

    @Test
    void drawsTheSameRandomNumbersForTheSeedOfAQuery() {
        List<List<Object>> runs = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            try (EvaluationTester tester = new EvaluationTester()) {
                List<Object> numbers = new ArrayList<>(tester.evaluate(call("random"), pairs(tester)));
                numbers.addAll(tester.evaluate(call("random"), pairs(tester)));
                assertThat(numbers).doesNotHaveDuplicates();
                runs.add(numbers);
            }
        }
        assertThat(runs.get(0)).isEqualTo(runs.get(1));
    }

    @Test
    void goesOnIn128BitsWhereAnotherRowGaveNullBefore() {
        ScalarType type = ScalarType.decimal(18, 2);
        BigDecimal large = new BigDecimal("9999999999999999.99");
        BigDecimal one = BigDecimal.ONE.setScale(2);
        try (EvaluationTester tester = new EvaluationTester("sql.division-by-zero=null", "sql.overflow=null")) {
            Expression quotient = call("/", new InputColumn(0, type), new InputColumn(1, type));
            assertThat(tester.evaluate(
                            quotient,
                            tester.batch(
                                    tester.column(type, one, large, one),
                                    tester.column(type, BigDecimal.ZERO.setScale(2), one, one))))
                    .containsExactly(null, large.setScale(20), one.setScale(20));
        }
    }

    @Test
    void goesOnIn128BitsWhereADecimalProductOverflows() {
        ScalarType type = ScalarType.decimal(18, 2);
        BigDecimal large = new BigDecimal("9999999999999999.99");
        try (EvaluationTester tester = new EvaluationTester()) {
            InputColumn x = new InputColumn(0, type);
            assertThat(tester.evaluate(
                            call("*", x, x),
                            tester.batch(tester.column(type, large, BigDecimal.ONE.setScale(2), null))))
                    .isEqualTo(Arrays.asList(large.multiply(large), new BigDecimal("1.0000"), null));
        }
    }

    @Test
    void runsADictionaryOnItsValues() {
        try (EvaluationTester tester = new EvaluationTester()) {
            Object[] words = {"pear", "apple", null, "pear", "a fig that is longer than a view"};
            InputColumn word = new InputColumn(0, ScalarType.VARCHAR);
            Expression less = call("<", word, literal(ScalarType.VARCHAR, "b"));
            assertThat(tester.filter(less, tester.batch(tester.dictionaryColumn(ScalarType.VARCHAR, words))))
                    .containsExactly(1, 4);
            assertThat(tester.evaluate(less, tester.batch(tester.dictionaryColumn(ScalarType.VARCHAR, words))))
                    .containsExactly(false, true, null, false, true);
        }
    }
}
