package dev.chert.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.expression.Expression.Literal;
import dev.chert.source.ColumnPredicate;
import dev.chert.source.ColumnPredicate.Comparison;
import dev.chert.source.ColumnPredicate.In;
import dev.chert.source.ColumnPredicate.IsNull;
import dev.chert.source.ColumnPredicate.Operator;
import dev.chert.source.Statistics;
import dev.chert.source.TableSource;
import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.Type;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which of ten row groups of 2,048 rows a predicate leaves: `n` rises from 0, the other columns with it.
class PruningTest {
    private static final int GROUPS = 10;

    @TempDir
    Path directory;

    private TableSource source;

    @BeforeEach
    void write() throws Exception {
        Path file = directory.resolve("t.parquet");
        try (DuckDb duckDb = new DuckDb()) {
            duckDb.copy("""
                    SELECT i AS n, (i / 2)::DECIMAL(12, 1) AS d, i::DOUBLE AS f, 'key ' || lpad(i::VARCHAR, 8, '0') AS s,
                      CASE WHEN i >= 4096 THEN i END AS late, i >= 10240 AS b, DATE '2000-01-01' + i::INTEGER AS day,
                      i::REAL AS r, i::UINTEGER + 2147480000 AS u
                    FROM range(20480) t(i)
                    """, file, "ROW_GROUP_SIZE 2048");
        }
        source = Reading.source(file);
    }

    private int column(String name) {
        for (int i = 0; i < source.schema().size(); i++) {
            if (source.schema().field(i).name().equals(name)) {
                return i;
            }
        }
        throw new AssertionError(name);
    }

    private Literal literal(String column, Serializable value) {
        return new Literal(value, source.schema().type(column(column)));
    }

    private int left(ColumnPredicate predicate) {
        Reading reading = new Reading();
        List<List<Object>> all = reading.rows(source, List.of(column("n")), List.of());
        List<List<Object>> rows = reading.rows(source, List.of(column("n")), List.of(predicate));
        assertThat(reading.splitsTotal()).isEqualTo(GROUPS);
        assertThat(new HashSet<>(all).containsAll(rows)).isTrue();
        return reading.splitsRead();
    }

    private int left(String column, Operator operator, Serializable value) {
        return left(new Comparison(column(column), operator, literal(column, value)));
    }

    @Test
    void leavesTheGroupsWhoseBoundsAllowAnInteger() {
        assertThat(left("n", Operator.EQUAL, 5_000L)).isEqualTo(1);
        assertThat(left("n", Operator.EQUAL, -1L)).isZero();
        assertThat(left("n", Operator.NOT_EQUAL, 5_000L)).isEqualTo(GROUPS);
        assertThat(left("n", Operator.LESS, 2_048L)).isEqualTo(1);
        assertThat(left("n", Operator.LESS_OR_EQUAL, 2_048L)).isEqualTo(2);
        assertThat(left("n", Operator.GREATER, 18_431L)).isEqualTo(1);
        assertThat(left("n", Operator.GREATER_OR_EQUAL, 18_431L)).isEqualTo(2);
    }

    @Test
    void comparesEachTypeInItsOwnOrder() {
        assertThat(left("d", Operator.LESS, new BigDecimal("1024.0"))).isEqualTo(1);
        assertThat(left("d", Operator.EQUAL, new BigDecimal("2500.5"))).isEqualTo(1);
        assertThat(left("s", Operator.EQUAL, "key 00005000")).isEqualTo(1);
        assertThat(left("s", Operator.GREATER, "key 00018431")).isEqualTo(1);
        assertThat(left("b", Operator.EQUAL, true)).isEqualTo(5);
        assertThat(left("day", Operator.LESS, 10_957L + 2_048)).isEqualTo(1);
        assertThat(left("u", Operator.GREATER_OR_EQUAL, 2_147_480_000L + 18_432))
                .isEqualTo(1);
    }

