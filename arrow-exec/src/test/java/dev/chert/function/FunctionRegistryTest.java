package dev.chert.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.ScalarType;
import dev.chert.error.SourcePosition;
import dev.chert.error.ValidationException;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.expression.Expression.Literal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class FunctionRegistryTest {
    static List<FunctionDefinition> definitions() {
        return FunctionRegistry.definitions();
    }

    @ParameterizedTest
    @MethodSource("definitions")
    void describesEveryFunctionByASentenceAndAnExampleThatHolds(FunctionDefinition definition) {
        assertThat(definition.description()).as(definition.name()).endsWith(".");
        assertThat(definition.example()).as(definition.name()).isNotEmpty();
        assertThat(FunctionTester.evaluate(definition.example()))
                .as(definition.example())
                .isEqualTo(definition.result());
    }

    @Test
    void namesTheFunctionTheArgumentsAndWhatExists() {
        assertThatThrownBy(() -> FunctionRegistry.bind(
                        "reverse", List.of(new InputColumn(0, ScalarType.DATE)), SourcePosition.at(2, 3)))
                .isInstanceOf(ValidationException.class)
                .hasMessage("line 2, column 3: reverse(DATE) does not exist; there is reverse(VARCHAR) -> VARCHAR");
        assertThatThrownBy(() -> FunctionRegistry.bind("revers", List.of(Literal.TRUE), null))
                .hasMessage("there is no function revers; did you mean reverse?");
    }

    @Test
    void bindsBinaryNumbersToTheirCommonType() {
        assertThat(type("+", ScalarType.SMALLINT, ScalarType.BIGINT)).isEqualTo(ScalarType.BIGINT);
        assertThat(type("+", ScalarType.INTEGER, ScalarType.REAL)).isEqualTo(ScalarType.REAL);
        assertThat(type("*", ScalarType.decimal(5, 2), ScalarType.DOUBLE)).isEqualTo(ScalarType.DOUBLE);
        assertThat(type("*", ScalarType.decimal(5, 2), ScalarType.INTEGER)).isEqualTo(ScalarType.decimal(15, 2));
    }

    @ParameterizedTest
    @CsvSource({
        "+, 15, 2, 15, 2, 16, 2",
        "+, 38, 10, 38, 10, 38, 10",
        "+, 38, 30, 38, 2, 38, 2",
        "-, 5, 0, 3, 3, 9, 3",
        "*, 15, 2, 15, 2, 30, 4",
        "*, 38, 10, 38, 10, 38, 6",
        "*, 20, 18, 20, 18, 38, 34",
        "/, 15, 2, 15, 2, 33, 18",
        "/, 38, 10, 38, 10, 38, 6",
        "%, 15, 2, 4, 3, 4, 3"
    })
    void givesDecimalsTheTypesOfSqlServer(String sign, int p1, int s1, int p2, int s2, int precision, int scale) {
        assertThat(type(sign, ScalarType.decimal(p1, s1), ScalarType.decimal(p2, s2)))
                .isEqualTo(ScalarType.decimal(precision, scale));
    }

    @Test
    void takesAnIntegerLiteralBesideADecimalByItsDigits() {
        Expression sum = FunctionRegistry.bind(
                "-", List.of(new Literal(1L, ScalarType.INTEGER), new InputColumn(0, ScalarType.decimal(15, 2))), null);
        assertThat(sum.type()).isEqualTo(ScalarType.decimal(16, 2));
    }

    @Test
    void convertsALiteralInsteadOfAColumn() {
        Expression comparison = FunctionRegistry.bind(
                "<", List.of(new InputColumn(0, ScalarType.SMALLINT), new Literal(7L, ScalarType.INTEGER)), null);
        assertThat(comparison).hasToString("(#0 < 7)");
        Expression date = FunctionRegistry.bind(
                ">=",
                List.of(new InputColumn(0, ScalarType.DATE), new Literal("1970-01-03", ScalarType.VARCHAR)),
                null);
        assertThat(date).hasToString("(#0 >= 2)");
    }

    private static Object type(String name, ScalarType left, ScalarType right) {
        return FunctionRegistry.bind(name, List.of(new InputColumn(0, left), new InputColumn(1, right)), null)
                .type();
    }
}
