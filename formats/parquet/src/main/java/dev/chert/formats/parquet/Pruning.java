package dev.chert.formats.parquet;

import dev.chert.batch.ScalarType;
import dev.chert.expression.Expression.Literal;
import dev.chert.source.ColumnPredicate;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;

/// Decides from statistics whether a row group may have rows for which a predicate is true.
///
/// NULL satisfies no comparison. Bounds of REAL and DOUBLE leave out NaN, which sorts above all numbers: where a
/// NaN would satisfy a predicate the maximum excludes nothing. A REAL is compared with its neighbours allowed,
/// since a literal may have digits that a REAL has not.
final class Pruning {
    private Pruning() {}

    /// True unless the statistics show that no row satisfies the predicate.
    ///
    /// @param statistics of the predicate's column
    static boolean mayMatch(ColumnPredicate predicate, ParquetColumn column, ChunkStatistics statistics, long rows) {
        return switch (predicate) {
            case ColumnPredicate.Comparison comparison ->
                !isAllNull(statistics, rows)
                        && (statistics.minimum() == null
                                || mayCompare(comparison.operator(), column, statistics, comparison.value()));
            case ColumnPredicate.In in ->
                !isAllNull(statistics, rows)
                        && (statistics.minimum() == null
                                || in.values().stream()
                                        .anyMatch(value ->
                                                mayCompare(ColumnPredicate.Operator.EQUAL, column, statistics, value)));
            case ColumnPredicate.IsNull isNull ->
                isNull.negated() ? !isAllNull(statistics, rows) : column.nullable() && statistics.nullCount() != 0;
        };
    }

    private static boolean isAllNull(ChunkStatistics statistics, long rows) {
        return statistics.nullCount() == rows;
    }

    private static boolean mayCompare(
            ColumnPredicate.Operator operator, ParquetColumn column, ChunkStatistics statistics, Literal literal) {
        Comparable<?> value = value(literal, column, statistics.minimum());
        if (value == null) {
            return true;
        }
        Comparable<?> low = value;
        Comparable<?> high = value;
        boolean isReal = column.form() == ValueForm.FLOAT || column.form() == ValueForm.FLOAT16;
        if (isReal) {
            low = (double) Math.nextDown(((Double) value).floatValue());
            high = (double) Math.nextUp(((Double) value).floatValue());
        }
        boolean mayHaveNaN = isReal || column.form() == ValueForm.DOUBLE;
        int minimumToValue = StatisticsReader.compare(statistics.minimum(), high);
        int maximumToValue = StatisticsReader.compare(statistics.maximum(), low);
        return switch (operator) {
            case EQUAL -> minimumToValue <= 0 && maximumToValue >= 0;
            case NOT_EQUAL -> mayHaveNaN || minimumToValue != 0 || maximumToValue != 0;
            case LESS -> minimumToValue < 0;
            case LESS_OR_EQUAL -> minimumToValue <= 0;
            case GREATER -> mayHaveNaN || maximumToValue > 0;
            case GREATER_OR_EQUAL -> mayHaveNaN || maximumToValue >= 0;
        };
    }

    /// The literal in the form of a bound, or null where it has none: then nothing is excluded.
    private static Comparable<?> value(Literal literal, ParquetColumn column, Comparable<?> bound) {
        return switch (literal.value()) {
            case Boolean value when bound instanceof Boolean -> value;
            case Long value when bound instanceof Long -> value;
            case Long value when bound instanceof BigDecimal -> BigDecimal.valueOf(value);
            case BigDecimal value when bound instanceof BigDecimal -> value;
            case Double value when bound instanceof Double && !value.isNaN() -> value + 0.0;
            case UUID value
            when bound instanceof Bytes -> bytes(value.toString().replace("-", ""));
            case String value
            when bound instanceof Bytes ->
                column.type().equals(ScalarType.VARBINARY)
                        ? bytes(value)
                        : new Bytes(value.getBytes(StandardCharsets.UTF_8));
            case null, default -> null;
        };
    }

    private static Bytes bytes(String hexadecimal) {
        return new Bytes(HexFormat.of().parseHex(hexadecimal));
    }
}
