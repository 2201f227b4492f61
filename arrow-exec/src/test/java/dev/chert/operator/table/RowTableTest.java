package dev.chert.operator.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.RowPlace;
import dev.chert.batch.ScalarType;
import dev.chert.batch.TestColumns;
import dev.chert.error.ResourceException;
import dev.chert.memory.Account;
import dev.chert.memory.Allocator;
import dev.chert.memory.Counted;
import dev.chert.memory.MemoryManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RowTableTest {
    private final MemoryManager manager = new MemoryManager(1L << 30, true);
    private final Account account = manager.openAccount("query", Long.MAX_VALUE);
    private final Allocator allocator = account.allocator("table");

    @AfterEach
    void everyBufferCameBack() {
        manager.assertEmpty();
        manager.close();
    }

    @Test
    void findsTheRowOfEachKey() {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            List<DataType> types = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                types.add(TestColumns.SCALAR_TYPES.get(random.nextInt(TestColumns.SCALAR_TYPES.size())));
            }
            checkAgainstMap(types, random, 1 << random.nextInt(4), false, 5, 700);
        }
    }

    @Test
    void findsTheRowOfEachKeyWhereAllHashesAreTheSame() {
        Random random = new Random(3);
        checkAgainstMap(List.of(ScalarType.VARCHAR, ScalarType.INTEGER), random, 4, true, 2, 300);
    }

    @Test
    void keepsMoreNullableKeysThanAWordHasBits() {
        DataType[] types = new DataType[70];
        Arrays.fill(types, ScalarType.BOOLEAN);
        checkAgainstMap(List.of(types), new Random(5), 2, false, 3, 300);
    }

    private void checkAgainstMap(
            List<DataType> types, Random random, int partitions, boolean constantHash, int batches, int batchRows) {
        RowLayout layout = new RowLayout(types, 8);
        RowTable table = new RowTable(layout, types.size(), partitions, allocator);
        RowValues values = new RowValues(layout, types.size());
        RowProbe probe = new RowProbe();
        Map<List<Object>, Long> expected = new HashMap<>();
        long[] hashes = new long[batchRows];
        long[] places = new long[batchRows];
        long[] found = new long[batchRows];
        for (int b = 0; b < batches; b++) {
            List<List<Object>> data = randomColumns(types, random, batchRows);
            Column[] columns = columns(types, data, random);
            int[] rows = random.ints(0, batchRows)
                    .limit(batchRows)
                    .sorted()
                    .distinct()
                    .toArray();
            values.pack(columns, rows, rows.length);
            hash(values, constantHash, hashes);
            probe.find(table, values, hashes, found);
            for (int i = 0; i < rows.length; i++) {
                Long known = expected.get(key(data, rows[i]));
                assertThat(found[i]).isEqualTo(known == null ? RowPlace.NONE : known);
            }
            probe.findOrAdd(table, values, hashes, places);
            for (int i = 0; i < rows.length; i++) {
                Long known = expected.putIfAbsent(key(data, rows[i]), places[i]);
                assertThat(places[i]).isEqualTo(known == null ? places[i] : known);
            }
            release(columns);
        }
        assertThat(table.rowCount()).isEqualTo(expected.size());
        assertThat(new HashSet<>(expected.values())).hasSize(expected.size());
        assertThat(keysOf(table, types.size())).isEqualTo(expected.keySet());
        if (partitions == 1) {
            table.split(8);
            assertThat(table.rowCount()).isEqualTo(expected.size());
            assertThat(keysOf(table, types.size())).isEqualTo(expected.keySet());
        }
        table.release();
    }

    @Test
    void rowsOfOneTableEnterAnotherWithoutMoving() {
        List<DataType> types = List.of(ScalarType.VARCHAR, ScalarType.decimal(38, 4));
        RowLayout layout = new RowLayout(types, 0);
        Random random = new Random(11);
        RowTable first = new RowTable(layout, 2, 1, allocator);
        RowTable second = new RowTable(layout, 2, 1, allocator);
        Set<List<Object>> expected = new HashSet<>();
        expected.addAll(fill(first, types, random, 500));
        expected.addAll(fill(second, types, random, 500));

        RowValues values = new RowValues(layout, 2);
        RowProbe probe = new RowProbe();
        long[] rows = new long[64];
        long[] hashes = new long[64];
        long[] places = new long[64];
        first.pages(0).expectNullsOf(second.pages(0));
        RowPages.Scan scan = second.pages(0).scan();
        for (int count = scan.next(rows, 64); count > 0; count = scan.next(rows, 64)) {
            values.gather(layout, rows, count, second.slabs());
            values.hash(0, 2, hashes, false);
            probe.findOrEnter(first, values, hashes, rows, places);
            long[] merged = new long[count];
            int size = 0;
            for (int i = 0; i < count; i++) {
                if (places[i] != rows[i]) {
                    merged[size++] = rows[i];
                }
            }
            second.pages(0).bury(merged, size);
        }
        first.pages(0).adopt(second.pages(0));
        assertThat(first.rowCount()).isEqualTo(expected.size());
        assertThat(keysOf(first, 2)).isEqualTo(expected);
        second.release();
        first.release();
    }

    @Test
    void loadsNullWhereThereIsNoRow() {
        for (DataType type : TestColumns.SCALAR_TYPES) {
            RowLayout layout = new RowLayout(List.of(type), 0);
            RowTable table = new RowTable(layout, 1, 1, allocator);
            List<Object> values = TestColumns.randomValues(type, new Random(1), 20, 10, 3);
            Column column = TestColumns.flat(type, values, allocator);
            RowValues packed = new RowValues(layout, 1);
            int[] rows = identity(20);
            packed.pack(new Column[] {column}, rows, 20);
            long[] hashes = new long[20];
            long[] places = new long[20];
            table.pages(0).add(hashes, 20, places);
            table.pages(0).store(packed, rows, 20, places);
            places[0] = RowPlace.NONE;
            places[13] = RowPlace.NONE;
            values.set(0, null);
            values.set(13, null);
            column.release();
            Column loaded = load(table, places, 20, 0);
            assertThat(TestColumns.read(loaded)).isEqualTo(values);
            table.release();
            assertThat(TestColumns.read(loaded)).isEqualTo(values); // its strings outlive the table
            loaded.release();
            Arrays.fill(places, RowPlace.NONE);
        }
    }

    @Test
    void keepsOnlyPresentKeysWhereAJoinAsks() {
        RowLayout layout = new RowLayout(List.of(ScalarType.INTEGER, ScalarType.VARCHAR), 0);
        Column numbers = TestColumns.flat(ScalarType.INTEGER, Arrays.asList(1L, null, 3L, 4L), allocator);
        Column strings = TestColumns.flat(ScalarType.VARCHAR, Arrays.asList("a", "b", null, "d"), allocator);
        RowValues values = new RowValues(layout, 2);
        values.pack(new Column[] {numbers, strings}, identity(4), 4);
        int[] positions = identity(4);
        assertThat(values.keepPresent(2, positions, 4)).isEqualTo(2);
        assertThat(positions).startsWith(0, 3);
        numbers.release();
        strings.release();
    }

    @Test
    void growsToManyRows() {
        RowLayout layout = new RowLayout(List.of(ScalarType.BIGINT), 16);
        RowTable table = new RowTable(layout, 1, 1, allocator);
        RowValues values = new RowValues(layout, 1);
        RowProbe probe = new RowProbe();
        long[] hashes = new long[4000];
        long[] places = new long[4000];
        for (int b = 0; b < 100; b++) {
            List<Object> data = new ArrayList<>();
            for (int i = 0; i < 4000; i++) {
                data.add((b * 2000L + i) * 7919);
            }
            Column column = TestColumns.flat(ScalarType.BIGINT, data, allocator);
            values.pack(new Column[] {column}, identity(4000), 4000);
            values.hash(0, 1, hashes, false);
            probe.findOrAdd(table, values, hashes, places);
            column.release();
        }
        assertThat(table.rowCount()).isEqualTo(99 * 2000 + 4000);
        table.split(16);
        assertThat(table.rowCount()).isEqualTo(99 * 2000 + 4000);
        for (int p = 0; p < 16; p++) {
            assertThat(table.pages(p).rowCount()).isBetween(11_000L, 14_000L);
        }
        table.release();
    }

    private Set<List<Object>> fill(RowTable table, List<DataType> types, Random random, int rowCount) {
        List<List<Object>> data = randomColumns(types, random, rowCount);
        Column[] columns = columns(types, data, random);
        RowValues values = new RowValues(table.layout(), types.size());
        values.pack(columns, identity(rowCount), rowCount);
        long[] hashes = new long[rowCount];
        values.hash(0, types.size(), hashes, false);
        new RowProbe().findOrAdd(table, values, hashes, new long[rowCount]);
        release(columns);
        Set<List<Object>> keys = new HashSet<>();
        for (int i = 0; i < rowCount; i++) {
            keys.add(key(data, i));
        }
        return keys;
    }

    private Set<List<Object>> keysOf(RowTable table, int keyCount) {
        Set<List<Object>> keys = new HashSet<>();
        long[] places = new long[100];
        for (int p = 0; p < table.partitions(); p++) {
            RowPages.Scan scan = table.pages(p).scan();
            for (int count = scan.next(places, 100); count > 0; count = scan.next(places, 100)) {
                List<List<Object>> columns = new ArrayList<>();
                for (int f = 0; f < keyCount; f++) {
                    Column column = load(table, places, count, f);
                    columns.add(TestColumns.read(column));
                    column.release();
                }
                for (int i = 0; i < count; i++) {
                    assertThat(keys.add(key(columns, i))).isTrue();
                }
            }
        }
        return keys;
    }

    @Test
    void aSplitForWhichThereIsNoMemoryChangesNothing() {
        List<DataType> types = List.of(ScalarType.VARCHAR, ScalarType.BIGINT);
        Account small = manager.openAccount("small query", 4 << 20);
        RowTable table = new RowTable(new RowLayout(types, 0), 2, 1, small.allocator("table"));
        Set<List<Object>> expected = fill(table, types, new Random(7), 3000);
        int refusals = 0;
        for (long spare = 0; table.partitions() == 1; spare += 10_000) {
            long taken = small.budget().limit() - small.budget().reserved() - spare;
            small.budget().reserve(taken);
            try {
                table.split(8);
            } catch (ResourceException e) {
                refusals++;
            } finally {
                small.budget().release(taken);
            }
            assertThat(keysOf(table, types.size())).isEqualTo(expected);
        }
        assertThat(refusals).isGreaterThan(5);
        SpilledRows spilled = new SpilledRows(table.layout(), small.allocator("table"), () -> {});
        spilled.add(table.pages(3));
        spilled.release();
        table.release();
        assertThat(small.liveBuffers()).isZero();
        small.close();
    }

    @Test
    void aRowWhoseStringHadNoRoomCanBeWrittenToDisk() {
        List<DataType> types = List.of(ScalarType.VARCHAR);
        RowLayout layout = new RowLayout(types, 0);
        Account small = manager.openAccount("small query", 4 << 20);
        Allocator from = small.allocator("table");
        RowTable table = new RowTable(layout, 1, 1, from);
        RowValues values = new RowValues(layout, 1);
        Column column = TestColumns.flat(ScalarType.VARCHAR, List.of("short", "x".repeat(2 << 20)), allocator);
        values.pack(new Column[] {column}, identity(2), 2);
        small.budget().reserve(3 << 20);
        assertThatThrownBy(() -> table.store(values, new long[] {1, 2}, identity(2), 2, new long[2]))
                .isInstanceOf(ResourceException.class);
        small.budget().release(3 << 20);
        column.release();
        SpilledRows spilled = new SpilledRows(layout, from, () -> {});
        spilled.add(table.pages(0));
        assertThat(spilled.rowCount()).isEqualTo(2);
        assertThat(spilled.byteSize()).as("bytes that nobody wrote").isLessThan(1000);
        spilled.release();
        table.release();
        small.close();
    }

    private Column load(RowTable table, long[] places, int count, int field) {
        RowLayout layout = table.layout();
        boolean mayBeNull = false;
        for (int p = 0; p < table.partitions(); p++) {
            mayBeNull |= table.pages(p).mayBeNull(field);
        }
        return layout.ops(field)
                .load(places, 0, count, layout.field(field), mayBeNull, table.slabs(), allocator, heaps(table));
    }

    private static Counted[] heaps(RowTable table) {
        return IntStream.range(0, table.partitions())
                .mapToObj(p -> table.pages(p).heap())
                .toArray(Counted[]::new);
    }

    private static void hash(RowValues values, boolean constant, long[] hashes) {
        if (constant) {
            Arrays.fill(hashes, 0);
        } else {
            values.hash(0, values.fieldCount(), hashes, false);
        }
    }

    private static List<List<Object>> randomColumns(List<DataType> types, Random random, int rows) {
        List<List<Object>> columns = new ArrayList<>();
        for (DataType type : types) {
            columns.add(TestColumns.randomValues(type, random, rows, 20, random.nextInt(3) * 5));
        }
        return columns;
    }

    private Column[] columns(List<DataType> types, List<List<Object>> data, Random random) {
        Column[] columns = new Column[types.size()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = TestColumns.anyForm(types.get(i), data.get(i), random, allocator);
        }
        return columns;
    }

    private static void release(Column[] columns) {
        for (Column column : columns) {
            column.release();
        }
    }

    private static List<Object> key(List<List<Object>> columns, int row) {
        List<Object> key = new ArrayList<>();
        columns.forEach(column -> key.add(TestColumns.canonical(column.get(row))));
        return key;
    }

    private static int[] identity(int count) {
        int[] rows = new int[count];
        Arrays.setAll(rows, i -> i);
        return rows;
    }
}
