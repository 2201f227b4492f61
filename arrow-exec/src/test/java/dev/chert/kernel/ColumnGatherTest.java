package dev.chert.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.Physical;
import dev.chert.batch.ScalarType;
import dev.chert.expression.EvaluationTester;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ColumnGatherTest {
    record Sample(DataType type, Object[] values) {}

    static List<Sample> samples() {
        return List.of(
                new Sample(ScalarType.BOOLEAN, new Object[] {true, false, null}),
                new Sample(ScalarType.TINYINT, new Object[] {1L, -1L, null}),
                new Sample(ScalarType.SMALLINT, new Object[] {300L, null}),
                new Sample(ScalarType.INTEGER, new Object[] {70_000L, -5L, null}),
                new Sample(ScalarType.BIGINT, new Object[] {5_000_000_000L, 2L}),
                new Sample(ScalarType.REAL, new Object[] {1.5, null}),
                new Sample(ScalarType.DOUBLE, new Object[] {1.1, Double.NaN, null}),
                new Sample(ScalarType.decimal(30, 1), new Object[] {new BigDecimal("1.5"), null}),
                new Sample(
                        ScalarType.decimal(30, 1),
                        new Object[] {new BigDecimal("12345678901234567890.5"), new BigDecimal("0.1"), null}),
                new Sample(ScalarType.VARCHAR, new Object[] {"", "pear", "a string that is longer than a view", null}),
                new Sample(ScalarType.UUID, new Object[] {new UUID(1, 2), null}));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void takesRowsOfEveryForm(Sample sample) {
        for (int size : new int[] {1, 63, 64, 65, 1023, 1024, 1025}) {
            long seed = size;
            Random random = new Random(seed);
            Object[] values = IntStream.range(0, size)
                    .mapToObj(i -> sample.values()[random.nextInt(sample.values().length)])
                    .toArray();
            values[0] = sample.values()[0];
            try (EvaluationTester tester = new EvaluationTester()) {
                for (Column column : List.of(
                        tester.column(sample.type(), values),
                        tester.dictionaryColumn(sample.type(), values),
                        tester.constantColumn(sample.type(), values[0], size),
                        tester.constantColumn(sample.type(), null, size))) {
                    check(column, false, random, tester);
                    check(column, true, random, tester);
                    Column flat = ColumnGather.flatten(column, tester.allocator());
                    assertThat(flat.isFlat()).isTrue();
                    assertThat(read(flat)).as("seed %d, %s", seed, column).isEqualTo(read(column));
                    flat.release();
                    column.release();
                }
            }
        }
    }

    private static void check(Column column, boolean absent, Random random, EvaluationTester tester) {
        int[] rows = random.ints(100, absent ? -1 : 0, column.rowCount()).toArray();
        List<Object> expected = new ArrayList<>();
        for (int row : rows) {
            expected.add(row < 0 ? null : EvaluationTester.value(column, row));
        }
        Column taken = ColumnGather.take(column, rows, rows.length, tester.allocator());
        assertThat(read(taken)).as("%s of %s", Arrays.toString(rows), column).isEqualTo(expected);
        taken.release();
    }

    private static List<Object> read(Column column) {
        List<Object> values = new ArrayList<>();
        for (int row = 0; row < column.rowCount(); row++) {
            values.add(EvaluationTester.value(column, row));
        }
        return values;
    }

    @ParameterizedTest
    @MethodSource("samples")
    void widensAndNarrowsDecimals(Sample sample) {
        if (sample.type().physical() != Physical.INT128 || sample.type().equals(ScalarType.UUID)) {
            return;
        }
        try (EvaluationTester tester = new EvaluationTester()) {
            Column column = tester.column(sample.type(), sample.values());
            List<Object> before = read(column);
            Column wide = DecimalWidth.widen(column, null, column.rowCount(), tester.allocator());
            assertThat(wide.physical()).isEqualTo(Physical.INT128);
            assertThat(read(wide)).isEqualTo(before);
            Column narrow = DecimalWidth.narrow(wide, null, wide.rowCount(), tester.allocator());
            assertThat(narrow.physical()).isEqualTo(column.physical());
            assertThat(read(narrow)).isEqualTo(before);
            narrow.release();
            column.release();
        }
    }
}
