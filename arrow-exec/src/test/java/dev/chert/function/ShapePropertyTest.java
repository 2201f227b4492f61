package dev.chert.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.TypeKind;
import dev.chert.error.ValidationException;
import dev.chert.expression.EvaluationTester;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.InputColumn;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever the shape of its arguments, a loop gives what it gives for each row alone.
final class ShapePropertyTest {
    /// Of each group every signature sees one; all are seen by many.
    private static final int[][] SIZES = {{0, 1}, {63, 64, 65}, {1023, 1024, 1025}};
    private static final String[] LENIENT = {"sql.overflow=null", "sql.division-by-zero=null"};

    /// @param name      a function, or `cast`
    /// @param arguments types of the columns
    /// @param result    of a cast, else null
    record Signature(String name, List<DataType> arguments, DataType result) {
        Expression bind() {
            List<Expression> columns = IntStream.range(0, arguments.size())
                    .mapToObj(i -> (Expression) new InputColumn(i, arguments.get(i)))
                    .toList();
            return result == null
                    ? FunctionRegistry.bind(name, columns, null)
                    : FunctionRegistry.cast(columns.getFirst(), result, false, null);
        }
    }

    static Stream<Signature> signatures() {
        List<Signature> all = new ArrayList<>();
        for (FunctionDefinition definition : FunctionRegistry.definitions()) {
            if (!definition.deterministic()) {
                continue;
            }
            for (FunctionMethod method : FunctionRegistry.methods(definition.name())) {
                for (int variant = 0; variant < 2; variant++) {
                    int width = variant;
                    Signature signature = new Signature(
                            definition.name(),
                            method.parameterKinds().stream()
                                    .map(kind -> type(kind, width))
                                    .toList(),
                            null);
                    boolean needed = variant == 0 || method.isWide();
                    if (needed && !signature.arguments().isEmpty() && !all.contains(signature)) {
                        all.add(signature);
                    }
                }
            }
        }
        for (FunctionMethod method : FunctionRegistry.methods(FunctionRegistry.CAST)) {
            DataType result = type(TypeKind.valueOf(method.resultRule()), 1);
            all.add(new Signature("cast", List.of(type(method.parameterKinds().getFirst(), 0)), result));
        }
        return all.stream().distinct();
    }

    private static DataType type(TypeKind kind, int variant) {
        return switch (kind) {
            case DECIMAL -> variant == 0 ? ScalarType.decimal(12, 2) : ScalarType.decimal(30, 4);
            case TIME, TIMESTAMP, TIMESTAMP_LTZ, INTERVAL_DAY_TIME -> new ScalarType(kind, 3, 0);
            case CHAR -> ScalarType.character(variant == 0 ? 20 : 40);
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    REAL,
                    DOUBLE,
                    DATE,
                    INTERVAL_YEAR_MONTH,
                    VARCHAR,
                    VARBINARY,
                    UUID,
                    ARRAY,
                    MAP,
                    ROW,
                    NULL,
                    OPAQUE -> ScalarTypes.plain(kind);
        };
    }

    private static List<Object> values(DataType type) {
        List<Object> values = new ArrayList<>(Arrays.asList(
                switch (type.kind()) {
                    case BOOLEAN -> new Object[] {true, false};
                    case TINYINT -> new Object[] {0L, 1L, -1L, 7L, 127L, -128L};
                    case SMALLINT -> new Object[] {0L, 1L, -1L, 300L, 32_767L, -32_768L};
                    case INTEGER -> new Object[] {0L, 1L, -2L, 3L, 33_000L, (long) Integer.MAX_VALUE, -100_000L};
                    case BIGINT -> new Object[] {0L, 1L, -1L, 5L, 5_000_000_000L, Long.MAX_VALUE, Long.MIN_VALUE};
                    case REAL -> new Object[] {0.0, -0.0, 1.5, -2.25, (double) Float.MAX_VALUE, Double.NaN};
                    case DOUBLE -> new Object[] {0.0, -0.0, 1.5, -2.25, 1e300, Double.NaN, Double.NEGATIVE_INFINITY};
                    case DECIMAL ->
                        ((ScalarType) type).precision() == 12
                                ? decimals(2, "0", "1", "-1.5", "9999999999.99", "0.05")
                                : decimals(
                                        4, "0", "3", "-2.5", "12345678901234567890.5", "-99999999999999999999999999");
                    case DATE -> new Object[] {0L, -1L, 19_782L, 10_957L, -719_162L};
                    case TIME -> new Object[] {0L, 1L, 45_296_789L, 86_399_999L};
                    case TIMESTAMP, TIMESTAMP_LTZ -> new Object[] {0L, -1L, 1_709_210_096_789L, -62_135_596_800_000L};
                    case INTERVAL_YEAR_MONTH -> new Object[] {0L, 1L, -14L, 120L};
                    case INTERVAL_DAY_TIME -> new Object[] {0L, 1L, -86_400_000L, 183_845_678L};
                    case CHAR -> new Object[] {"a", "a long char", "year"};
                    case VARCHAR ->
                        new Object[] {
                            "", "a", "month", "x%", "%ing%", "grüße", "a string that is longer", "12", "2024-02-29"
                        };
                    case VARBINARY -> new Object[] {"", "c3a4", "00112233445566778899aabbccddeeff"};
                    case UUID -> new Object[] {new UUID(0, 1), new UUID(-1, 5), new UUID(7, -7)};
                    case ARRAY, MAP, ROW, NULL, OPAQUE -> throw new AssertionError(type);
                }));
        values.add(null);
        return values;
    }

