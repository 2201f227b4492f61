package dev.chert.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.ScalarType;
import dev.chert.batch.TypeKind;
import dev.chert.error.ValidationException;
import dev.chert.expression.EvaluationTester;
import dev.chert.expression.Expression;

/// Evaluates expressions that are written as SQL and shows their results as text.
final class FunctionTester {
    private FunctionTester() {}

    /// What an expression gives, cast to VARCHAR; null for NULL.
    static String evaluate(String sql, String... settings) {
        try (EvaluationTester tester = new EvaluationTester(settings)) {
            Expression expression = SqlText.parse(sql);
            boolean text = expression.type().kind().isCharacter();
            boolean bytes = expression.type().kind() == TypeKind.VARBINARY;
            Expression shown =
                    text || bytes ? expression : FunctionRegistry.cast(expression, ScalarType.VARCHAR, false, null);
            return (String) tester.constant(shown);
        }
    }

    /// Checks lines of the form `expression -> result`, where the result NULL is NULL.
    static void check(String cases) {
        cases.lines().filter(line -> !line.isBlank()).forEach(line -> {
            int arrow = line.lastIndexOf(" -> ");
            assertThat(arrow).as(line).isPositive();
            String expected = line.substring(arrow + 4);
            assertThat(evaluate(line.substring(0, arrow)))
                    .as(line)
                    .isEqualTo(expected.equals("NULL") ? null : expected.replace("''", ""));
        });
    }

    /// Checks lines of the form `expression -> part of the message`.
    static void checkErrors(String cases) {
        cases.lines().filter(line -> !line.isBlank()).forEach(line -> {
            int arrow = line.lastIndexOf(" -> ");
            assertThatThrownBy(() -> evaluate(line.substring(0, arrow)))
                    .as(line)
                    .isInstanceOf(ValidationException.class)
                    .hasMessageContaining(line.substring(arrow + 4));
        });
    }
}
