package dev.chert.operator.aggregate;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.TestColumns;
import dev.chert.batch.TypeKind;
import dev.chert.expression.AggregateCall;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.InputColumn;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// What aggregates mean, one row at a time over lists.
final class PlainAggregates {
    private PlainAggregates() {}

    /// The rows of each group, by its key.
    static Map<List<Object>, List<Integer>> groups(List<List<Object>> columns, int rowCount, List<Expression> keys) {
        Map<List<Object>, List<Integer>> groups = new LinkedHashMap<>();
        if (keys.isEmpty()) {
            groups.put(List.of(), new ArrayList<>());
        }
        for (int row = 0; row < rowCount; row++) {
            List<Object> key = new ArrayList<>();
            for (Expression expression : keys) {
                key.add(TestColumns.canonical(value(columns, expression, row)));
            }
            groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(row);
        }
        return groups;
    }

    /// The arguments that a call is shown in a group.
    static List<Object> shown(List<List<Object>> columns, List<Integer> rows, AggregateCall call) {
        List<Object> values = new ArrayList<>();
        for (int row : rows) {
            if (call.filter() != null && !Boolean.TRUE.equals(value(columns, call.filter(), row))) {
                continue;
            }
            values.add(
                    call.arguments().isEmpty()
                            ? (Object) true
                            : value(columns, call.arguments().getFirst(), row));
        }
        if (!call.function().equals("first") && !call.function().equals("single_value")) {
            values.removeIf(Objects::isNull);
        }
        if (call.distinct()) {
            LinkedHashSet<Object> distinct = new LinkedHashSet<>();
            values.forEach(v -> distinct.add(TestColumns.canonical(v)));
            return new ArrayList<>(distinct);
        }
        return values;
    }

    private static Object value(List<List<Object>> columns, Expression expression, int row) {
        return columns.get(((InputColumn) expression).index()).get(row);
    }

    /// The result for all functions but those that may pick a value.
    static Object result(AggregateCall call, List<Object> values) {
        if (call.function().equals("count")) {
            return (long) values.size();
        }
        if (values.isEmpty()) {
            return null;
        }
        DataType type = call.arguments().getFirst().type();
        return switch (call.function()) {
            case "min", "bool_and" ->
                values.stream()
                        .reduce((a, b) -> compare(type, b, a) < 0 ? b : a)
                        .orElseThrow();
            case "max", "bool_or" ->
                values.stream()
                        .reduce((a, b) -> compare(type, b, a) > 0 ? b : a)
                        .orElseThrow();
            case "sum" -> sum(type, values);
            case "avg" -> average(type, values);
            case "bit_and" ->
                values.stream().map(v -> (Long) v).reduce((a, b) -> a & b).orElseThrow();
            case "bit_or" ->
                values.stream().map(v -> (Long) v).reduce((a, b) -> a | b).orElseThrow();
            case "bit_xor" ->
                values.stream().map(v -> (Long) v).reduce((a, b) -> a ^ b).orElseThrow();
            case "var_pop" -> variance(type, values, 0);
            case "var_samp" -> variance(type, values, 1);
            case "stddev_pop" -> root(variance(type, values, 0));
            case "stddev_samp" -> root(variance(type, values, 1));
            default -> throw new AssertionError(call);
        };
    }

    private static Object sum(DataType type, List<Object> values) {
        if (type.kind().isFloating()) {
            return values.stream().mapToDouble(v -> ((Number) v).doubleValue()).sum();
        }
        BigInteger sum = whole(values);
        return type.kind() == TypeKind.DECIMAL ? (Object) sum : (Long) sum.longValueExact();
    }

    private static BigInteger whole(List<Object> values) {
        return values.stream().map(v -> new BigInteger(v.toString())).reduce(BigInteger.ZERO, BigInteger::add);
    }

    private static Object average(DataType type, List<Object> values) {
        if (type.kind() == TypeKind.DECIMAL) {
            int scale = ((ScalarType) type).scale();
            return new BigDecimal(whole(values), scale)
                    .divide(BigDecimal.valueOf(values.size()), Math.max(scale, 6), RoundingMode.HALF_UP)
                    .unscaledValue();
        }
        if (type.kind().isFloating()) {
            return (Double) sum(type, values) / values.size();
        }
        return whole(values).doubleValue() / values.size();
    }

    private static Double variance(DataType type, List<Object> values, int less) {
        double unit = type.kind() == TypeKind.DECIMAL ? Math.pow(10, ((ScalarType) type).scale()) : 1;
        double[] numbers = values.stream()
                .mapToDouble(v -> ((Number) v).doubleValue() / unit)
                .toArray();
        if (numbers.length <= less) {
            return null;
        }
        double mean = Arrays.stream(numbers).sum() / numbers.length;
        double squares =
                Arrays.stream(numbers).map(x -> (x - mean) * (x - mean)).sum();
        return squares / (numbers.length - less);
    }

    private static Double root(Double variance) {
        return variance == null ? null : Math.sqrt(variance);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static int compare(DataType type, Object a, Object b) {
        return switch (type.kind()) {
            case CHAR, VARCHAR, VARBINARY ->
                Arrays.compareUnsigned(
                        ((String) a).getBytes(StandardCharsets.UTF_8), ((String) b).getBytes(StandardCharsets.UTF_8));
            case UUID -> Arrays.compareUnsigned(textOrder((BigInteger) a), textOrder((BigInteger) b));
            default -> ((Comparable) TestColumns.canonical(a)).compareTo(TestColumns.canonical(b));
        };
    }

    private static byte[] textOrder(BigInteger littleEndian) {
        byte[] bytes = new byte[16];
        for (int i = 0; i < 16; i++) {
            bytes[i] = littleEndian.shiftRight(8 * i).byteValue();
        }
        return bytes;
    }
}
