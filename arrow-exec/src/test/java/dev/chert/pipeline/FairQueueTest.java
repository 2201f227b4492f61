package dev.chert.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Tasks that do nothing, on threads and by a clock that are not there: a turn takes as long as the test says.
class FairQueueTest {
    private static final long SLICE = TimeSlice.NANOS;

    private final FairQueue queue = new FairQueue();
    private final Map<QueryShare, Long> time = new HashMap<>();

    @Test
    void queriesTakeTurnsWhateverTheNumberOfTheirTasks() {
        QueryShare many = oldQuery(40);
        QueryShare few = oldQuery(4);
        run(1000, 1);
        assertThat(time.get(many)).isEqualTo(500 * SLICE);
        assertThat(time.get(few)).isEqualTo(500 * SLICE);
    }

    @Test
    void queriesTakeTurnsOnSeveralThreads() {
        List<QueryShare> queries = List.of(oldQuery(40), oldQuery(4), oldQuery(7), oldQuery(3));
        run(1000, 3);
        assertThat(queries).allSatisfy(query -> assertThat(time.get(query)).isEqualTo(250 * SLICE));
    }

    @Test
    void aQueryWhoseTasksOverrunTheirSlicesWaitsLongerForTheNext() {
        QueryShare slow = oldQuery(4);
        QueryShare quick = oldQuery(4);
        for (int i = 0; i < 1100; i++) {
            FairQueue.Turn turn = queue.next(false);
            end(turn, turn.share() == slow ? 10 * SLICE : SLICE);
        }
        assertThat(time.get(slow)).isBetween(950 * SLICE, 1050 * SLICE);
        assertThat(time.get(quick)).isBetween(950 * SLICE, 1050 * SLICE);
    }

    @Test
    void aQueryGoesFirstUntilItHasHadFiftyMilliseconds() {
        QueryShare old = oldQuery(4);
        QueryShare fresh = query(2);
        assertThat(queue.hasUrgent()).isTrue();
        for (int i = 0; i < 5; i++) {
            FairQueue.Turn turn = queue.next(false);
            assertThat(turn.share()).isSameAs(fresh);
            end(turn, SLICE);
        }
        assertThat(queue.hasUrgent()).isFalse();
        run(100, 1);
        assertThat(time.get(old)).isBetween(50 * SLICE, 51 * SLICE);
    }

    @Test
    void ofThoseThatGoFirstTheOneThatHasHadLeastIsNext() {
        QueryShare elder = query(2);
        end(queue.next(false), SLICE);
        QueryShare younger = query(2);
        FairQueue.Turn turn = queue.next(false);
        assertThat(turn.share()).isSameAs(younger);
        end(turn, 2 * SLICE);
        assertThat(queue.next(false).share()).isSameAs(elder);
    }

    @Test
    void aStreamOfShortQueriesLeavesAnEighthToTheOthers() {
        QueryShare old = oldQuery(2);
        for (int i = 0; i < 800; i++) {
            QueryShare fresh = queue.newShare();
            queue.add(fresh, _ -> {});
            FairQueue.Turn turn = queue.next(false);
            assertThat(turn.givesWay()).isEqualTo(turn.share() != old);
            time.merge(turn.share(), SLICE, Long::sum);
            queue.ended(turn, SLICE);
            if (turn.share() == old) {
                queue.add(old, turn.task());
            }
        }
        assertThat(time.get(old)).isBetween(95 * SLICE, 105 * SLICE);
    }

    @Test
    void whoWasAwayDoesNotGetTheTimeThatItDidNotWant() {
        QueryShare away = queue.newShare();
        away.nanos = QueryShare.FIRST_NANOS;
        QueryShare present = oldQuery(1);
        run(1000, 1);
        queue.add(away, _ -> {});
        time.clear();
        run(100, 1);
        assertThat(time.get(present)).isBetween(49 * SLICE, 51 * SLICE);
    }

    @Test
    void aQueryThatIsBeingStoppedGoesBeforeAllOthers() {
        query(1);
        oldQuery(1);
        QueryShare stopping = oldQuery(1);
        stopping.stopping = true;
        assertThat(queue.hasUrgent()).isTrue();
        assertThat(queue.next(true).share()).isSameAs(stopping);
    }

    @Test
    void whileMemoryIsTightTheEldestThatHasWorkGoesOnAndThoseThatGoFirst() {
        QueryShare waitsForItsCaller = queue.newShare();
        QueryShare eldest = oldQuery(2);
        QueryShare younger = oldQuery(2);
        QueryShare fresh = query(1);

        assertThat(queue.next(true).share()).isSameAs(fresh);
        FairQueue.Turn one = queue.next(true);
        FairQueue.Turn other = queue.next(true);
        assertThat(List.of(one.share(), other.share())).containsOnly(eldest);
        assertThat(queue.next(true)).isNull();
        assertThat(queue.hasWaiting()).isTrue();

        queue.ended(one, SLICE);
        assertThat(queue.next(true)).isNull(); // the eldest still runs
        queue.ended(other, SLICE);
        assertThat(queue.next(true).share()).isSameAs(younger);

        waitsForItsCaller.nanos = QueryShare.FIRST_NANOS;
        queue.add(waitsForItsCaller, _ -> {});
        assertThat(queue.next(true).share()).isSameAs(waitsForItsCaller);
        assertThat(queue.next(true)).isNull();
        assertThat(queue.next(false).share()).isSameAs(younger);
    }

    @Test
    void queriesThatMemoryHeldUpDoNotHoldUpTheEldestInTurn() {
        QueryShare eldest = oldQuery(1);
        QueryShare younger = oldQuery(1);
        for (int i = 0; i < 1000; i++) {
            end(queue.next(true), SLICE);
        }
        assertThat(time).containsOnlyKeys(eldest);
        time.clear();
        run(100, 1);
        assertThat(time.get(eldest)).isGreaterThan(40 * SLICE);
        assertThat(time.get(younger)).isGreaterThan(40 * SLICE);
    }

    private QueryShare query(int tasks) {
        QueryShare share = queue.newShare();
        for (int i = 0; i < tasks; i++) {
            queue.add(share, _ -> {});
        }
        return share;
    }

    /// A query that has had its first 50 ms.
    private QueryShare oldQuery(int tasks) {
        QueryShare share = query(tasks);
        share.nanos = QueryShare.FIRST_NANOS;
        return share;
    }

    /// Runs turns of a whole slice, as many at a time as there are threads; each task comes back.
    private void run(int turns, int threads) {
        List<FairQueue.Turn> running = new ArrayList<>();
        for (int i = 0; i < turns; i++) {
            if (running.size() == threads) {
                end(running.removeFirst(), SLICE);
            }
            running.add(queue.next(false));
        }
        running.forEach(turn -> end(turn, SLICE));
    }

    private void end(FairQueue.Turn turn, long nanos) {
        time.merge(turn.share(), nanos, Long::sum);
        queue.ended(turn, nanos);
        queue.add(turn.share(), turn.task());
    }
}
