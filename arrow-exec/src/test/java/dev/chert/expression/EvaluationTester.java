package dev.chert.expression;

import dev.chert.batch.Batch;
import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.batch.ScalarType;
import dev.chert.batch.StringView;
import dev.chert.batch.TypeKind;
import dev.chert.expression.Expression.Literal;
import dev.chert.kernel.Int128;
import dev.chert.memory.Account;
import dev.chert.memory.Allocator;
import dev.chert.memory.MemoryManager;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// A query with memory of its own, in which tests evaluate expressions on columns made of Java values (those of
/// [Literal]); closing it fails where a buffer is still alive.
public final class EvaluationTester implements AutoCloseable {
    public static final Instant START = Instant.parse("2024-02-29T12:34:56.789Z");

    private final MemoryManager manager;
    private final Account account;
    private final Allocator allocator;
    private final QueryContext query;

    public EvaluationTester(String... settings) {
        manager = new MemoryManager(256 << 20, true);
        account = manager.openAccount("test", 128 << 20);
        allocator = account.allocator("expressions");
        Settings given = Settings.defaults().with("sql.time-zone", "Europe/Berlin");
        for (String setting : settings) {
            given = given.with(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }
        query = new QueryContext("test", given, START, 42, account);
    }

    private EvaluationTester(EvaluationTester other, Settings settings) {
        manager = other.manager;
        account = other.account;
        allocator = other.allocator;
        query = new QueryContext("test", settings, START, 42, account);
    }

    /// The same memory under settings by which every failure is an error; not to be closed.
    public EvaluationTester strict() {
        return new EvaluationTester(this, Settings.defaults().with("sql.time-zone", "Europe/Berlin"));
    }

    public Allocator allocator() {
        return allocator;
    }

    public QueryContext query() {
        return query;
    }

    public int liveBuffers() {
        return manager.liveBuffers();
    }

    /// Evaluates an expression without columns.
    public Object constant(Expression expression) {
        return evaluate(expression, new Batch(new Column[0], 1)).getFirst();
    }

    /// Evaluates an expression on the selected rows of a batch, which it closes.
    public List<Object> evaluate(Expression expression, Batch batch) {
        try (batch;
                Projection projection = Evaluators.project(List.of(expression), query, allocator)) {
            Column result = projection.evaluate(batch)[0];
            List<Object> values = new ArrayList<>();
            for (int i = 0; i < batch.selectedRows(); i++) {
                values.add(value(result, batch.selection() == null ? i : batch.selection()[i]));
            }
            result.release();
            return values;
        }
    }

    /// The rows of a batch, which it closes, that a predicate keeps.
    public List<Integer> filter(Expression predicate, Batch batch) {
        try (batch;
                RowFilter filter = Evaluators.filter(predicate, query, allocator)) {
            filter.narrow(batch);
            List<Integer> rows = new ArrayList<>();
            for (int i = 0; i < batch.selectedRows(); i++) {
                rows.add(batch.selection() == null ? i : batch.selection()[i]);
            }
            return rows;
        }
    }

    /// Makes a flat column; decimals 64 bits wide if all fit.
    public Column column(DataType type, Object... values) {
        Physical physical = type.physical();
        if (type.kind() == TypeKind.DECIMAL) {
            boolean narrow = Arrays.stream(values)
                    .allMatch(value -> value == null
                            || ((BigDecimal) value).unscaledValue().bitLength() < 64);
            physical = narrow ? Physical.INT64 : Physical.INT128;
        }
        ColumnWriter out = new ColumnWriter(type, physical, values.length, allocator);
        for (int i = 0; i < values.length; i++) {
            LiteralWriter.put(literal(type, values[i]), out, i);
        }
        return out.seal(values.length);
    }

    public Column constantColumn(DataType type, Object value, int rowCount) {
        return Column.constant(column(type, value), rowCount);
    }

    /// Makes a dictionary column with its distinct values in order of appearance.
    public Column dictionaryColumn(DataType type, Object... values) {
        Map<Object, Integer> codes = new LinkedHashMap<>();
        for (Object value : values) {
            if (value != null) {
                codes.putIfAbsent(value, codes.size());
            }
        }
        if (codes.isEmpty()) {
            throw new IllegalArgumentException("a dictionary needs a value");
        }
        Column dictionary = column(type, codes.keySet().toArray());
        ColumnWriter out = new ColumnWriter(ScalarType.INTEGER, values.length, allocator);
        for (int i = 0; i < values.length; i++) {
            out.values().setAtIndex(Layouts.INT, i, values[i] == null ? 0 : codes.get(values[i]));
            if (values[i] == null) {
                out.setNull(i);
            }
        }
        Column written = out.seal(values.length);
        return Column.dictionary(values.length, written.values(), written.validity(), dictionary, written);
    }

    public Batch batch(Column... columns) {
        return new Batch(columns, columns[0].rowCount());
    }

    public Batch selected(Batch batch, int... rows) {
        batch.select(Arrays.copyOf(rows, rows.length), rows.length, query.selections());
        return batch;
    }

    public static Literal literal(DataType type, Object value) {
        if (value instanceof Integer number) {
            return new Literal((long) number, type);
        }
        return new Literal((Serializable) value, type);
    }

    /// Reads a row as the Java value that a literal of the column's type has.
    public static Object value(Column column, int row) {
        if (column.isNull(row)) {
            return null;
        }
        Column from = column.valueColumn();
        MemorySegment values = from.values();
        int at = column.valueRow(row);
        ScalarType type = (ScalarType) column.type();
        return switch (column.physical()) {
            case BIT -> Bitmap.get(values, at);
            case INT8 -> (long) values.get(Layouts.BYTE, at);
            case INT16 -> (long) values.getAtIndex(Layouts.SHORT, at);
            case INT32 -> (long) values.getAtIndex(Layouts.INT, at);
            case INT64 -> {
                long value = values.getAtIndex(Layouts.LONG, at);
                yield type.kind() == TypeKind.DECIMAL
                        ? (Object) new BigDecimal(BigInteger.valueOf(value), type.scale())
                        : (Object) value;
            }
            case INT128 -> {
                Int128 value = new Int128().at(values, at);
                yield type.kind() == TypeKind.UUID
                        ? (Object) new UUID(Long.reverseBytes(value.low()), Long.reverseBytes(value.high()))
                        : (Object) value.toBigDecimal(type.scale());
            }
            case FLOAT32 -> (double) values.getAtIndex(Layouts.FLOAT, at);
            case FLOAT64 -> values.getAtIndex(Layouts.DOUBLE, at);
            case VIEW -> {
                StringView view = new StringView().at(from, at);
                yield type.kind() == TypeKind.VARBINARY ? HexFormat.of().formatHex(view.toBytes()) : view.toString();
            }
            case LIST, MAP, STRUCT, NONE, HANDLE -> throw new IllegalArgumentException(column.toString());
        };
    }

    @Override
    public void close() {
        int alive = manager.liveBuffers();
        if (alive > 0) {
            throw new AssertionError(alive + " buffers are still alive: " + account);
        }
        account.close();
        manager.close();
    }
}
