package dev.chert.operator.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.RowField;
import dev.chert.batch.RowPlace;
import dev.chert.batch.RowString;
import dev.chert.batch.ScalarType;
import dev.chert.batch.TestColumns;
import dev.chert.error.QueryCancelledException;
import dev.chert.error.ResourceException;
import dev.chert.memory.Account;
import dev.chert.memory.Allocator;
import dev.chert.memory.MemoryManager;
import dev.chert.memory.SpillOptions;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpilledRowsTest {
    private static final int EXTRA_BYTES = 32;

    private final MemoryManager manager = new MemoryManager(1L << 30, true);
    private final Account account = manager.openAccount("query", Long.MAX_VALUE);
    private final Allocator allocator = account.allocator("table");

    @AfterEach
    void everyBufferCameBack() {
        assertThat(account.liveBuffers()).isZero();
        account.close();
        manager.assertEmpty();
        manager.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
    void readsWhatWasWritten(int seed) {
        Random random = new Random(seed);
        List<DataType> types = new ArrayList<>(List.of(ScalarType.VARCHAR));
        for (int i = random.nextInt(40); i >= 0; i--) {
            types.add(TestColumns.SCALAR_TYPES.get(random.nextInt(TestColumns.SCALAR_TYPES.size())));
        }
        RowLayout layout = layout(types);
        SpilledRows spilled = new SpilledRows(layout, allocator, () -> {});
        List<List<Object>> expected = new ArrayList<>();
        long bytes = 0;
        for (int part = 0; part < 3; part++) {
            RowPages pages = new RowPages(layout, allocator);
            expected.addAll(fill(pages, layout, types, random, random.nextInt(3000)));
            spilled.add(pages);
            bytes += pages.byteSize();
            pages.release();
        }
        assertThat(spilled.rowCount()).isEqualTo(expected.size());
        assertThat(spilled.byteSize()).isLessThanOrEqualTo(bytes);
        for (int time = 0; time < 2; time++) {
            SpilledRows.Reader reader = spilled.reader();
            RowPages borrowed = new RowPages(layout, allocator); // only for what it expects
            borrowed.expectNulls(spilled.seenNulls());
            List<List<Object>> read = new ArrayList<>();
            long[] places = new long[700];
            for (int count = reader.next(places, 700); count > 0; count = reader.next(places, 700)) {
                read.addAll(read(borrowed, layout, types, places, count));
            }
            reader.release();
            assertThat(read).isEqualTo(expected);
        }
        RowPages again = copy(spilled, layout);
        assertThat(readAll(again, layout, types)).isEqualTo(expected);
        again.release();
        spilled.release();
        assertThat(spilled.rowCount()).isZero();
        assertThat(allocator.spillFile().storedBytes()).isZero();
    }

    @Test
    void doesNotFollowTheViewOfANull() {
        List<DataType> types = List.of(ScalarType.VARCHAR, ScalarType.INTEGER);
        RowLayout layout = layout(types);
        RowPages pages = new RowPages(layout, allocator);
        List<List<Object>> data = List.of(Arrays.asList((Object) null), List.of(7L));
        store(pages, layout, types, data, 1);
        long place = firstPlace(pages);
        MemorySegment slab = RowPlace.slab(pages.slabs(), place);
        int view = RowPlace.offset(place) + layout.field(0).offset();
        slab.set(Layouts.INT, view, 1_000_000);
        slab.set(Layouts.LONG, view + 8, -1);
        SpilledRows spilled = new SpilledRows(layout, allocator, () -> {});
        spilled.add(pages);
        RowPages again = copy(spilled, layout);
        assertThat(readAll(again, layout, types)).isEqualTo(List.of(Arrays.asList(null, 7L, hash(0), null)));
        again.release();
        pages.release();
        spilled.release();
    }

    @Test
    void writesOnlyRowsThatCount() {
        List<DataType> types = List.of(ScalarType.VARCHAR);
        RowLayout layout = layout(types);
        RowPages pages = new RowPages(layout, allocator);
        List<List<Object>> rows = fill(pages, layout, types, new Random(1), 100);
        long[] places = new long[100];
        pages.scan().next(places, 100);
        pages.bury(places, 40);
        SpilledRows spilled = new SpilledRows(layout, allocator, () -> {});
        spilled.add(pages);
        assertThat(spilled.rowCount()).isEqualTo(60);
        RowPages again = copy(spilled, layout);
        assertThat(readAll(again, layout, types)).isEqualTo(rows.subList(40, 100));
        again.release();
        pages.release();
        spilled.release();
    }

    @Test
    void aTableSpillsPartitionByPartition() {
        List<DataType> types = List.of(ScalarType.VARCHAR, ScalarType.BIGINT);
        RowLayout layout = layout(types);
        RowTable table = new RowTable(layout, 2, 1, allocator);
        Random random = new Random(5);
        List<List<Object>> expected = new ArrayList<>();
        SpilledRows[] spilled = new SpilledRows[8];
        Arrays.setAll(spilled, _ -> new SpilledRows(layout, allocator, () -> {}));
        RowBlock scratch = new RowBlock(allocator);

        expected.addAll(fill(table.pages(0), layout, types, random, 1000));
        int moves = table.moves();
        table.spillOnlyPartition(spilled, scratch);
        assertThat(table.rowCount()).isZero();
        assertThat(table.moves()).isNotEqualTo(moves);
        table.split(8);
        List<List<Object>> more = new ArrayList<>();
        for (int p = 0; p < 8; p++) {
            more.addAll(fill(table.pages(p), layout, types, random, 100));
        }
        table.spillPartition(3, spilled[3], scratch);
        assertThat(table.pages(3).rowCount()).isZero();
        expected.addAll(more.subList(300, 400));

        List<List<Object>> read = new ArrayList<>();
        for (int p = 0; p < 8; p++) {
            RowPages pages = copy(spilled[p], layout);
            read.addAll(readAll(pages, layout, types));
            long[] places = new long[2000];
            int count = p == 3 ? 0 : pages.scan().next(places, 2000); // the rows of 3 were put there by hand
            for (int i = 0; i < count; i++) {
                assertThat(RowTable.partitionOf(RowTable.hash(pages.slabs(), places[i]), 0, 8))
                        .isEqualTo(p);
            }
            pages.release();
            spilled[p].release();
        }
        assertThat(read).containsExactlyInAnyOrderElementsOf(expected);
        scratch.release();
        table.release();
    }

    @Test
    void aRouterCutsUpByTheBitsOfItsLevel() {
        List<DataType> types = List.of(ScalarType.VARCHAR);
        RowLayout layout = layout(types);
        for (int level = 1; level <= RowTable.MOST_LEVELS; level++) {
            RowPages pages = new RowPages(layout, allocator);
            List<List<Object>> expected = fill(pages, layout, types, new Random(level), 1500);
            RowRouter router = new RowRouter(layout, level, level * 100_000, allocator, () -> {});
            router.expectNullsOf(pages);
            long[] places = new long[1500];
            long[] hashes = new long[1500];
            int count = pages.scan().next(places, 1500);
            pages.readHashes(places, count, hashes);
            router.add(places, count, hashes, pages.slabs());
            pages.release();
            List<List<Object>> read = new ArrayList<>();
            for (SpilledRows part : router.finish()) {
                assertThat(part.rowCount()).isBetween(50L, 150L);
                RowPages again = copy(part, layout);
                read.addAll(readAll(again, layout, types));
                again.release();
                part.release();
            }
            assertThat(read).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void leavesOffBetweenBlocksWhereTheQueryIsCancelled() {
        RowLayout layout = layout(List.of(ScalarType.UUID));
        RowPages pages = new RowPages(layout, allocator);
        for (int i = 0; i < 40_000; i++) {
            pages.add(i);
        }
        int[] blocks = {0};
        SpilledRows spilled = new SpilledRows(layout, allocator, () -> {
            if (++blocks[0] == 3) {
                throw new QueryCancelledException("stopped");
            }
        });
        assertThatThrownBy(() -> spilled.add(pages)).isInstanceOf(QueryCancelledException.class);
        assertThat(spilled.rowCount()).isZero();
        assertThat(allocator.spillFile().storedBytes()).isZero();
        pages.release();
    }

    @Test
    void keepsTheRowsWhereTheDiskIsFull() {
        SpillOptions little = new SpillOptions(SpillOptions.DEFAULT.directory(), 300_000, false, false);
        try (MemoryManager small = new MemoryManager(1L << 30, true, 1, little)) {
            Account own = small.openAccount("query", Long.MAX_VALUE);
            Allocator from = own.allocator("table");
            RowLayout layout = layout(List.of(ScalarType.UUID));
            RowTable table = new RowTable(layout, 1, 1, from);
            Random random = new Random(3);
            for (int i = 0; i < 40_000; i++) { // compresses badly
                table.pages(0).add(random.nextLong());
            }
            SpilledRows[] into = new SpilledRows[4];
            Arrays.setAll(into, _ -> new SpilledRows(layout, from, () -> {}));
            RowBlock scratch = new RowBlock(from);
            assertThatThrownBy(() -> table.spillOnlyPartition(into, scratch))
                    .isInstanceOf(ResourceException.class)
                    .hasMessageContaining("spill.limit");
            assertThat(table.rowCount()).isEqualTo(40_000);
            assertThat(into).allMatch(part -> part.rowCount() == 0);
            assertThat(from.spillFile().storedBytes()).isZero();
            scratch.release();
            table.release();
            assertThat(own.liveBuffers()).isZero();
            own.close();
        }
    }

    /// The extra bytes end with a string as states keep it: present bit, room, view.
    private static RowLayout layout(List<DataType> types) {
        int at = new RowLayout(types, 0).extraOffset();
        RowString state = new RowString(RowField.optional(at + 16, at + 8, 1), at + 12);
        return new RowLayout(types, EXTRA_BYTES, List.of(state));
    }

    /// @return the rows: fields, hash, string of the state
    private List<List<Object>> fill(
            RowPages pages, RowLayout layout, List<DataType> types, Random random, int rowCount) {
        List<List<Object>> data = new ArrayList<>();
        for (DataType type : types) {
            List<Object> values = TestColumns.randomValues(type, random, rowCount, 1000, random.nextInt(3) * 5);
            if (type.equals(ScalarType.VARCHAR) && rowCount > 0) {
                for (int length : new int[] {0, 12, 13, 100_000}) {
                    values.set(random.nextInt(rowCount), "x".repeat(length));
                }
            }
            data.add(values);
        }
        return store(pages, layout, types, data, rowCount, random);
    }

    private void store(RowPages pages, RowLayout layout, List<DataType> types, List<List<Object>> data, int rowCount) {
        store(pages, layout, types, data, rowCount, null);
    }

    private List<List<Object>> store(
            RowPages pages,
            RowLayout layout,
            List<DataType> types,
            List<List<Object>> data,
            int rowCount,
            Random random) {
        Column[] columns = new Column[types.size()];
        for (int c = 0; c < columns.length; c++) {
            columns[c] = TestColumns.flat(types.get(c), data.get(c), allocator);
        }
        int[] all = new int[rowCount];
        Arrays.setAll(all, i -> i);
        RowValues values = new RowValues(layout, types.size());
        values.pack(columns, all, rowCount);
        long[] hashes = new long[rowCount];
        Arrays.setAll(hashes, SpilledRowsTest::hash);
        long[] places = new long[rowCount];
        pages.add(hashes, rowCount, places);
        pages.store(values, all, rowCount, places);
        for (Column column : columns) {
            column.release();
        }
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < rowCount; i++) {
            List<Object> row = new ArrayList<>();
            for (List<Object> column : data) {
                row.add(TestColumns.canonical(column.get(i)));
            }
            row.add(hashes[i]);
            row.add(random != null && random.nextBoolean() ? putState(pages, layout, places[i], random) : null);
            rows.add(row);
        }
        return rows;
    }

    private static String putState(RowPages pages, RowLayout layout, long place, Random random) {
        String text = "s".repeat(random.nextInt(60));
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment slab = RowPlace.slab(pages.slabs(), place);
        int at = RowPlace.offset(place) + layout.extraOffset() + 8;
        slab.set(Layouts.INT, at, 1);
        slab.set(Layouts.INT, at + 8, bytes.length);
        if (bytes.length <= RowString.INLINE_BYTES) {
            MemorySegment.copy(bytes, 0, slab, Layouts.BYTE, at + 12, bytes.length);
            return text;
        }
        pages.heap().reserve(bytes.length + 5);
        MemorySegment.copy(
                bytes, 0, pages.heap().segment(), Layouts.BYTE, pages.heap().place(), bytes.length);
        slab.set(Layouts.INT, at + 4, bytes.length + 5);
        slab.set(Layouts.INT, at + 16, pages.heap().slab());
        slab.set(Layouts.INT, at + 20, pages.heap().slabOffset());
        return text;
    }

    private static String readState(MemorySegment[] slabs, RowLayout layout, long place) {
        MemorySegment slab = RowPlace.slab(slabs, place);
        int at = RowPlace.offset(place) + layout.extraOffset() + 8;
        if (slab.get(Layouts.INT, at) == 0) {
            return null;
        }
        int length = slab.get(Layouts.INT, at + 8);
        byte[] bytes = new byte[length];
        if (length <= RowString.INLINE_BYTES) {
            MemorySegment.copy(slab, Layouts.BYTE, at + 12, bytes, 0, length);
        } else {
            assertThat(slab.get(Layouts.INT, at + 4)).isEqualTo(length);
            MemorySegment.copy(
                    slabs[slab.get(Layouts.INT, at + 16)],
                    Layouts.BYTE,
                    slab.get(Layouts.INT, at + 20),
                    bytes,
                    0,
                    length);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static long hash(int row) {
        return (row + 1) * 0x9E3779B97F4A7C15L;
    }

    private RowPages copy(SpilledRows spilled, RowLayout layout) {
        RowPages pages = new RowPages(layout, allocator);
        pages.expectNulls(spilled.seenNulls());
        SpilledRows.Reader reader = spilled.reader();
        long[] places = new long[300];
        for (int count = reader.next(places, 300); count > 0; count = reader.next(places, 300)) {
            for (int i = 0; i < count; i++) {
                pages.addCopy(places[i]);
            }
        }
        reader.release();
        return pages;
    }

    private static long firstPlace(RowPages pages) {
        long[] place = new long[1];
        assertThat(pages.scan().next(place, 1)).isEqualTo(1);
        return place[0];
    }

    private List<List<Object>> readAll(RowPages pages, RowLayout layout, List<DataType> types) {
        List<List<Object>> rows = new ArrayList<>();
        long[] places = new long[500];
        RowPages.Scan scan = pages.scan();
        for (int count = scan.next(places, 500); count > 0; count = scan.next(places, 500)) {
            rows.addAll(read(pages, layout, types, places, count));
        }
        return rows;
    }

    private List<List<Object>> read(RowPages pages, RowLayout layout, List<DataType> types, long[] places, int count) {
        List<List<Object>> columns = new ArrayList<>();
        MemorySegment[] slabs = pages.slabs();
        for (int f = 0; f < types.size(); f++) {
            Column column = layout.ops(f)
                    .load(places, 0, count, layout.field(f), pages.mayBeNull(f), slabs, allocator, pages.heap());
            columns.add(TestColumns.read(column));
            column.release();
        }
        long[] hashes = new long[count];
        pages.readHashes(places, count, hashes);
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<Object> row = new ArrayList<>();
            for (List<Object> column : columns) {
                row.add(TestColumns.canonical(column.get(i)));
            }
            row.add(hashes[i]);
            row.add(readState(slabs, layout, places[i]));
            rows.add(row);
        }
        return rows;
    }
}
