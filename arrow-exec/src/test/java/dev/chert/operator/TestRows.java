package dev.chert.operator;

import dev.chert.batch.Batch;
import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.batch.Step;
import dev.chert.batch.StringView;
import dev.chert.batch.TypeKind;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.query.QueryContext;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// Rows as Java objects, in and out of batches. Values are those of literals: Boolean, Long, Double, BigDecimal,
/// String, UUID; byte strings are Strings, too.
public final class TestRows {
    private TestRows() {}

    /// Cuts rows into batches of random sizes, forms and selections; no random generator gives plain ones.
    public static List<Batch> batches(
            Schema schema, List<List<Object>> rows, QueryContext query, Allocator allocator, Random random) {
        List<Batch> batches = new ArrayList<>();
        int batchSize = query.batchSize();
        int from = 0;
        while (from < rows.size()) {
            int most = Math.min(batchSize, rows.size() - from);
            boolean spread = random != null && batchSize > 1 && random.nextInt(3) == 0;
            int take = random == null || random.nextBoolean() ? most : 1 + random.nextInt(most);
            if (spread) {
                take = Math.min(take, Math.max(1, batchSize / 3));
            }
            batches.add(
                    spread
                            ? spread(schema, rows.subList(from, from + take), query, allocator, random)
                            : batch(schema, rows.subList(from, from + take), allocator, random));
            from += take;
        }
        return batches;
    }

    /// A batch in which only some rows are selected.
    private static Batch spread(
            Schema schema, List<List<Object>> rows, QueryContext query, Allocator allocator, Random random) {
        List<List<Object>> padded = new ArrayList<>();
        int[] selection = query.selections().take(query.batchSize());
        int selected = 0;
        for (List<Object> row : rows) {
            int room = query.batchSize() - padded.size() - (rows.size() - selected);
            int gap = room > 0 ? random.nextInt(Math.min(room, 3) + 1) : 0;
            for (int i = 0; i < gap; i++) {
                padded.add(rows.get(random.nextInt(rows.size())));
            }
            selection[selected++] = padded.size();
            padded.add(row);
        }
        Batch batch = batch(schema, padded, allocator, random);
        batch.select(selection, selected, query.selections());
        return batch;
    }

    public static Batch batch(Schema schema, List<List<Object>> rows, Allocator allocator, Random random) {
        Column[] columns = new Column[schema.size()];
        for (int c = 0; c < columns.length; c++) {
            int index = c;
            List<Object> values = new ArrayList<>();
            rows.forEach(row -> values.add(row.get(index)));
            columns[c] = column(schema.type(c), values, allocator, random);
        }
        return new Batch(columns, rows.size());
    }

    /// A column of some form that has these values.
    public static Column column(DataType type, List<Object> values, Allocator allocator, Random random) {
        int form = random == null ? 0 : random.nextInt(3);
        boolean same = new LinkedHashSet<>(values).size() == 1;
        if (same && form > 0 && type.physical() != Physical.NONE) {
            return Column.constant(flat(type, values.subList(0, 1), allocator, random), values.size());
        }
        boolean hasValue = values.stream().anyMatch(v -> v != null);
        if (form == 2 && hasValue && type.physical() != Physical.NONE) {
            return dictionary(type, values, allocator, random);
        }
        return flat(type, values, allocator, random);
    }

