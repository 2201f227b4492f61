package dev.chert.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.error.QueryCancelledException;
import dev.chert.error.ResourceException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An engine of 64 MiB, whose soft limit is 48 MiB.
@Timeout(60)
class GuardedStateTest {
    private static final long MIB = 1 << 20;

    private MemoryManager manager = new MemoryManager(64 * MIB, false, 2, SpillOptions.DEFAULT);
    private final List<Account> queries = new ArrayList<>();

    @AfterEach
    void everythingComesBack() {
        queries.forEach(Account::close);
        assertThat(manager.reservedBytes()).isZero();
        manager.close();
    }

    @Test
    void memoryIsTightAboveThreeQuartersOfASmallLimit() {
        Budget scan = query("query 1").budget();
        scan.reserve(48 * MIB);
        assertThat(manager.isTight()).isFalse();
        scan.reserve(1);
        assertThat(manager.isTight()).isTrue();
        assertThat(scan.isTight()).isTrue();
    }

    @Test
    void aLargeLimitKeepsHeadroomForItsWorkersOnly() {
        try (var large = new MemoryManager(1024 * MIB, false, 2, SpillOptions.DEFAULT);
                Account query = large.openAccount("query 1", Long.MAX_VALUE)) {
            query.budget().reserve(960 * MIB);
            assertThat(large.isTight()).isFalse();
            query.budget().reserve(1);
            assertThat(large.isTight()).isTrue();
        }
    }

    @Test
    void whatIsSpareEndsAtTheSoftLimitAndAtTheFairShare() {
        Budget first = query("query 1").budget();
        assertThat(first.spareBytes()).isEqualTo(48 * MIB);
        first.reserve(8 * MIB);
        assertThat(first.spareBytes()).isEqualTo(40 * MIB);
        Budget second = query("query 2").budget();
        second.reserve(20 * MIB);
        assertThat(first.spareBytes()).isEqualTo(16 * MIB);
        assertThat(second.spareBytes()).isEqualTo(4 * MIB);
        first.reserve(30 * MIB);
        assertThat(first.spareBytes()).isZero();
        try (var always = new MemoryManager(
                        64 * MIB, false, 2, new SpillOptions(SpillOptions.DEFAULT.directory(), MIB, false, true));
                Account query = always.openAccount("query 1", Long.MAX_VALUE)) {
            assertThat(query.budget().spareBytes()).isZero();
        }
    }

    @Test
    void aQuerysOwnLimitMakesItTightAlone() {
        Account small = manager.openAccount("query 1", 8 * MIB);
        queries.add(small);
        State state = new State(small.allocator("Sort 5"));
        state.grow(7 * MIB);
        assertThat(small.budget().isTight()).isTrue();
        assertThat(manager.isTight()).isFalse();
        assertThat(state.spilled).isZero();
        state.grow(0);
        assertThat(state.spilled).isGreaterThanOrEqualTo(MIB);
        assertThat(small.budget().isTight()).isFalse();
    }

    @Test
    void aStateSpillsAtTheNextBatchAndNotInTheMiddleOfOne() {
        State state = new State(query("query 1").allocator("Sort 5"));
        state.grow(50 * MIB);
        assertThat(state.spilled).isZero();
        state.grow(MIB);
        assertThat(state.spilled).isGreaterThanOrEqualTo(2 * MIB).isLessThan(20 * MIB);
        assertThat(manager.isTight()).isFalse();
    }

    @Test
    void aQueryWithinItsFairShareLeavesTheSpillingToOthers() {
        State small = new State(query("query 1").allocator("Sort 5"));
        State large = new State(query("query 2").allocator("Sort 5"));
        small.grow(20 * MIB);
        large.grow(30 * MIB);
        small.grow(0);
        assertThat(small.spilled).isZero();
        large.grow(0);
        assertThat(large.spilled).isGreaterThanOrEqualTo(2 * MIB);
    }

    @Test
    void whatTheEngineHoldsForCallersIsNotShared() {
        State state = new State(query("query 1").allocator("Sort 5"));
        manager.exports().budget().reserve(40 * MIB);
        state.grow(9 * MIB);
        state.grow(0);
        assertThat(state.spilled).isGreaterThanOrEqualTo(MIB);
        manager.exports().budget().release(40 * MIB);
    }

    @Test
    void aStateTooSmallToHelpIsNotWritten() {
        Account query = query("query 1");
        query.allocator("Scan 1").budget().reserve(50 * MIB);
        State state = new State(query.allocator("Sort 5"));
        state.grow(255 << 10);
        state.grow(0);
        assertThat(state.spilled).isZero();
        state.grow(1 << 10);
        state.grow(0);
        assertThat(state.spilled).isEqualTo(256 << 10);
    }

