package dev.chert.operator.join;

import static dev.chert.operator.join.JoinCase.check;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.ScalarType;
import dev.chert.error.ResourceException;
import dev.chert.operator.TestQuery;
import dev.chert.operator.TestRows;
import dev.chert.plan.JoinKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Hash joins whose rows go to disk.
class SpillingHashJoinTest {
    private static final List<List<ScalarType>> KEYS = List.of(
            List.of(ScalarType.BIGINT),
            List.of(ScalarType.VARCHAR),
            List.of(ScalarType.decimal(38, 4), ScalarType.VARCHAR),
            List.of(ScalarType.INTEGER, ScalarType.UUID));

    static Stream<Arguments> kindsWithAndWithoutResidual() {
        return Stream.of(JoinKind.values())
                .flatMap(kind -> Stream.of(Arguments.of(kind, false), Arguments.of(kind, true)));
    }

    /// Everything goes to disk at every moment at which it may: small batches make small blocks, which are split
    /// level by level.
    @ParameterizedTest
    @MethodSource("kindsWithAndWithoutResidual")
    void giveTheSameRowsWhenAllRowsGoToDisk(JoinKind kind, boolean residual) {
        int[] batchSizes = {1, 7, 4096};
        for (int seed = 0; seed < 12; seed++) {
            Random random = new Random(seed);
            List<ScalarType> keys = KEYS.get(seed % KEYS.size());
            JoinCase join = new JoinCase(kind, keys, residual, keys.size() == 1 ? 3 + random.nextInt(100) : 4);
            try (TestQuery query = TestQuery.thatSpills(batchSizes[seed % 3], 1L << 30, true, Long.MAX_VALUE)) {
                check(query, join, random.nextInt(200), random.nextInt(200), 1 + seed / 3 % 2, seed);
                assertThat(query.writtenBytes()).as("seed %d", seed).isPositive();
            }
        }
    }

    /// No split helps, so build rows are taken chunk by chunk, all probe rows once a chunk.
    @ParameterizedTest
    @MethodSource("kindsWithAndWithoutResidual")
    void giveTheSameRowsChunkByChunk(JoinKind kind, boolean residual) {
        int[] batchSizes = {1, 7, 4096};
        for (int seed = 0; seed < 12; seed++) {
            Random random = new Random(seed);
            JoinCase join = new JoinCase(kind, KEYS.get(seed % KEYS.size()), residual, 1 + random.nextInt(6));
            try (TestQuery query = TestQuery.thatSpillsWithConstantHash(batchSizes[seed % 3])) {
                check(query, join, random.nextInt(100), random.nextInt(100), 1 + seed / 3 % 2, seed);
            }
        }
    }

    /// As many rows as memory has not: some partitions stay, some wait on disk, one key in ten has many rows.
    @ParameterizedTest
    @MethodSource("kindsWithAndWithoutResidual")
    void giveTheSameRowsInLittleMemory(JoinKind kind, boolean residual) {
        for (int workers = 1; workers <= 2; workers++) {
            Random random = new Random(workers);
            JoinCase join = new JoinCase(kind, List.of(ScalarType.BIGINT), residual, 1);
            boolean nullKeys = kind != JoinKind.NULL_AWARE_ANTI && kind != JoinKind.MARK;
            List<List<Object>> left = rows(6_000, nullKeys, random);
            List<List<Object>> right = rows(40_000, nullKeys, random);
            try (TestQuery query = TestQuery.thatSpills(512, 4 << 20, false, Long.MAX_VALUE)) {
                assertThat(TestRows.count(JoinCase.run(query, join, left, right, workers)))
                        .isEqualTo(TestRows.count(JoinReference.joinByKey(kind, left, right, 2, 2, join.condition())));
                assertThat(query.writtenBytes()).isPositive();
            }
        }
    }