    private static Column dictionary(DataType type, List<Object> values, Allocator allocator, Random random) {
        List<Object> distinct = new ArrayList<>(new LinkedHashSet<>(values));
        distinct.removeAll(Collections.singleton(null));
        Collections.shuffle(distinct, random);
        Column dictionary = flat(type, distinct, allocator, random);
        Buffer codes = allocator.allocateZeroed(64 + 4L * values.size());
        Buffer validity = allocator.allocate(64 + Bitmap.paddedBytes(values.size()));
        Bitmap.fillOnes(validity.segment(), values.size());
        boolean nulls = false;
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) == null) {
                nulls = true;
                Bitmap.clear(validity.segment(), i);
                codes.segment().set(Layouts.INT, 4L * i, random.nextInt(distinct.size()));
            } else {
                codes.segment().set(Layouts.INT, 4L * i, distinct.indexOf(values.get(i)));
            }
        }
        return Column.dictionary(
                values.size(), codes.segment(), nulls ? validity.segment() : null, dictionary, codes, validity);
    }

    private static Column flat(DataType type, List<Object> values, Allocator allocator, Random random) {
        Physical physical = type.physical();
        if (physical == Physical.NONE) {
            return Column.flat(type, physical, values.size(), null, null, null, null);
        }
        if (type.kind() == TypeKind.DECIMAL) {
            boolean fits = values.stream()
                    .allMatch(v -> v == null || ((BigDecimal) v).unscaledValue().bitLength() < 64);
            physical = fits && (random == null || random.nextBoolean()) ? Physical.INT64 : Physical.INT128;
        }
        ColumnWriter writer = new ColumnWriter(type, physical, Math.max(1, values.size()), allocator);
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) == null) {
                writer.setNull(i);
            } else {
                put(writer, i, values.get(i));
            }
        }
        return writer.seal(values.size());
    }

    private static void put(ColumnWriter writer, int row, Object value) {
        MemorySegment to = writer.values();
        switch (writer.physical()) {
            case BIT -> writer.putBoolean(row, (Boolean) value);
            case INT8 -> to.set(Layouts.BYTE, row, ((Long) value).byteValue());
            case INT16 -> to.set(Layouts.SHORT, 2L * row, ((Long) value).shortValue());
            case INT32 -> to.set(Layouts.INT, 4L * row, ((Long) value).intValue());
            case INT64 ->
                to.set(
                        Layouts.LONG,
                        8L * row,
                        value instanceof BigDecimal decimal
                                ? decimal.unscaledValue().longValueExact()
                                : (Long) value);
            case FLOAT32 -> to.set(Layouts.FLOAT, 4L * row, ((Double) value).floatValue());
            case FLOAT64 -> to.set(Layouts.DOUBLE, 8L * row, (Double) value);
            case INT128 -> {
                if (value instanceof UUID uuid) {
                    to.set(Layouts.LONG, 16L * row, Long.reverseBytes(uuid.getMostSignificantBits()));
                    to.set(Layouts.LONG, 16L * row + 8, Long.reverseBytes(uuid.getLeastSignificantBits()));
                } else {
                    BigInteger unscaled = ((BigDecimal) value).unscaledValue();
                    to.set(Layouts.LONG, 16L * row, unscaled.longValue());
                    to.set(Layouts.LONG, 16L * row + 8, unscaled.shiftRight(64).longValueExact());
                }
            }
            case VIEW -> writer.putBytes(row, ((String) value).getBytes(StandardCharsets.UTF_8));
            case LIST, MAP, STRUCT, NONE, HANDLE -> throw new AssertionError(writer.type());
        }
    }

    /// Reads the selected rows and leaves the batch open.
    public static List<List<Object>> read(Batch batch) {
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < batch.selectedRows(); i++) {
            int row = batch.selection() == null ? i : batch.selection()[i];
            List<Object> values = new ArrayList<>();
            batch.columns().forEach(column -> values.add(value(column, row)));
            rows.add(values);
        }
        return rows;
    }

    /// Pulls an operator to its end, closing each batch, then the operator.
    public static List<List<Object>> drain(Operator operator, int batchSize) {
        List<List<Object>> rows = new ArrayList<>();
        while (true) {
            switch (operator.next()) {
                case Batch batch -> {
                    if (batch.selectedRows() > batchSize || batch.selectedRows() == 0) {
                        throw new AssertionError("a batch of " + batch.selectedRows() + " rows");
                    }
                    rows.addAll(read(batch));
                    batch.close();
                }
                case Step.End _ -> {
                    operator.close();
                    return rows;
                }
                case Step.Paused paused -> paused.wake().join();
                case Step.Watermark _ -> {}
            }
        }
    }

    /// Pulls operators in turn until all have ended, as workers would: one that pauses lets the others go on.
    public static List<List<Object>> drainTogether(List<Operator> operators, int batchSize) {
        List<List<Object>> rows = new ArrayList<>();
        Set<Operator> running = new LinkedHashSet<>(operators);
        int waiting = 0;
        while (!running.isEmpty()) {
            for (Operator operator : List.copyOf(running)) {
                switch (operator.next()) {
                    case Batch batch -> {
                        waiting = 0;
                        if (batch.selectedRows() > batchSize || batch.selectedRows() == 0) {
                            throw new AssertionError("a batch of " + batch.selectedRows() + " rows");
                        }
                        rows.addAll(read(batch));
                        batch.close();
                    }
                    case Step.End _ -> {
                        waiting = 0;
                        running.remove(operator);
                        operator.close();
                    }
                    case Step.Paused paused -> {
                        waiting = paused.wake().isDone() ? 0 : waiting + 1;
                        if (waiting > operators.size()) {
                            throw new AssertionError("everybody waits for somebody else");
                        }
                    }
                    case Step.Watermark _ -> {}
                }
            }
        }
        return rows;
    }

    /// How often each row occurs.
    public static Map<List<Object>, Long> count(List<List<Object>> rows) {
        return rows.stream().collect(Collectors.groupingBy(row -> row, Collectors.counting()));
    }

    /// A source that gives batches.
    public static Operator source(List<Batch> batches) {
        Deque<Batch> left = new ArrayDeque<>(batches);
        return new Operator() {
            @Override
            public Step next() {
                return left.isEmpty() ? Step.END : left.poll();
            }

            @Override
            public void close() {
                left.forEach(Batch::close);
                left.clear();
            }
        };
    }

    public static Object value(Column column, int row) {
        if (column.isNull(row)) {
            return null;
        }
        Column from = column.valueColumn();
        MemorySegment values = from.values();
        int at = column.valueRow(row);
        return switch (from.physical()) {
            case BIT -> Bitmap.get(values, at);
            case INT8 -> (long) values.get(Layouts.BYTE, at);
            case INT16 -> (long) values.get(Layouts.SHORT, 2L * at);
            case INT32 -> (long) values.get(Layouts.INT, 4L * at);
            case INT64 -> {
                long value = values.get(Layouts.LONG, 8L * at);
                yield from.type() instanceof ScalarType type && type.kind() == TypeKind.DECIMAL
                        ? (Object) BigDecimal.valueOf(value, type.scale())
                        : (Object) value;
            }
            case FLOAT32 -> (double) values.get(Layouts.FLOAT, 4L * at);
            case FLOAT64 -> values.get(Layouts.DOUBLE, 8L * at);
            case INT128 -> {
                long low = values.get(Layouts.LONG, 16L * at);
                long high = values.get(Layouts.LONG, 16L * at + 8);
                if (from.type().equals(ScalarType.UUID)) {
                    yield new UUID(Long.reverseBytes(low), Long.reverseBytes(high));
                }
                BigInteger unscaled = BigInteger.valueOf(high)
                        .shiftLeft(64)
                        .or(BigInteger.valueOf(low)
                                .and(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE)));
                yield new BigDecimal(unscaled, ((ScalarType) from.type()).scale());
            }
            case VIEW -> new StringView().at(values, column.slabs(), at).toString();
            case LIST, MAP, STRUCT, NONE, HANDLE -> throw new AssertionError(column);
        };
    }

    /// A random value of a type, from a few different ones so that duplicates are common; NULL one time in six.
    public static Object randomValue(ScalarType type, int distinct, Random random) {
        if (random.nextInt(6) == 0) {
            return null;
        }
        int pick = random.nextInt(distinct);
        Random value = new Random(31L * pick + type.hashCode());
        return switch (type.kind()) {
            case BOOLEAN -> value.nextBoolean();
            case TINYINT -> (long) (byte) value.nextInt();
            case SMALLINT -> (long) (short) value.nextInt();
            case INTEGER, INTERVAL_YEAR_MONTH, DATE -> (long) value.nextInt();
            case BIGINT, TIME, TIMESTAMP, TIMESTAMP_LTZ, INTERVAL_DAY_TIME ->
                value.nextBoolean() ? value.nextLong() : (long) value.nextInt(100);
            case REAL -> (double) (float) special(value);
            case DOUBLE -> special(value);
            case DECIMAL ->
                new BigDecimal(
                        new BigInteger(type.precision() <= 18 ? 58 : value.nextBoolean() ? 60 : 124, value)
                                .multiply(BigInteger.valueOf(value.nextBoolean() ? 1 : -1)),
                        type.scale());
            case CHAR, VARCHAR, VARBINARY -> text(value);
            case UUID -> new UUID(value.nextLong(), value.nextLong());
            case NULL -> null;
            case ARRAY, MAP, ROW, OPAQUE -> throw new AssertionError(type);
        };
    }

    private static double special(Random random) {
        double[] values = {0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1.5, -1.5};
        int pick = random.nextInt(2 * values.length);
        return pick < values.length ? values[pick] : random.nextGaussian() * 1e6;
    }

    private static String text(Random random) {
        char[] letters = new char[random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(30)];
        Arrays.fill(letters, 'a'); // long common prefixes
        if (letters.length > 0) {
            String alphabet = "ab\u0000zé漢";
            letters[letters.length - 1] = alphabet.charAt(random.nextInt(alphabet.length()));
        }
        return new String(letters);
    }

    /// Compares two values as the engine orders them; neither is null.
    public static int compare(Object a, Object b) {
        return switch (a) {
            case Boolean x -> Boolean.compare(x, (Boolean) b);
            case Long x -> Long.compare(x, (Long) b);
            case Double x -> Double.compare(x + 0.0, (Double) b + 0.0);
            case BigDecimal x -> x.compareTo((BigDecimal) b);
            case String x ->
                Arrays.compareUnsigned(
                        x.getBytes(StandardCharsets.UTF_8), ((String) b).getBytes(StandardCharsets.UTF_8));
            case UUID x -> x.toString().compareTo(b.toString());
            default -> throw new AssertionError(a);
        };
    }
}
