package dev.chert.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.SelectionPool;
import dev.chert.batch.TestColumns;
import dev.chert.memory.Account;
import dev.chert.memory.Allocator;
import dev.chert.memory.MemoryManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BatchCopierTest {
    private final MemoryManager memory = new MemoryManager(256 << 20, true);
    private final Account home = memory.openAccount("where batches come from", Long.MAX_VALUE);
    private final Allocator source = home.allocator("source");
    private final Allocator exports = memory.exports().allocator("copies");

    static List<DataType> types() {
        return TestColumns.SCALAR_TYPES;
    }

    @AfterEach
    void nothingIsLeft() {
        home.close();
        memory.close();
    }

    @ParameterizedTest
    @MethodSource("types")
    void copiesOutliveWhatTheyWereCopiedFrom(DataType type) {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            int count = random.nextInt(1, 200);
            List<Object> values =
                    TestColumns.randomValues(type, random, count, random.nextInt(1, 40), random.nextInt(4));
            List<Object> expected = new ArrayList<>();
            Batch copy;
            try (Account query = memory.openAccount("query", Long.MAX_VALUE);
                    BatchCopier copier = new BatchCopier(exports)) {
                Batch batch = batch(TestColumns.anyForm(type, values, random, query.allocator("scan")));
                int[] selection = selection(batch, random);
                for (int i = 0; i < batch.selectedRows(); i++) {
                    expected.add(values.get(selection == null ? i : selection[i]));
                }
                copy = copier.copy(batch);
            }
            try (copy) {
                assertThat(copy.selection()).isNull();
                assertThat(TestColumns.read(copy.column(0))).as("seed %d", seed).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void joinsBatchesOfEveryForm(DataType type) {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            List<Batch> batches = new ArrayList<>();
            List<Object> expected = new ArrayList<>();
            for (int i = random.nextInt(1, 5); i > 0; i--) {
                List<Object> values =
                        TestColumns.randomValues(type, random, random.nextInt(1, 90), 20, random.nextInt(4));
                Batch batch = batch(TestColumns.anyForm(type, values, random, source));
                int[] selection = selection(batch, random);
                for (int row = 0; row < batch.selectedRows(); row++) {
                    expected.add(values.get(selection == null ? row : selection[row]));
                }
                batches.add(batch);
            }
            try (BatchCopier copier = new BatchCopier(exports);
                    Batch joined = copier.concatenate(batches)) {
                batches.forEach(Batch::close);
                assertThat(TestColumns.read(joined.column(0)))
                        .as("seed %d", seed)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void aDictionaryIsCopiedOnceForAllBatchesThatHaveIt() {
        List<String> values = List.of("a value longer than a view", "b", "a value longer than a view", "b");
        try (Batch batch = batch(TestColumns.dictionary(ScalarType.VARCHAR, values, source));
                BatchCopier copier = new BatchCopier(exports);
                Batch first = copier.copy(batch);
                Batch second = copier.copy(batch)) {
            assertThat(first.column(0).dictionary())
                    .isSameAs(second.column(0).dictionary())
                    .isNotSameAs(batch.column(0).dictionary());
        }
    }

    @Test
    void dropsADictionaryMuchLongerThanTheRows() {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            values.add("value " + i);
        }
        try (Batch batch = batch(TestColumns.dictionary(ScalarType.VARCHAR, values, source));
                BatchCopier copier = new BatchCopier(exports)) {
            batch.select(new int[] {7, 99}, 2, new SelectionPool(10));
            try (Batch copy = copier.copy(batch)) {
                assertThat(copy.column(0).isFlat()).isTrue();
                assertThat(TestColumns.read(copy.column(0))).containsExactly("value 7", "value 99");
            }
        }
    }

    private static Batch batch(Column column) {
        return new Batch(new Column[] {column}, column.rowCount());
    }

    /// Selects some of the rows, or leaves all.
    private static int[] selection(Batch batch, Random random) {
        if (random.nextInt(3) == 0) {
            return null;
        }
        int[] rows = new int[batch.rowCount()];
        int count = 0;
        for (int row = 0; row < rows.length; row++) {
            if (random.nextBoolean()) {
                rows[count++] = row;
            }
        }
        batch.select(rows, count, new SelectionPool(1));
        return batch.selection();
    }
}