    /// Any probe row may need any build row, of which there are more than memory has room for.
    @ParameterizedTest
    @EnumSource(names = {"NULL_AWARE_ANTI", "MARK"})
    void decideWhatNullsLeaveOpenChunkByChunk(JoinKind kind) {
        for (int workers = 1; workers <= 2; workers++) {
            Random random = new Random(workers);
            JoinCase join = new JoinCase(kind, List.of(ScalarType.BIGINT, ScalarType.BIGINT), workers == 2, 1);
            List<List<Object>> left = new ArrayList<>();
            List<List<Object>> right = new ArrayList<>();
            for (long i = 0; i < 20_000; i++) {
                (i < 300 ? left : right)
                        .add(Arrays.asList(
                                random.nextInt(i < 300 ? 3 : 300) == 0 ? null : (Long) (long) random.nextInt(90),
                                random.nextInt(i < 300 ? 9 : 900) == 0 ? null : (Long) (long) random.nextInt(9_000),
                                (long) random.nextInt(1_000)));
            }
            try (TestQuery query = TestQuery.thatSpills(512, 3 << 20, false, Long.MAX_VALUE)) {
                assertThat(TestRows.count(JoinCase.run(query, join, left, right, workers)))
                        .isEqualTo(TestRows.count(JoinReference.join(kind, left, right, 3, 3, join.condition())));
                assertThat(query.writtenBytes()).isPositive();
            }
        }
    }

    /// One key has nearly all build rows, more than there is memory for.
    @ParameterizedTest
    @MethodSource("kindsWithAndWithoutResidual")
    void giveTheSameRowsOfOneHugeKey(JoinKind kind, boolean residual) {
        JoinCase join = new JoinCase(kind, List.of(ScalarType.BIGINT), residual, 1);
        List<List<Object>> left = new ArrayList<>();
        List<List<Object>> right = new ArrayList<>();
        for (long i = 0; i < 60; i++) {
            left.add(Arrays.asList(i % 10 == 0 ? (Long) 7L : (Long) (i + 100), i % 5 == 0 ? (Long) 39_990L : null));
        }
        for (long i = 0; i < 40_000; i++) {
            right.add(List.of(i % 100 == 0 ? i / 100 : 7L, i));
        }
        try (TestQuery query = TestQuery.thatSpills(1024, 3 << 20, false, Long.MAX_VALUE)) {
            assertThat(TestRows.count(JoinCase.run(query, join, left, right, 1)))
                    .isEqualTo(TestRows.count(JoinReference.joinByKey(kind, left, right, 2, 2, join.condition())));
            assertThat(query.writtenBytes()).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource(JoinKind.class)
    void giveEverythingBackWhenTheyAreClosedMidway(JoinKind kind) {
        for (int seed = 0; seed < 12; seed++) {
            Random random = new Random(seed);
            JoinCase join = new JoinCase(kind, KEYS.get(seed % KEYS.size()), random.nextBoolean(), 40);
            try (TestQuery query = random.nextInt(4) == 0
                    ? TestQuery.thatSpillsWithConstantHash(7)
                    : TestQuery.thatSpills(7, 1L << 30, true, Long.MAX_VALUE)) {
                JoinCase.runFor(query, join, 100, 100, random.nextInt(120), seed);
            }
        }
    }

    @Test
    void saysThatTheDiskIsFull() {
        JoinCase join = new JoinCase(JoinKind.INNER, List.of(ScalarType.BIGINT), false, 1);
        List<List<Object>> rows = rows(40_000, false, new Random(1));
        TestQuery query = TestQuery.thatSpills(512, 3 << 20, false, 64 << 10);
        assertThatThrownBy(() -> JoinCase.run(query, join, List.of(), rows, 1))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("HashJoin 1")
                .hasMessageContaining("spill.limit");
        query.abandon();
    }

    private static List<List<Object>> rows(int count, boolean nullKeys, Random random) {
        List<List<Object>> rows = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            Long key = nullKeys && random.nextInt(50) == 0
                    ? null
                    : (Long) (long) (random.nextInt(10) == 0 ? random.nextInt(20) : random.nextInt(30_000));
            rows.add(Arrays.asList(key, random.nextInt(9) == 0 ? null : (Long) (long) random.nextInt(1_000_000)));
        }
        return rows;
    }
}
