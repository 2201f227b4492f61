package dev.chert.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.error.ResourceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class BudgetTest {
    private static final long MIB = 1 << 20;

    private final Budget engine = Budget.ofEngine(1024 * MIB);
    private final Budget query = engine.ofQuery("query 7", 512 * MIB);
    private final Budget join = query.ofOperator("HashJoin 3, build side");
    private final Budget sort = query.ofOperator("Sort 5");

    @Test
    void aReservationCountsInEveryBudgetAboveAndGoesBackFromAll() {
        join.reserve(3 * MIB);
        sort.reserve(4 * MIB);
        assertThat(List.of(join.reserved(), sort.reserved(), query.reserved(), engine.reserved()))
                .containsExactly(3 * MIB, 4 * MIB, 7 * MIB, 7 * MIB);
        join.release(3 * MIB);
        sort.release(4 * MIB);
        assertThat(List.of(join.reserved(), query.reserved(), engine.reserved()))
                .containsOnly(0L);
        assertThat(List.of(join.peak(), query.peak(), engine.peak())).containsExactly(3 * MIB, 7 * MIB, 7 * MIB);
    }

    @Test
    void theLimitItselfFits() {
        join.reserve(512 * MIB);
        assertThat(join.tryReserve(1)).isFalse();
        assertThat(query.reserved()).isEqualTo(512 * MIB);
    }

    @Test
    void aRefusalLeavesNoTraceInAnyBudget() {
        engine.ofQuery("query 8", Long.MAX_VALUE).reserve(1000 * MIB);
        assertThat(join.tryReserve(100 * MIB)).isFalse();
        assertThat(List.of(join.reserved(), query.reserved(), engine.reserved()))
                .containsExactly(0L, 0L, 1000 * MIB);
    }

    @Test
    void refusalByTheQueryNamesWhoAskedWhoHoldsWhatAndWhatHelps() {
        join.reserve(300 * MIB);
        sort.reserve(148 * MIB);
        assertThatThrownBy(() -> join.reserve(65 * MIB))
                .isInstanceOf(ResourceException.class)
                .hasMessage("HashJoin 3, build side: needs 65 MiB more, 448 of 512 MiB are reserved; raise memory.limit"
                        + " (the limit is query 7's; query 7 holds 448 MiB,"
                        + " 300 MiB of it this operator)");
    }

    @Test
    void refusalByTheEngineSaysSo() {
        engine.ofQuery("query 8", Long.MAX_VALUE).reserve(900 * MIB);
        join.reserve(10 * MIB);
        assertThatThrownBy(() -> join.reserve(200 * MIB))
                .isInstanceOf(ResourceException.class)
                .hasMessage(
                        "HashJoin 3, build side: needs 200 MiB more, 910 MiB of 1 GiB are reserved; raise memory.limit"
                                + " (the limit is the engine's; query 7 holds 10 MiB,"
                                + " 10 MiB of it this operator)");
    }

    @Test
    void theLargestHolderIsAskedFirstAndTheOthersOnlyForTheRest() {
        var asked = new ArrayList<String>();
        holder(join, "small", 100 * MIB, asked);
        holder(sort, "large", 200 * MIB, asked);
        holder(sort, "middle", 150 * MIB, asked);
        join.reserve(312 * MIB); // 450 are held, 62 free: 250 more must go
        assertThat(asked).containsExactly("large wants " + 250 * MIB, "middle wants " + 50 * MIB);
        assertThat(query.reserved()).isEqualTo(512 * MIB);
    }

    @Test
    void nobodyIsAskedWhenTheRequestCanNeverFit() {
        var asked = new ArrayList<String>();
        holder(sort, "large", 200 * MIB, asked);
        assertThatThrownBy(() -> join.reserve(513 * MIB)).isInstanceOf(ResourceException.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void holdersOfQueriesAboveTheirShareAreAskedAfterTheQuerysOwn() {
        var asked = new ArrayList<String>();
        Budget other = engine.ofQuery("query 8", Long.MAX_VALUE);
        holder(other.ofOperator("Sort 1"), "foreign", 800 * MIB, asked);
        holder(engine.ofQuery("query 9", Long.MAX_VALUE), "within its share", 100 * MIB, asked);
        holder(sort, "own", 50 * MIB, asked);
        join.reserve(400 * MIB); // 950 are held, 74 free: 326 more must go
        assertThat(asked).containsExactly("own wants " + 326 * MIB, "foreign wants " + 276 * MIB);
    }

    @Test
    void whatTheEngineOwnsLessensWhatIsSharedButTakesNoShare() {
        for (int i = 0; i < 8; i++) {
            engine.ofEnginesOwn("table " + i).reserve(32 * MIB);
        }
        Budget only = engine.ofQuery("query 8", Long.MAX_VALUE);
        only.reserve(MIB);
        assertThat(only.spareBytes()).isEqualTo((768 - 8 * 32 - 1) * MIB); // the soft limit is 768 MiB
    }

    @Test
    void nobodyOfAnotherQueryIsAskedWhereTheQuerysOwnLimitRefuses() {
        var asked = new ArrayList<String>();
        holder(engine.ofQuery("query 8", Long.MAX_VALUE), "foreign", 500 * MIB, asked);
        join.reserve(400 * MIB);
        assertThatThrownBy(() -> join.reserve(200 * MIB)).isInstanceOf(ResourceException.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void aClosedQueryIsNotAsked() {
        var asked = new ArrayList<String>();
        Budget other = engine.ofQuery("query 8", Long.MAX_VALUE);
        holder(other, "foreign", 900 * MIB, asked);
        other.endVisits();
        assertThatThrownBy(() -> join.reserve(400 * MIB)).isInstanceOf(ResourceException.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void aHolderThatLeftIsNotAsked() {
        var asked = new ArrayList<String>();
        Spillable holder = holder(sort, "large", 200 * MIB, asked);
        sort.removeSpillable(holder);
        assertThatThrownBy(() -> join.reserve(400 * MIB)).isInstanceOf(ResourceException.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void aHolderThatClaimsToHaveSpilledAndHasNotEndsInARefusal() {
        sort.reserve(500 * MIB);
        sort.addSpillable(new Spillable() {
            @Override
            public long spillableBytes() {
                return 500 * MIB;
            }

            @Override
            public long spill(long wantedBytes) {
                return wantedBytes;
            }
        });
        assertThatThrownBy(() -> join.reserve(100 * MIB)).isInstanceOf(ResourceException.class);
    }

    @Test
    void whatAHolderReservesWhileItSpillsAsksNobodyInTurn() {
        var nested = new AtomicBoolean();
        sort.reserve(512 * MIB);
        sort.addSpillable(new Spillable() {
            @Override
            public long spillableBytes() {
                return sort.reserved();
            }

            @Override
            public long spill(long wantedBytes) {
                assertThatThrownBy(() -> sort.reserve(MIB)).isInstanceOf(ResourceException.class);
                nested.set(true);
                sort.release(wantedBytes);
                return wantedBytes;
            }
        });
        join.reserve(MIB);
        assertThat(nested).isTrue();
        assertThat(query.reserved()).isEqualTo(512 * MIB);
    }

    @Test
    void closingGivesBackWhatIsLeftAndLaterReleasesDoNoHarm() {
        join.reserve(30 * MIB);
        sort.reserve(5 * MIB);
        query.close();
        assertThat(engine.reserved()).isZero();
        assertThat(query.reserved()).isZero();
        join.release(30 * MIB);
        assertThat(engine.reserved()).isZero();
        assertThatThrownBy(() -> sort.reserve(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("query 7 is closed: Sort 5 cannot reserve 1 bytes in it");
    }

    @Test
    void givingBackMoreThanIsReservedIsABug() {
        join.reserve(5);
        assertThatThrownBy(() -> join.release(6))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("HashJoin 3, build side gives back 6 bytes, but 5 bytes are reserved");
        assertThatThrownBy(() -> join.reserve(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void threadsThatReserveAndReleaseLeaveExactlyZero() throws Exception {
        Budget tight = engine.ofQuery("tight", 10_000);
        try (var pool = Executors.newFixedThreadPool(6)) {
            var tasks = new ArrayList<Callable<Void>>();
            for (int t = 0; t < 6; t++) {
                Budget operator = tight.ofOperator("operator " + t % 3);
                long seed = t;
                tasks.add(() -> {
                    var random = new Random(seed);
                    long held = 0;
                    for (int i = 0; i < 50_000; i++) {
                        long bytes = random.nextInt(3_000);
                        if (random.nextBoolean() && operator.tryReserve(bytes)) {
                            held += bytes;
                        } else if (held > 0) {
                            long part = random.nextLong(held + 1);
                            operator.release(part);
                            held -= part;
                        }
                        assertThat(tight.reserved()).isBetween(0L, 10_000L);
                    }
                    operator.release(held);
                    return null;
                });
            }
            for (var future : pool.invokeAll(tasks)) {
                future.get();
            }
        }
        assertThat(tight.reserved()).isZero();
        assertThat(engine.reserved()).isZero();
        assertThat(tight.peak()).isLessThanOrEqualTo(10_000);
    }

    @Test
    void closingWhileThreadsReserveLeavesExactlyZero() throws Exception {
        try (var pool = Executors.newFixedThreadPool(3)) {
            for (int round = 0; round < 200; round++) {
                Budget closing = engine.ofQuery("closing", Long.MAX_VALUE);
                var tasks = new ArrayList<Callable<Void>>();
                for (int t = 0; t < 2; t++) {
                    Budget operator = closing.ofOperator("operator " + t);
                    tasks.add(() -> {
                        try {
                            while (true) {
                                operator.reserve(7);
                                operator.reserve(5);
                                operator.release(7);
                            }
                        } catch (IllegalStateException e) {
                            assertThat(e).hasMessageContaining("closing is closed");
                        }
                        return null;
                    });
                }
                tasks.add(() -> {
                    Thread.onSpinWait();
                    closing.close();
                    return null;
                });
                for (var future : pool.invokeAll(tasks)) {
                    future.get();
                }
                assertThat(engine.reserved()).isZero();
            }
        }
    }

    /// A holder that has reserved bytes and gives back what it is asked for, at most what it has.
    private static Spillable holder(Budget budget, String name, long bytes, List<String> asked) {
        budget.reserve(bytes);
        Spillable holder = new Spillable() {
            private long held = bytes;

            @Override
            public long spillableBytes() {
                return held;
            }

            @Override
            public long spill(long wantedBytes) {
                asked.add(name + " wants " + wantedBytes);
                long freed = Math.min(held, wantedBytes);
                budget.release(freed);
                held -= freed;
                return freed;
            }
        };
        budget.addSpillable(holder);
        return holder;
    }
}