    @Test
    void leavesGroupsThatMayHaveNaN() {
        assertThat(left("f", Operator.EQUAL, 5_000.0)).isEqualTo(1);
        assertThat(left("f", Operator.LESS, 2_048.0)).isEqualTo(1);
        assertThat(left("f", Operator.GREATER, 18_431.0)).isEqualTo(GROUPS);
        assertThat(left("f", Operator.EQUAL, Double.NaN)).isEqualTo(GROUPS);
        assertThat(left("r", Operator.EQUAL, 5_000.0)).isEqualTo(1);
        assertThat(left("r", Operator.LESS, 1_000.0)).isEqualTo(1);
    }

    @Test
    void leavesTheGroupsThatMayHaveOneOfManyValues() {
        List<Literal> values =
                List.of(literal("n", 1L), literal("n", 2L), literal("n", 20_000L), literal("n", 99_999L));
        assertThat(left(new In(column("n"), values))).isEqualTo(2);
        assertThat(left(new In(column("n"), List.of()))).isZero();
    }

    @Test
    void countsNulls() {
        assertThat(left(new IsNull(column("late"), false))).isEqualTo(2);
        assertThat(left(new IsNull(column("late"), true))).isEqualTo(8);
        assertThat(left("late", Operator.GREATER_OR_EQUAL, 0L)).isEqualTo(8);
    }

    @Test
    void addsUpStatistics() {
        Statistics statistics = source.statistics();
        assertThat(statistics.rowCount()).isEqualTo(Statistics.Count.exact(20_480));
        Statistics.ColumnStatistics n = statistics.columns().get(column("n"));
        assertThat(n.minimum().value()).isEqualTo(0L);
        assertThat(n.maximum().value()).isEqualTo(20_479L);
        assertThat(n.boundsExact()).isTrue();
        assertThat(n.nullCount()).isEqualTo(Statistics.Count.exact(0));
        assertThat(n.distinctCount()).isEqualTo(Statistics.Count.estimated(20_480));
        Statistics.ColumnStatistics late = statistics.columns().get(column("late"));
        assertThat(late.nullCount()).isEqualTo(Statistics.Count.exact(4_096));
        assertThat(late.minimum().value()).isEqualTo(4_096L);
        assertThat(statistics.columns().get(column("f")).maximum()).isNull();
        assertThat(statistics.columns().get(column("s")).maximum().value()).isEqualTo("key 00020479");
    }

    /// One column chunk with the old `min` and `max` alone.
    private static TableSource withOldBounds(Type type, ConvertedType annotation, byte[] min, byte[] max, byte[] page) {
        return Reading.source(
                "t.parquet",
                HandMade.required(type)
                        .column(column -> column.setConverted_type(annotation))
                        .data(1, Encoding.PLAIN, page)
                        .chunk(metadata -> {
                            org.apache.parquet.format.Statistics statistics =
                                    new org.apache.parquet.format.Statistics();
                            statistics.setMin(min);
                            statistics.setMax(max);
                            metadata.setStatistics(statistics);
                        })
                        .file(1));
    }

    @Test
    void trustsOldBoundsOfSignedNumbersAlone() {
        byte[] seven = HandMade.ints(7);
        assertThat(minimum(withOldBounds(Type.INT32, ConvertedType.INT_32, seven, seven, seven)))
                .isEqualTo(7L);
        assertThat(minimum(withOldBounds(Type.INT32, ConvertedType.UINT_32, seven, seven, seven)))
                .isNull();
        byte[] text = HandMade.join(HandMade.ints(1), HandMade.bytes('a'));
        assertThat(minimum(withOldBounds(
                        Type.BYTE_ARRAY, ConvertedType.UTF8, HandMade.bytes('a'), HandMade.bytes('a'), text)))
                .isNull();
    }

    private static Object minimum(TableSource source) {
        Literal minimum = source.statistics().columns().getFirst().minimum();
        return minimum == null ? null : minimum.value();
    }
}
