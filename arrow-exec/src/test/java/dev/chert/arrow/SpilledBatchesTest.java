package dev.chert.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.SelectionPool;
import dev.chert.batch.TestColumns;
import dev.chert.error.ResourceException;
import dev.chert.memory.Account;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.memory.MemoryManager;
import dev.chert.memory.SpillOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpilledBatchesTest {
    @TempDir
    Path directory;

    private final SelectionPool selections = new SelectionPool(4096);
    private MemoryManager memory;
    private Account account;
    private Allocator allocator;

    @BeforeEach
    void open() {
        open(Long.MAX_VALUE);
    }

    private void open(long spillLimit) {
        memory = new MemoryManager(64 << 20, true, 2, new SpillOptions(directory, spillLimit, false, false));
        account = memory.openAccount("spills", Long.MAX_VALUE);
        allocator = account.allocator("Sort 3");
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(account.liveBuffers()).isZero();
        account.close();
        memory.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 65, 1023, 1024, 1025, 4096})
    void everyTypeComesBackInOrderAsOftenAsItIsRead(int rows) {
        for (long seed = 0; seed < 4; seed++) {
            Random random = new Random(seed);
            SpilledBatches spilled = new SpilledBatches(TestColumns.SCALAR_TYPES, allocator);
            List<List<Object>> expected = new ArrayList<>();
            for (int b = 0; b < 3; b++) {
                Batch batch = batch(rows, random);
                if (b > 0) {
                    selectSome(batch, random);
                }
                expected.addAll(read(batch));
                spilled.add(batch);
                batch.close();
            }
            assertThat(spilled.rowCount()).isEqualTo(expected.size());
            assertThat(drain(spilled.reader())).as("seed %d", seed).isEqualTo(expected);
            assertThat(drain(spilled.reader())).isEqualTo(expected);
            assertThat(drain(spilled.drain())).isEqualTo(expected);
            assertThat(allocator.spillFile().storedBytes()).isZero();
            spilled.release();
        }
    }

    @Test
    void blocksAreSmallAndCountTheirRows() {
        SpilledBatches spilled = new SpilledBatches(TestColumns.SCALAR_TYPES, allocator);
        Batch batch = batch(4096, new Random(1));
        spilled.add(batch);
        batch.close();
        assertThat(spilled.blockCount()).isGreaterThan(2);
        long rows = 0;
        for (int block = 0; block < spilled.blockCount(); block++) {
            Batch read = spilled.read(block);
            assertThat(read.rowCount()).isEqualTo(spilled.blockRows(block));
            rows += read.rowCount();
            read.close();
        }
        assertThat(rows).isEqualTo(4096);
        assertThat(spilled.byteSize()).isBetween(1L, (long) spilled.blockCount() * SpilledBatches.BLOCK_BYTES);
        spilled.release();
        assertThat(allocator.spillFile().storedBytes()).isZero();
    }

    @Test
    void takesNoMemoryWhereItWasGivenScratch() {
        Buffer scratch = allocator.allocate(SpilledBatches.BLOCK_BYTES);
        SpilledBatches spilled = new SpilledBatches(TestColumns.SCALAR_TYPES, allocator, scratch);
        Batch batch = batch(4096, new Random(1));
        Buffer rest = takeTheRest();
        List<List<Object>> expected = read(batch);
        spilled.add(batch);
        rest.release();
        batch.close();
        assertThat(drain(spilled.reader())).isEqualTo(expected);
        spilled.release();
        scratch.release();
    }

    /// Leaves no byte that could be reserved.
    private Buffer takeTheRest() {
        allocator.budget().reserve(memory.limitBytes() - memory.reservedBytes() - 1024);
        Buffer rest = allocator.allocate(1024);
        assertThatThrownBy(() -> allocator.allocate(1)).isInstanceOf(ResourceException.class);
        allocator.budget().release(memory.limitBytes() - memory.reservedBytes());
        return rest;
    }

    @Test
    void aRowLargerThanABlockIsOneByItself() {
        String large = "0123456789".repeat(50_000);
        SpilledBatches spilled = new SpilledBatches(List.of(ScalarType.VARCHAR), allocator);
        Batch batch = new Batch(
                new Column[] {TestColumns.flat(ScalarType.VARCHAR, List.of("a", large, "b", large), allocator)}, 4);
        spilled.add(batch);
        batch.close();
        assertThat(spilled.blockCount()).isEqualTo(4);
        assertThat(drain(spilled.reader()))
                .isEqualTo(List.of(List.of("a"), List.of(large), List.of("b"), List.of(large)));
        spilled.release();
    }

    @Test
    void aFullDiskIsAnErrorThatSaysWhatToRaise() {
        account.close();
        memory.close();
        open(10_000);
        SpilledBatches spilled = new SpilledBatches(TestColumns.SCALAR_TYPES, allocator);
        Batch batch = batch(4096, new Random(1));
        assertThatThrownBy(() -> spilled.add(batch))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("Sort 3")
                .hasMessageContaining("raise spill.limit");
        assertThat(spilled.rowCount()).isZero();
        assertThat(spilled.blockCount()).isZero();
        assertThat(allocator.spillFile().storedBytes()).isZero(); // nothing of the batch stays
        spilled.release();
        batch.close();
    }

    private Batch batch(int rows, Random random) {
        Column[] columns = new Column[TestColumns.SCALAR_TYPES.size()];
        for (int c = 0; c < columns.length; c++) {
            DataType type = TestColumns.SCALAR_TYPES.get(c);
            List<Object> values = TestColumns.randomValues(type, random, rows, 500, 5);
            columns[c] = rows == 0 || type.equals(ScalarType.NULL)
                    ? TestColumns.flat(type, values, allocator)
                    : TestColumns.anyForm(type, values, random, allocator);
        }
        return new Batch(columns, rows);
    }

    private void selectSome(Batch batch, Random random) {
        int[] selection = selections.take(batch.rowCount());
        int count = 0;
        for (int row = 0; row < batch.rowCount(); row++) {
            if (random.nextInt(3) > 0) {
                selection[count++] = row;
            }
        }
        batch.select(selection, count, selections);
    }

    private static List<List<Object>> drain(SpilledBatches.Reader reader) {
        List<List<Object>> rows = new ArrayList<>();
        for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
            rows.addAll(read(batch));
            batch.close();
        }
        return rows;
    }

    private static List<List<Object>> read(Batch batch) {
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < batch.selectedRows(); i++) {
            int row = batch.selection() == null ? i : batch.selection()[i];
            List<Object> values = new ArrayList<>();
            batch.columns().forEach(column -> values.add(TestColumns.read(column, row)));
            rows.add(values);
        }
        return rows;
    }
}