    @Test
    void aTestMaySpillAtEverySafePoint() {
        manager.close();
        SpillOptions always = new SpillOptions(SpillOptions.DEFAULT.directory(), Long.MAX_VALUE, false, true);
        manager = new MemoryManager(64 * MIB, false, 2, always);
        State state = new State(query("query 1").allocator("Sort 5"));
        state.grow(1);
        assertThat(state.spilled).isZero();
        state.grow(5);
        assertThat(state.spilled).isEqualTo(1);
        state.grow(0);
        assertThat(state.spilled).isEqualTo(6);
        assertThat(manager.isTight()).isTrue();
        assertThat(manager.isOverSoftLimit()).isFalse();
    }

    @Test
    void aRefusalSpillsTheQuerysOwnStatesThenThoseOfQueriesAboveTheirShare() {
        Account asking = query("query 1");
        State own = new State(asking.allocator("Sort 5"));
        State small = new State(query("query 2").allocator("Sort 5"));
        State large = new State(query("query 3").allocator("Sort 5"));
        own.grow(5 * MIB);
        small.grow(10 * MIB);
        large.grow(33 * MIB);
        asking.allocator("Scan 1").budget().reserve(16 * MIB);
        asking.allocator("Scan 1").budget().reserve(8 * MIB);
        assertThat(own.spilled).isEqualTo(5 * MIB);
        assertThat(small.spilled).isZero();
        assertThat(large.spilled).isEqualTo(3 * MIB);
    }

    @Test
    void aStateThatAThreadIsInIsNotAsked() throws Exception {
        Account query = query("query 1");
        State state = new State(query.allocator("Sort 5"));
        state.grow(60 * MIB);
        var inside = new CompletableFuture<Void>();
        var done = new CompletableFuture<Void>();
        Thread worker = Thread.ofPlatform().start(() -> {
            state.spillAtSafePoints = false;
            state.enter();
            inside.complete(null);
            done.join();
            state.leave();
        });
        inside.join();
        assertThatThrownBy(() -> query.allocator("Scan 1").budget().reserve(5 * MIB))
                .isInstanceOf(ResourceException.class);
        done.complete(null);
        worker.join();
        state.spillAtSafePoints = true;
        query.allocator("Scan 1").budget().reserve(5 * MIB);
        assertThat(state.spilled).isEqualTo(MIB);
    }

    @Test
    void aRefusedThreadWaitsForTheNextSafePointOfAStateThatIsBusy() throws Exception {
        Account query = query("query 1");
        State state = new State(query.allocator("Sort 5"));
        state.grow(60 * MIB);
        var inside = new CompletableFuture<Void>();
        Thread worker = Thread.ofPlatform().start(() -> {
            state.spillAtSafePoints = false;
            state.enter();
            state.spillAtSafePoints = true;
            inside.complete(null);
            LockSupport.parkNanos(10_000_000);
            state.leave();
            state.grow(0);
        });
        inside.join();
        query.allocator("Scan 1").budget().reserve(5 * MIB);
        worker.join();
        assertThat(state.spilled).isGreaterThanOrEqualTo(MIB);
    }

    @Test
    void aStateIsNotAskedByTheThreadThatIsInIt() {
        State state = new State(query("query 1").allocator("Sort 5"));
        state.grow(40 * MIB);
        assertThatThrownBy(() -> state.grow(30 * MIB)).isInstanceOf(ResourceException.class);
        assertThat(state.spilled).isZero();
    }

    @Test
    void aStateThatWorkBrokeOffInSpillsNoMore() {
        State state = new State(query("query 1").allocator("Sort 5"));
        state.grow(40 * MIB);
        assertThatThrownBy(() -> state.work(() -> state.budget.reserve(30 * MIB)))
                .isInstanceOf(ResourceException.class);
        assertThat(state.spillableBytes()).isZero();
        assertThat(state.spill(MIB)).isZero();
        assertThatThrownBy(() -> query("query 2").budget().reserve(30 * MIB)).isInstanceOf(ResourceException.class);
        queries.getFirst().allocator("Scan 1").budget().reserve(20 * MIB);
        state.grow(0);
        assertThat(state.spilled)
                .as("at a safe point, by a thread that does not know yet")
                .isZero();
    }

    @Test
    void aStateThatWorkEndedInSpills() {
        State state = new State(query("query 1").allocator("Sort 5"));
        state.grow(40 * MIB);
        assertThat(state.<Long>workFor(() -> state.held)).isEqualTo(40 * MIB);
        state.work(() -> {});
        assertThat(state.spill(MIB)).isEqualTo(MIB);
    }