    private static Object[] decimals(int scale, String... texts) {
        return Arrays.stream(texts)
                .map(text -> new BigDecimal(text).setScale(scale))
                .toArray();
    }

    @ParameterizedTest
    @MethodSource("signatures")
    void givesTheSameForEveryShape(Signature signature) {
        long seed = signature.toString().hashCode() + Long.getLong("chert.test.seed", 0); // 0 in every build
        Random random = new Random(seed);
        Expression expression = signature.bind();
        try (EvaluationTester tester = new EvaluationTester(LENIENT)) {
            Map<List<Object>, Object> results = reference(signature, expression, tester);
            List<List<Object>> tuples = List.copyOf(results.keySet());
            if (tuples.isEmpty()) {
                return;
            }
            for (int[] near : SIZES) {
                int size = near[random.nextInt(near.length)];
                checkOneShape(signature, expression, tester, results, tuples, size, random, seed);
            }
        }
    }

    private static void checkOneShape(
            Signature signature,
            Expression expression,
            EvaluationTester tester,
            Map<List<Object>, Object> results,
            List<List<Object>> tuples,
            int size,
            Random random,
            long seed) {
        int arguments = signature.arguments().size();
        int[] forms = random.ints(arguments, 0, 3).toArray(); // flat, constant, dictionary
        List<Object> base = tuples.get(random.nextInt(tuples.size()));
        List<List<Object>> usable = tuples.stream()
                .filter(tuple -> IntStream.range(0, arguments)
                        .allMatch(i -> forms[i] != 1 || Objects.equals(tuple.get(i), base.get(i))))
                .toList();
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            rows.add(usable.get(random.nextInt(usable.size())));
        }
        Column[] columns = new Column[arguments];
        for (int i = 0; i < arguments; i++) {
            int argument = i;
            Object[] values = rows.stream().map(row -> row.get(argument)).toArray();
            boolean dictionary = forms[i] == 2 && Arrays.stream(values).anyMatch(value -> value != null);
            DataType type = signature.arguments().get(i);
            columns[i] = forms[i] == 1
                    ? tester.constantColumn(type, base.get(i), size)
                    : dictionary ? tester.dictionaryColumn(type, values) : tester.column(type, values);
        }
        int[] selection = random.nextBoolean()
                ? null
                : IntStream.range(0, size).filter(row -> random.nextInt(3) > 0).toArray();
        String description = "%s, forms %s, %d rows, %s selected, seed %d"
                .formatted(signature, Arrays.toString(forms), size, selection == null ? "all" : selection.length, seed);
        int[] wanted = selection == null ? IntStream.range(0, size).toArray() : selection;
        List<Object> expected = Arrays.stream(wanted)
                .mapToObj(row -> results.get(rows.get(row)))
                .toList();
        for (Column column : columns) {
            column.retain();
        }
        assertThat(tester.evaluate(expression, batch(tester, columns, size, selection)))
                .as(description)
                .isEqualTo(expected);
        if (expression.type().kind() == TypeKind.BOOLEAN) {
            List<Integer> kept = Arrays.stream(wanted)
                    .filter(row -> Boolean.TRUE.equals(results.get(rows.get(row))))
                    .boxed()
                    .toList();
            for (Column column : columns) {
                column.retain();
            }
            assertThat(tester.filter(expression, batch(tester, columns, size, selection)))
                    .as(description)
                    .isEqualTo(kept);
            for (Column column : columns) {
                column.retain();
            }
            // the tester's settings allow no direct narrowing, since a failure may have to become NULL
            assertThat(tester.strict().filter(expression, batch(tester, columns, size, selection)))
                    .as(description)
                    .isEqualTo(kept);
        }
        for (Column column : columns) {
            column.release();
        }
    }

    private static Batch batch(EvaluationTester tester, Column[] columns, int size, int[] selection) {
        Batch batch = new Batch(columns, size);
        return selection == null ? batch : tester.selected(batch, selection);
    }

    /// What each combination of values gives in a row of its own; combinations that fail are left out.
    private static Map<List<Object>, Object> reference(
            Signature signature, Expression expression, EvaluationTester tester) {
        Map<List<Object>, Object> results = new LinkedHashMap<>();
        for (List<Object> tuple : combinations(signature.arguments())) {
            Column[] columns = IntStream.range(0, tuple.size())
                    .mapToObj(i -> tester.column(signature.arguments().get(i), tuple.get(i)))
                    .toArray(Column[]::new);
            try {
                results.put(
                        tuple,
                        tester.evaluate(expression, new Batch(columns, 1)).getFirst());
            } catch (ValidationException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
        return results;
    }

    private static List<List<Object>> combinations(List<DataType> types) {
        List<List<Object>> tuples = new ArrayList<>();
        tuples.add(List.of());
        for (DataType type : types) {
            List<List<Object>> longer = new ArrayList<>();
            List<Object> values = values(type);
            for (List<Object> tuple : tuples) {
                for (Object value : types.size() > 2 && values.size() > 5 ? everyOther(values) : values) {
                    List<Object> next = new ArrayList<>(tuple);
                    next.add(value);
                    longer.add(next);
                }
            }
            tuples = longer;
        }
        return tuples;
    }

    private static List<Object> everyOther(List<Object> values) {
        return IntStream.range(0, values.size())
                .filter(i -> i % 2 == 1)
                .mapToObj(values::get)
                .toList();
    }
}
