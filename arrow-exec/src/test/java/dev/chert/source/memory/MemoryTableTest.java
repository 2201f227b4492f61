package dev.chert.source.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.batch.Step;
import dev.chert.batch.TestColumns;
import dev.chert.error.ValidationException;
import dev.chert.memory.Account;
import dev.chert.memory.MemoryManager;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import dev.chert.source.Split;
import dev.chert.source.SplitReader;
import dev.chert.source.Statistics.ColumnStatistics;
import dev.chert.source.TableSource.ScanRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryTableTest {
    private static final Schema SCHEMA =
            Schema.of(new Field("id", ScalarType.BIGINT, false), Field.of("name", ScalarType.VARCHAR));

    private final MemoryManager memory = new MemoryManager(256 << 20, true);
    private final MemoryTable table = new MemoryTable("t", SCHEMA, memory);

    @AfterEach
    void droppingFreesEverything() {
        table.drop();
        memory.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 4096})
    void noBatchThatIsReadHasMoreRowsThanTheQueryWants(int batchSize) {
        insert(table, LongStream.range(0, 10_000).toArray());

        assertThat(read(table.source(), batchSize, 0))
                .isEqualTo(LongStream.range(0, 10_000).boxed().toList());
    }

    @Test
    void readsWhatItHeldWhenTheSourceWasMade() {
        insert(table, 1, 2);
        MemorySource before = table.source();
        assertThat(before.pin()).isTrue();

        insert(table, 3, 4, 5);

        assertThat(read(before, 4096, 0)).containsExactly(1L, 2L);
        assertThat(read(table.source(), 4096, 0)).containsExactly(1L, 2L, 3L, 4L, 5L);
        before.unpin();
    }

    @Test
    void aSourceWhoseBatchesWereJoinedAndFreedIsStale() {
        insert(table, 1);
        MemorySource before = table.source();
        insert(table, 2);

        assertThat(before.pin()).isFalse();
        assertThat(table.source().pin()).isTrue();
        table.source().unpin();
    }

    @Test
    void aLongReaderKeepsOnlyWhatItReads() {
        insert(table, 1, 2);
        MemorySource reader = table.source();
        assertThat(reader.pin()).isTrue();
        for (int i = 0; i < 4_000; i++) {
            insert(table, i);
        }

        assertThat(read(reader, 4096, 0)).containsExactly(1L, 2L);
        assertThat(table.reservedBytes()).isLessThan(1 << 20);
        reader.unpin();
    }

    @Test
    void rowsThatComeOneByOneEndInFewBatches() {
        for (int i = 0; i < 5_000; i++) {
            insert(table, i);
        }

        assertThat(table.source().splits(new ScanRequest(List.of(0), List.of())).splits())
                .hasSize(1);
        assertThat(read(table.source(), 4096, 0))
                .isEqualTo(LongStream.range(0, 5_000).boxed().toList());
        assertThat(table.reservedBytes()).isLessThan(1 << 20);
    }

    @Test
    void whatIsNotCommittedIsGone() {
        long before = memory.reservedBytes();
        try (TableAppender appender = table.append();
                Batch batch = batch(1, 2, 3)) {
            appender.add(batch);
            assertThat(table.source().statistics().rowCount().value()).isZero();
        }
        assertThat(memory.reservedBytes()).isEqualTo(before);
    }

    @Test
    void refusesNullWhereTheColumnIsNotNull() {
        Batch batch = new Batch(
                new Column[] {
                    TestColumns.flat(
                            ScalarType.BIGINT,
                            Arrays.asList(1L, null),
                            memory.imports().allocator("test")),
                    TestColumns.flat(
                            ScalarType.VARCHAR,
                            List.of("a", "b"),
                            memory.imports().allocator("test"))
                },
                2);
        try (batch;
                TableAppender appender = table.append()) {
            assertThatThrownBy(() -> appender.add(batch))
                    .isInstanceOf(ValidationException.class)
                    .hasMessage(
                            "column 'id' of table 't' is NOT NULL, but a row has NULL there; insert a value, or leave"
                                    + " such rows out with WHERE id IS NOT NULL");
        }
    }

    @Test
    void knowsItsRowCountItsNullsAndTheBoundsOfNumbers() {
        insert(table, 5, -3, 12);
        insert(table, 7);

        ColumnStatistics id = table.source().statistics().columns().getFirst();
        assertThat(table.source().statistics().rowCount().value()).isEqualTo(4);
        assertThat(id.minimum().value()).isEqualTo(-3L);
        assertThat(id.maximum().value()).isEqualTo(12L);
        assertThat(id.nullCount().value()).isZero();
        assertThat(table.source().statistics().columns().get(1).minimum()).isNull();
    }

    @Test
    void aDroppedTableStaysUntilItsReadersAreDone() {
        insert(table, 1, 2, 3);
        MemorySource source = table.source();
        assertThat(source.pin()).isTrue();

        table.drop();

        assertThat(read(source, 2, 0)).containsExactly(1L, 2L, 3L);
        assertThatThrownBy(() -> table.source().pin())
                .isInstanceOf(ValidationException.class)
                .hasMessage("table 't' was dropped");
        source.unpin();
        assertThat(memory.reservedBytes()).isZero();
    }

    @Test
    void aSerialisedSourceFindsItsTableAgain() throws Exception {
        insert(table, 1, 2);
        MemorySource source = table.source();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(source);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(read((MemorySource) in.readObject(), 4096, 0)).containsExactly(1L, 2L);
        }
    }

    @Test
    void readsTheColumnsAskedForOrNone() {
        insert(table, 1, 2);

        assertThat(read(table.source(), 4096, 1)).containsExactly("name of row 1", "name of row 2");
        assertThat(read(table.source(), 1)).hasSize(2);
    }

    @Test
    void tablesDoNotLessenTheShareOfAQueryByMoreThanTheyHold() {
        insert(table, 1, 2);
        List<MemoryTable> others = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            others.add(new MemoryTable("t" + i, SCHEMA, memory));
            insert(others.getLast(), 1, 2);
        }
        try (Account account = memory.openAccount("query", Long.MAX_VALUE)) {
            account.budget().reserve(1);
            assertThat(account.budget().spareBytes()).isGreaterThan(memory.limitBytes() / 2);
        }
        long held = memory.reservedBytes();
        others.forEach(MemoryTable::drop);
        assertThat(memory.reservedBytes()).isLessThan(held).isEqualTo(table.reservedBytes());
    }

    private void insert(MemoryTable into, long... ids) {
        try (TableAppender appender = into.append()) {
            for (int from = 0; from < ids.length; from += 300) {
                try (Batch batch = batch(Arrays.copyOfRange(ids, from, Math.min(ids.length, from + 300)))) {
                    appender.add(batch);
                }
            }
            assertThat(appender.commit()).isEqualTo(ids.length);
        }
    }

    private Batch batch(long... ids) {
        List<Long> numbers = LongStream.of(ids).boxed().toList();
        List<String> names = numbers.stream().map(id -> "name of row " + id).toList();
        return new Batch(
                new Column[] {
                    TestColumns.flat(
                            ScalarType.BIGINT, numbers, memory.imports().allocator("test")),
                    TestColumns.flat(ScalarType.VARCHAR, names, memory.imports().allocator("test"))
                },
                ids.length);
    }

    /// The values of the first of the columns; row numbers where there is none.
    private List<Object> read(MemorySource source, int batchSize, Integer... columns) {
        List<Object> values = new ArrayList<>();
        try (Account account = memory.openAccount("query", Long.MAX_VALUE)) {
            Settings settings = Settings.defaults().with("execution.batch-size", Integer.toString(batchSize));
            QueryContext query = new QueryContext("1", settings, Instant.EPOCH, 0, account);
            ScanRequest request = new ScanRequest(List.of(columns), List.of());
            for (Split split : source.splits(request).splits()) {
                try (SplitReader reader = split.open(request, query, account.allocator("scan"))) {
                    while (reader.next() instanceof Batch batch) {
                        try (batch) {
                            assertThat(batch.rowCount()).isBetween(1, batchSize);
                            for (int row = 0; row < batch.rowCount(); row++) {
                                values.add(columns.length == 0 ? row : TestColumns.read(batch.column(0), row));
                            }
                        }
                    }
                    assertThat(reader.next()).isSameAs(Step.END);
                }
            }
        }
        return values;
    }
}
