package dev.chert.batch;

import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Columns from plain values and back, in every form, for tests.
///
/// Values are Boolean; Long for whole numbers, dates, times and intervals; Float; Double; BigInteger for a
/// DECIMAL's digits and a UUID's 128 bits; String for character and byte strings; null for NULL.
public final class TestColumns {
    /// Scalar types of every physical form.
    public static final List<DataType> SCALAR_TYPES = List.of(
            ScalarType.BOOLEAN,
            ScalarType.TINYINT,
            ScalarType.SMALLINT,
            ScalarType.INTEGER,
            ScalarType.BIGINT,
            ScalarType.REAL,
            ScalarType.DOUBLE,
            ScalarType.decimal(12, 2),
            ScalarType.decimal(38, 4),
            ScalarType.DATE,
            ScalarType.timestamp(6),
            ScalarType.VARCHAR,
            ScalarType.VARBINARY,
            ScalarType.UUID,
            ScalarType.NULL);

    private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);

    private TestColumns() {}

    /// One of about `distinct` values of a type, edge cases among them.
    public static Object randomValue(DataType type, Random random, int distinct) {
        int pick = random.nextInt(distinct);
        return switch (type.kind()) {
            case BOOLEAN -> pick % 2 == 0;
            case TINYINT -> (long) (byte) pick;
            case SMALLINT -> pick == 0 ? Short.MIN_VALUE : (long) (short) pick;
            case INTEGER, DATE, INTERVAL_YEAR_MONTH -> pick == 0 ? Integer.MIN_VALUE : (long) pick - 3;
            case BIGINT, TIME, TIMESTAMP, TIMESTAMP_LTZ, INTERVAL_DAY_TIME ->
                switch (pick) {
                    case 0 -> Long.MIN_VALUE;
                    case 1 -> Long.MAX_VALUE;
                    default -> (long) pick * 1_000_003 - 7;
                };
            case REAL ->
                switch (pick) {
                    case 0 -> random.nextBoolean() ? Float.NaN : Float.intBitsToFloat(0x7FC12345);
                    case 1 -> random.nextBoolean() ? 0.0f : -0.0f;
                    case 2 -> Float.NEGATIVE_INFINITY;
                    default -> pick / 8f;
                };
            case DOUBLE ->
                switch (pick) {
                    case 0 -> random.nextBoolean() ? Double.NaN : Double.longBitsToDouble(0xFFF8000000012345L);
                    case 1 -> random.nextBoolean() ? 0.0 : -0.0;
                    case 2 -> Double.POSITIVE_INFINITY;
                    default -> -pick / 8.0;
                };
            case DECIMAL ->
                type.physical() == Physical.INT64 || pick % 3 != 0
                        ? BigInteger.valueOf(pick - 5L)
                        : BigInteger.TEN.pow(20).multiply(BigInteger.valueOf(pick - 10L));
            case UUID -> BigInteger.valueOf(pick).multiply(BigInteger.TEN.pow(18));
            case CHAR, VARCHAR, VARBINARY ->
                switch (pick % 4) {
                    case 0 -> pick == 0 ? "" : "v" + pick;
                    case 1 -> "twelve bytes".substring(0, 8) + "%04d".formatted(pick);
                    case 2 -> "a string longer than twelve bytes, number " + pick;
                    default -> "thirteen%05d".formatted(pick);
                };
            case NULL -> null;
            case ARRAY, MAP, ROW, OPAQUE -> throw new AssertionError(type);
        };
    }

    /// Random values of which about one in `nullEvery` is NULL; 0 for none.
    public static List<Object> randomValues(DataType type, Random random, int count, int distinct, int nullEvery) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean isNull = nullEvery > 0 && random.nextInt(nullEvery) == 0;
            values.add(isNull ? null : randomValue(type, random, distinct));
        }
        return values;
    }

    /// A flat column; the caller's.
    public static Column flat(DataType type, List<?> values, Allocator allocator) {
        return flat(type, values, false, allocator);
    }

    /// @param wide whether a DECIMAL is to be 128 bits wide even where its values fit 64
    public static Column flat(DataType type, List<?> values, boolean wide, Allocator allocator) {
        Physical physical = type.physical();
        if (type.kind() == TypeKind.DECIMAL) {
            boolean fit = values.stream().allMatch(v -> v == null || ((BigInteger) v).bitLength() < 64);
            physical = fit && !wide ? Physical.INT64 : Physical.INT128;
        }
        ColumnWriter out = new ColumnWriter(type, physical, values.size(), allocator);
        for (int row = 0; row < values.size(); row++) {
            Object value = values.get(row);
            if (physical == Physical.NONE) {
                continue;
            }
            if (value == null) {
                out.setNull(row);
                continue;
            }
            switch (physical) {
                case BIT -> out.putBoolean(row, (Boolean) value);
                case INT8 -> out.values().set(Layouts.BYTE, row, ((Long) value).byteValue());
                case INT16 -> out.values().setAtIndex(Layouts.SHORT, row, ((Long) value).shortValue());
                case INT32 -> out.values().setAtIndex(Layouts.INT, row, ((Long) value).intValue());
                case INT64 -> out.values().setAtIndex(Layouts.LONG, row, ((Number) value).longValue());
                case FLOAT32 -> out.values().setAtIndex(Layouts.FLOAT, row, (Float) value);
                case FLOAT64 -> out.values().setAtIndex(Layouts.DOUBLE, row, (Double) value);
                case INT128 -> {
                    BigInteger number = (BigInteger) value;
                    out.values().setAtIndex(Layouts.LONG, 2L * row, number.longValue());
                    out.values()
                            .setAtIndex(
                                    Layouts.LONG,
                                    2L * row + 1,
                                    number.shiftRight(64).longValue());
                }
                case VIEW -> out.putBytes(row, ((String) value).getBytes(StandardCharsets.UTF_8));
                case LIST, MAP, STRUCT, NONE, HANDLE -> throw new AssertionError(physical);
            }
        }
        return out.seal(values.size());
    }

    /// A dictionary column; the caller's. Falls back to a flat one where every value is NULL.
    public static Column dictionary(DataType type, List<?> values, Allocator allocator) {
        Map<Object, Integer> codes = new LinkedHashMap<>();
        for (Object value : values) {
            if (value != null) {
                codes.putIfAbsent(value, codes.size());
            }
        }
        if (codes.isEmpty()) {
            return flat(type, values, allocator);
        }
        Column dictionary = flat(type, List.copyOf(codes.keySet()), allocator);
        int count = values.size();
        Buffer codeBytes = allocator.allocateZeroed(4L * count + 4);
        Buffer validity = allocator.allocate(Bitmap.paddedBytes(count));
        Bitmap.fillOnes(validity.segment(), count);
        boolean hasNulls = false;
        for (int row = 0; row < count; row++) {
            Object value = values.get(row);
            if (value == null) {
                Bitmap.clear(validity.segment(), row);
                hasNulls = true;
            } else {
                codeBytes.segment().setAtIndex(Layouts.INT, row, codes.get(value));
            }
        }
        return Column.dictionary(
                count, codeBytes.segment(), hasNulls ? validity.segment() : null, dictionary, codeBytes, validity);
    }

    /// The values in a form chosen at random: constant only where all are the same.
    public static Column anyForm(DataType type, List<?> values, Random random, Allocator allocator) {
        boolean same = values.stream().distinct().count() == 1;
        if (same && random.nextBoolean()) {
            return Column.constant(flat(type, values.subList(0, 1), random.nextBoolean(), allocator), values.size());
        }
        return random.nextInt(3) == 0
                ? dictionary(type, values, allocator)
                : flat(type, values, random.nextInt(3) == 0, allocator);
    }

    /// The value of a row.
    public static Object read(Column column, int row) {
        if (column.isNull(row)) {
            return null;
        }
        Column values = column.valueColumn();
        int at = column.valueRow(row);
        return switch (values.physical()) {
            case BIT -> Bitmap.get(values.values(), at);
            case INT8 -> (long) values.values().get(Layouts.BYTE, at);
            case INT16 -> (long) values.values().getAtIndex(Layouts.SHORT, at);
            case INT32 -> (long) values.values().getAtIndex(Layouts.INT, at);
            case INT64 -> {
                long value = values.values().getAtIndex(Layouts.LONG, at);
                yield column.type().kind() == TypeKind.DECIMAL ? (Object) BigInteger.valueOf(value) : value;
            }
            case FLOAT32 -> values.values().getAtIndex(Layouts.FLOAT, at);
            case FLOAT64 -> values.values().getAtIndex(Layouts.DOUBLE, at);
            case INT128 -> {
                BigInteger upper = BigInteger.valueOf(values.values().getAtIndex(Layouts.LONG, 2L * at + 1));
                BigInteger lower = BigInteger.valueOf(values.values().getAtIndex(Layouts.LONG, 2L * at));
                yield upper.shiftLeft(64).add(lower.signum() < 0 ? lower.add(TWO_TO_64) : lower);
            }
            case VIEW -> new StringView().at(values, at).toString();
            case LIST, MAP, STRUCT, NONE, HANDLE -> throw new AssertionError(column);
        };
    }

    public static List<Object> read(Column column) {
        List<Object> values = new ArrayList<>();
        for (int row = 0; row < column.rowCount(); row++) {
            values.add(read(column, row));
        }
        return values;
    }

    /// The value that stands for all values that count as equal.
    public static Object canonical(Object value) {
        return switch (value) {
            case Float f -> f + 0.0f;
            case Double d -> d + 0.0;
            case null -> null;
            default -> value;
        };
    }
}