    @Test
    void aSafePointOutlivesARefusalOfMemoryAndNoFullDisk() {
        Account query = query("query 1");
        State state = new State(query.allocator("Sort 5"));
        state.grow(50 * MIB);
        state.needed = 20 * MIB;
        state.grow(MIB);
        assertThat(state.held).isEqualTo(51 * MIB);
        assertThat(state.spilled).isZero();
        assertThatThrownBy(() -> query.allocator("Scan 1").budget().reserve(20 * MIB))
                .as("whoever forces it learns of it")
                .hasMessageContaining("nothing could be spilled: Sort 5: needs 20 MiB more");
        state.failure = new ResourceException("Sort 5: the disk is full");
        assertThatThrownBy(() -> state.grow(MIB)).isSameAs(state.failure);
        state.failure = null;
        state.needed = MIB;
        state.grow(MIB);
        assertThat(state.spilled).isPositive();
    }

    @Test
    void aCancelledQuerySpillsNothingForOthersAndEndsAtItsOwnSafePoint() {
        State cancelled = new State(query("query 1").allocator("Sort 5"));
        State other = new State(query("query 2").allocator("Sort 5"));
        cancelled.grow(40 * MIB);
        other.grow(8 * MIB);
        cancelled.failure = new QueryCancelledException("query 1 was stopped");
        assertThat(cancelled.spill(MIB)).isZero();
        assertThatThrownBy(() -> other.grow(30 * MIB)).isInstanceOf(ResourceException.class);
        queries.getFirst().budget().reserve(10 * MIB);
        assertThatThrownBy(() -> cancelled.grow(0)).isSameAs(cancelled.failure);
    }

    @Test
    void aStateThatLeftIsNotAsked() {
        Account query = query("query 1");
        State state = new State(query.allocator("Sort 5"));
        state.grow(40 * MIB);
        state.unregister();
        assertThatThrownBy(() -> query.allocator("Scan 1").budget().reserve(30 * MIB))
                .isInstanceOf(ResourceException.class);
    }

    @Test
    void anAskerThatCameTooLateFindsNobody() {
        State state = new State(query("query 1").allocator("Sort 5"));
        state.grow(40 * MIB);
        assertThat(state.spill(MIB)).isEqualTo(MIB);
        state.unregister();
        assertThat(state.spill(MIB)).as("looked at before it left").isZero();
    }

    @Test
    void aDiskThatIsFullIsPartOfTheMessage() {
        Account query = query("query 1");
        State state = new State(query.allocator("Sort 5"));
        state.grow(40 * MIB);
        state.failure = new ResourceException("Sort 5: the disk is full");
        assertThatThrownBy(() -> query.allocator("Scan 1").budget().reserve(30 * MIB))
                .isInstanceOf(ResourceException.class)
                .hasMessage("Scan 1: needs 30 MiB more, 40 of 64 MiB are reserved; raise memory.limit (the limit is the"
                        + " engine's; query 1 holds 40 MiB, 0 bytes of it this operator; nothing could be spilled:"
                        + " Sort 5: the disk is full)")
                .hasCause(state.failure);
    }

    @Test
    void whoWaitsIsWokenWhenMemoryComesBackOrAQueryEnds() {
        Account first = query("query 1");
        var woken = new AtomicInteger();
        manager.whenRelaxed(woken::incrementAndGet);
        assertThat(woken).as("not tight").hasValue(1);
        first.budget().reserve(60 * MIB);
        manager.whenRelaxed(woken::incrementAndGet);
        first.budget().release(10 * MIB);
        assertThat(woken).as("still tight").hasValue(1);
        first.budget().release(2 * MIB);
        assertThat(woken).hasValue(2);
        first.budget().release(2 * MIB);
        assertThat(woken).as("once").hasValue(2);
        first.budget().reserve(4 * MIB);
        Account second = query("query 2");
        manager.whenRelaxed(woken::incrementAndGet);
        second.close();
        assertThat(woken).as("a query ended").hasValue(3);
    }

    private Account query(String name) {
        Account account = manager.openAccount(name, Long.MAX_VALUE);
        queries.add(account);
        return account;
    }

    /// Reserved bytes that spilling gives back.
    private static final class State extends GuardedState {
        private final Budget budget;
        private volatile long held;
        private volatile boolean spillAtSafePoints = true;
        private volatile RuntimeException failure;
        private long needed; // to spill
        private long spilled;

        State(Allocator allocator) {
            super(allocator);
            budget = allocator.budget();
            register();
        }

        void grow(long bytes) {
            enter();
            try {
                budget.reserve(bytes);
                held += bytes;
            } finally {
                leave();
            }
        }

        @Override
        protected long heldBytes() {
            return spillAtSafePoints ? held : 0;
        }

        @Override
        protected long release(long wantedBytes) {
            if (failure != null) {
                throw failure;
            }
            budget.reserve(needed);
            budget.release(needed);
            long freed = Math.min(held, wantedBytes);
            held -= freed;
            spilled += freed;
            budget.release(freed);
            return freed;
        }
    }
}
