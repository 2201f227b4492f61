package dev.chert.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.error.TableException;
import dev.chert.memory.Account;
import dev.chert.memory.Allocator;
import dev.chert.memory.MemoryManager;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TypeOpsTest {
    private final MemoryManager manager = new MemoryManager(1 << 28, true);
    private final Account account = manager.openAccount("query", Long.MAX_VALUE);
    private final Allocator allocator = account.allocator("test");

    @AfterEach
    void everyBufferCameBack() {
        manager.assertEmpty();
        manager.close();
    }

    @Test
    void equalValuesHashTheSameInEveryForm() {
        for (DataType type : TestColumns.SCALAR_TYPES) {
            for (int seed = 0; seed < 20; seed++) {
                Random random = new Random(seed);
                int count = List.of(1, 2, 63, 64, 65, 1000).get(seed % 6);
                List<Object> values = TestColumns.randomValues(type, random, count, 40, seed % 3 == 0 ? 0 : 4);
                Column column = TestColumns.anyForm(type, values, random, allocator);
                int[] rows = random.ints(count, 0, count).toArray();
                long[] hashes = hash(type, column, rows, false, new long[count]);
                long[] combined = hash(type, column, rows, true, hashes.clone());
                Map<Object, Long> known = new HashMap<>();
                for (int i = 0; i < count; i++) {
                    Object key = TestColumns.canonical(values.get(rows[i]));
                    Long before = known.putIfAbsent(key, hashes[i]);
                    assertThat(hashes[i])
                            .as("%s seed %d value %s", type, seed, key)
                            .isEqualTo(before == null ? hashes[i] : before);
                    assertThat(combined[i]).isNotEqualTo(hashes[i]);
                }
                assertThat(known.values().stream().distinct().count()).isEqualTo(known.size());
                column.release();
            }
        }
    }

    @Test
    void decimalsHashByValueWhateverTheirWidth() {
        ScalarType type = ScalarType.decimal(38, 4);
        List<BigInteger> values = List.of(BigInteger.ZERO, BigInteger.valueOf(-5), BigInteger.valueOf(Long.MIN_VALUE));
        Column narrow = TestColumns.flat(type, values, false, allocator);
        Column wide = TestColumns.flat(type, values, true, allocator);
        assertThat(narrow.physical()).isEqualTo(Physical.INT64);
        assertThat(wide.physical()).isEqualTo(Physical.INT128);
        int[] rows = {0, 1, 2};
        assertThat(hash(type, narrow, rows, false, new long[3])).isEqualTo(hash(type, wide, rows, false, new long[3]));
        narrow.release();
        wide.release();
    }

    @Test
    void comparesLikeJava() {
        for (DataType type : TestColumns.SCALAR_TYPES) {
            if (type.kind() == TypeKind.NULL || type.kind() == TypeKind.UUID) {
                continue;
            }
            Random random = new Random(7);
            List<Object> values = TestColumns.randomValues(type, random, 60, 25, 0);
            Column a = TestColumns.flat(type, values, allocator);
            Column b = TestColumns.flat(type, values, true, allocator);
            TypeOps ops = TypeOps.of(type);
            for (int i = 0; i < 60; i++) {
                for (int j = 0; j < 60; j++) {
                    int expected = compare(TestColumns.canonical(values.get(i)), TestColumns.canonical(values.get(j)));
                    assertThat(Integer.signum(ops.compare(a, i, b, j)))
                            .as("%s: %s with %s", type, values.get(i), values.get(j))
                            .isEqualTo(Integer.signum(expected));
                }
            }
            a.release();
            b.release();
        }
    }

    @Test
    void uuidsAreOrderedByTheirText() {
        // the first byte in text order is the lowest of the little-endian lower half
        BigInteger small = BigInteger.ONE.shiftLeft(56); // 00 00 .. 01
        BigInteger large = BigInteger.TWO; // 02 00 ..
        Column column = TestColumns.flat(ScalarType.UUID, List.of(small, large), allocator);
        assertThat(TypeOps.of(ScalarType.UUID).compare(column, 0, column, 1)).isNegative();
        column.release();
    }

    @Test
    void refusesNestedTypesByName() {
        assertThatThrownBy(() -> TypeOps.of(new ArrayType(Field.of("element", ScalarType.INTEGER))))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("cannot be grouped, joined or sorted yet");
    }

    private static long[] hash(DataType type, Column column, int[] rows, boolean combine, long[] hashes) {
        PackedColumn packed = new PackedColumn();
        packed.pack(column, rows, rows.length);
        TypeOps.of(type).hash(packed, hashes, combine);
        return hashes;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static int compare(Object a, Object b) {
        return ((Comparable) a).compareTo(b);
    }
}
