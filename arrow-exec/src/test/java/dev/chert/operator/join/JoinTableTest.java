package dev.chert.operator.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.error.QueryCancelledException;
import dev.chert.error.ResourceException;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.operator.TestQuery;
import dev.chert.operator.TestRows;
import dev.chert.operator.table.Directory;
import dev.chert.operator.table.RowLayout;
import dev.chert.operator.table.RowValues;
import dev.chert.operator.table.SpilledRows;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JoinTableTest {
    private static final Schema SCHEMA = Schema.of(Field.of("k", ScalarType.BIGINT), Field.of("v", ScalarType.BIGINT));
    private static final RowLayout LAYOUT = new RowLayout(List.of(ScalarType.BIGINT, ScalarType.BIGINT), 8);
    private static final int ROWS = 60_000;
    private static final int ALL = (1 << JoinTable.CLOSING_PARTS) - 1;

    @Test
    void keepsAllPartitionsWhereThereIsRoom() {
        try (TestQuery query = new TestQuery(1000)) {
            JoinTable table = filled(query);
            table.settle(0.5, false);
            close(table);
            assertThat(table.spilledSet()).isZero();
            table.release();
        }
    }

    @Test
    void keepsAsManyPartitionsAsFitWithTheirDirectories() {
        try (TestQuery query = TestQuery.thatSpills(1000, 8 << 20, false, Long.MAX_VALUE)) {
            JoinTable table = filled(query);
            Allocator allocator = query.context().memory().allocator("HashJoin 1");
            long before = allocator.budget().reserved();
            long room = (before + allocator.budget().spareBytes()) / 2;

            table.settle(0.5, false);
            assertThat(allocator.budget().reserved()).as("no directory yet").isLessThanOrEqualTo(before);
            close(table);

            int spilled = table.spilledSet();
            assertThat(Integer.bitCount(spilled)).isBetween(1, JoinTable.PARTITIONS - 1);
            table.seal(() -> {});
            long left = room - allocator.budget().reserved();
            assertThat(left).as("room that is left, but for empty directories").isGreaterThan(-(64L << 10));
            assertThat(left).isLessThan(4L * 4096 * LAYOUT.rowBytes() + Directory.bytesFor(4096));
            assertThat(rows(table, spilled)).isEqualTo(ROWS);
            table.release();
        }
    }

    @Test
    void keepsNoPartitionWhereOneIsOfNoUseAlone() {
        try (TestQuery query = TestQuery.thatSpills(1000, 8 << 20, false, Long.MAX_VALUE)) {
            JoinTable table = filled(query);
            table.settle(0.5, true);
            close(table);
            assertThat(table.spilledSet()).isEqualTo(ALL);
            assertThat(rows(table, ALL)).isEqualTo(ROWS);
            table.release();
        }
    }

    @Test
    void sendsPartitionsToDiskWhoseDirectoriesFindNoMemory() {
        for (boolean allOrNone : new boolean[] {false, true}) {
            try (TestQuery query = TestQuery.thatSpills(1000, 8 << 20, false, Long.MAX_VALUE)) {
                JoinTable table = filled(query);
                table.settle(1, allOrNone);
                assertThat(table.spilledSet()).isZero();
                List<Buffer> taken = allButLittle(query);

                close(table);
                table.seal(() -> {});

                int spilled = table.spilledSet();
                if (allOrNone) {
                    assertThat(spilled).isEqualTo(ALL);
                } else {
                    assertThat(Integer.bitCount(spilled)).isBetween(1, JoinTable.PARTITIONS - 1);
                }
                assertThat(rows(table, spilled)).isEqualTo(ROWS);
                table.release();
                taken.forEach(Buffer::release);
            }
        }
    }

    @Test
    void stopsSendingPartitionsToDiskWhenTheQueryIsCancelled() {
        try (TestQuery query = TestQuery.thatSpills(1000, 8 << 20, false, Long.MAX_VALUE)) {
            JoinTable table = filled(query);
            table.settle(1, true);
            List<Buffer> taken = allButLittle(query);
            close(table);
            long before = query.writtenBytes();
            int[] looks = {0};
            assertThatThrownBy(() -> table.seal(() -> {
                        if (++looks[0] == 5) {
                            throw new QueryCancelledException("enough");
                        }
                    }))
                    .isInstanceOf(QueryCancelledException.class);
            long midway = query.writtenBytes();
            table.seal(() -> {});
            assertThat(midway).isBetween(before, query.writtenBytes() - 1);
            assertThat(rows(table, ALL)).isEqualTo(ROWS);
            table.release();
            taken.forEach(Buffer::release);
        }
    }

    @Test
    void failsRatherThanSendsToDiskWhatMustStay() {
        try (TestQuery query = TestQuery.thatSpills(1000, 8 << 20, false, Long.MAX_VALUE)) {
            JoinTable table = filled(query);
            table.keepAll();
            List<Buffer> taken = allButLittle(query);

            assertThatThrownBy(() -> close(table)).isInstanceOf(ResourceException.class);

            assertThat(table.spilledSet()).isZero();
            table.release();
            taken.forEach(Buffer::release);
        }
    }

    @Test
    void keepsTheDirectoriesThatItMadeForRowsToCome() {
        try (TestQuery query = TestQuery.thatSpills(1000, 8 << 20, false, Long.MAX_VALUE)) {
            JoinTable table = filled(query);
            assertThat(table.expectMore(100)).isTrue();
            List<Buffer> taken = allButLittle(query);
            assertThat(table.expectMore(1 << 20)).isFalse();
            table.keepAll();

            close(table);
            table.seal(() -> {});

            assertThat(table.spilledSet()).isZero();
            assertThat(rows(table, 0)).isEqualTo(ROWS);
            table.release();
            taken.forEach(Buffer::release);
        }
    }

    private static List<Buffer> allButLittle(TestQuery query) {
        List<Buffer> taken = new ArrayList<>();
        while (query.context().memory().manager().reservedBytes() < (8 << 20) - (256 << 10)) {
            taken.add(query.input().allocate(32 << 10));
        }
        return taken;
    }

    private static long rows(JoinTable table, int spilled) {
        long[] places = new long[1000];
        long rows = 0;
        for (int p = 0; p < JoinTable.PARTITIONS; p++) {
            if ((spilled >>> p & 1) != 0) {
                List<SpilledRows> taken = table.takeSpilled(p);
                rows += taken.stream().mapToLong(SpilledRows::rowCount).sum();
                taken.forEach(SpilledRows::release);
            } else {
                var scan = table.scan(p);
                for (int count = scan.next(places, 1000); count > 0; count = scan.next(places, 1000)) {
                    rows += count;
                }
            }
        }
        return rows;
    }

    private static JoinTable filled(TestQuery query) {
        JoinTable table = new JoinTable(
                LAYOUT, 1, query.context().memory().allocator("HashJoin 1"), query.context()::checkCancelled);
        BuildPart part = table.newPart();
        RowValues values = new RowValues(LAYOUT, 2);
        KeyHashes keyHashes = new KeyHashes(1, 0, false);
        int[] positions = new int[1000];
        long[] hashes = new long[1000];
        for (int i = 0; i < 1000; i++) {
            positions[i] = i;
        }
        for (long from = 0; from < ROWS; from += 1000) {
            List<List<Object>> rows = new ArrayList<>();
            for (long k = from; k < from + 1000; k++) {
                rows.add(List.of(k, -k));
            }
            try (Batch batch = TestRows.batch(SCHEMA, rows, query.input(), null)) {
                values.pack(batch.columns().toArray(Column[]::new), positions, 1000);
                keyHashes.hash(values, hashes);
                part.add(values, hashes, positions, 1000);
            }
        }
        return table;
    }

    private static void close(JoinTable table) {
        for (int part = 0; part < JoinTable.CLOSING_PARTS; part++) {
            table.close(part, () -> {});
        }
    }
}
