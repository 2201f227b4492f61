package dev.chert.formats.parquet;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Step;
import dev.chert.batch.StringView;
import dev.chert.memory.Account;
import dev.chert.memory.Allocator;
import dev.chert.memory.MemoryManager;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import dev.chert.source.ColumnPredicate;
import dev.chert.source.FileSystem;
import dev.chert.source.LocalFileSystem;
import dev.chert.source.ReadMetrics;
import dev.chert.source.Split;
import dev.chert.source.SplitReader;
import dev.chert.source.TableSource;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/// Reads files through the reader under test, as rows of Java values, under a memory manager that checks.
final class Reading {
    private static final long LIMIT = 512L << 20;

    private final Settings settings;
    private long limit = LIMIT;
    private ReadMetrics metrics = ReadMetrics.NONE;
    private int splitsRead;
    private int splitsTotal;
    private final List<Column.Form> forms = new ArrayList<>();

    Reading() {
        this(4_096);
    }

    Reading(int batchSize) {
        this(Settings.defaults().with("execution.batch-size", Integer.toString(batchSize)));
    }

    Reading(Settings settings) {
        this.settings = settings;
    }

    /// Bounds the memory.
    Reading withLimit(long bytes) {
        limit = bytes;
        return this;
    }

    static TableSource source(Path... files) {
        List<FileSystem.FileEntry> entries = new ArrayList<>();
        for (Path file : files) {
            entries.addAll(LocalFileSystem.UNRESTRICTED.list(file.toString()));
        }
        return new ParquetFormat().open(entries, LocalFileSystem.UNRESTRICTED, Map.of());
    }

    /// A file of bytes in memory.
    static TableSource source(String name, byte[] bytes) {
        MemoryFiles files = new MemoryFiles(bytes);
        return new ParquetFormat().open(List.of(new FileSystem.FileEntry(name, bytes.length, 0)), files, Map.of());
    }

    List<List<Object>> all(TableSource source) {
        return rows(source, IntStream.range(0, source.schema().size()).boxed().toList(), List.of());
    }

    ReadMetrics metrics() {
        return metrics;
    }

    int splitsRead() {
        return splitsRead;
    }

    int splitsTotal() {
        return splitsTotal;
    }

    /// The forms of the columns of all batches, one after the other.
    List<Column.Form> forms() {
        return forms;
    }

    List<List<Object>> all(Path file) {
        return all(source(file));
    }

    /// All rows, column by column.
    List<List<Object>> rows(TableSource source, List<Integer> columns, List<ColumnPredicate> predicates) {
        List<List<Object>> rows = new ArrayList<>();
        try (MemoryManager manager = new MemoryManager(limit, true)) {
            try (Account account = manager.openAccount("query", limit)) {
                QueryContext query = new QueryContext("test", settings, Instant.EPOCH, 1, account);
                Allocator allocator = account.allocator("scan");
                TableSource.ScanRequest request = new TableSource.ScanRequest(columns, predicates);
                TableSource.SplitList splits = source.splits(request);
                splitsTotal = splits.total();
                splitsRead = splits.splits().size();
                for (Split split : splits.splits()) {
                    read(split, request, query, allocator, rows);
                }
                if (account.liveBuffers() != 0) {
                    throw new AssertionError(account.liveBuffers() + " buffers were not given back");
                }
            }
        }
        return rows;
    }

    private void read(
            Split split,
            TableSource.ScanRequest request,
            QueryContext query,
            Allocator allocator,
            List<List<Object>> rows) {
        Batch before = null;
        try (SplitReader reader = split.open(request, query, allocator)) {
            // keeps one batch while it reads the next, the last until the reader is closed: nothing in it may
            // change
            while (reader.next() instanceof Batch batch) {
                if (before != null) {
                    add(before, rows);
                }
                before = batch;
            }
            metrics = metrics.plus(reader.metrics());
            if (reader.next() != Step.END) {
                throw new AssertionError("the end is not the end");
            }
        }
        if (before != null) {
            add(before, rows);
        }
    }

    private void add(Batch batch, List<List<Object>> rows) {
        for (Column column : batch.columns()) {
            forms.add(column.form());
        }
        for (int row = 0; row < batch.rowCount(); row++) {
            List<Object> values = new ArrayList<>();
            for (Column column : batch.columns()) {
                values.add(value(column, row));
            }
            rows.add(values);
        }
        batch.close();
    }

    /// A value as Boolean, Long (integers, days, units of time), Double, BigDecimal, String, or hexadecimal
    /// digits in a String.
    static Object value(Column column, int row) {
        if (column.isNull(row)) {
            if (column.isFlat()
                    && column.physical() == Physical.VIEW
                    && column.values().getAtIndex(Layouts.INT, 4L * row) != 0) {
                throw new AssertionError("the string under a NULL is not empty");
            }
            return null;
        }
        Column values = column.valueColumn();
        int at = column.valueRow(row);
        MemorySegment memory = values.values();
        ScalarType type = (ScalarType) column.type();
        return switch (type.kind()) {
            case BOOLEAN -> dev.chert.batch.Bitmap.get(memory, at);
            case TINYINT -> (long) memory.get(Layouts.BYTE, at);
            case SMALLINT -> (long) memory.getAtIndex(Layouts.SHORT, at);
            case INTEGER, DATE -> (long) memory.getAtIndex(Layouts.INT, at);
            case BIGINT, TIME, TIMESTAMP, TIMESTAMP_LTZ -> memory.getAtIndex(Layouts.LONG, at);
            case REAL -> (double) memory.getAtIndex(Layouts.FLOAT, at);
            case DOUBLE -> memory.getAtIndex(Layouts.DOUBLE, at);
            case DECIMAL -> {
                if (values.physical() == Physical.INT64) {
                    yield BigDecimal.valueOf(memory.getAtIndex(Layouts.LONG, at), type.scale());
                }
                byte[] bytes = ByteBuffer.allocate(16)
                        .putLong(memory.getAtIndex(Layouts.LONG, 2L * at + 1))
                        .putLong(memory.getAtIndex(Layouts.LONG, 2L * at))
                        .array();
                yield new BigDecimal(new BigInteger(bytes), type.scale());
            }
            case VARCHAR -> new StringView().at(values, at).toString();
            case VARBINARY ->
                HexFormat.of().formatHex(new StringView().at(values, at).toBytes());
            case UUID -> {
                ByteBuffer halves = ByteBuffer.wrap(memory.asSlice(16L * at, 16).toArray(Layouts.BYTE))
                        .order(ByteOrder.BIG_ENDIAN);
                yield new UUID(halves.getLong(), halves.getLong()).toString();
            }
            case CHAR, INTERVAL_YEAR_MONTH, INTERVAL_DAY_TIME, ARRAY, MAP, ROW, NULL, OPAQUE ->
                throw new AssertionError(type);
        };
    }
}
