package dev.chert.pipeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/// The tasks that wait for a thread, and whose turn it is. Knows neither threads nor clocks. Not thread-safe.
///
/// - A query that is being stopped goes before all: it only gives back what it holds.
/// - A query goes first until it has had 50 ms, among such the one that has had least.
/// - All others take turns, a time slice each, however many tasks they have: the one that has had least time since it
///   joined them is next.
/// - While those that go first keep coming, the others are owed an eighth of the time.
/// - While memory is tight, only the eldest query that has work goes on, beside the first 50 ms of others: the
///   rest would grow too, while it may spill or end, and give memory back.
final class FairQueue {
    /// Of this many parts of the time, those that go first get at most all but one.
    private static final int PARTS = 8;
    /// What is owed grows to this, so that nobody who comes later pays for what nobody wanted.
    private static final long MOST_OWED_NANOS = 2 * TimeSlice.NANOS;
    /// A query that could not take its turns, since memory was tight, catches up on this much.
    private static final long MOST_LAG_NANOS = 5 * TimeSlice.NANOS;

    private static final Comparator<QueryShare> LEAST_TIME = Comparator.comparingLong(share -> share.nanos);
    private static final Comparator<QueryShare> NEXT_TURN = Comparator.comparingLong(QueryShare::expectedTurnNanos);
    private static final Comparator<QueryShare> ELDEST = Comparator.comparingLong(share -> share.number);

    private final List<QueryShare> working = new ArrayList<>(); // in the order of their last turns
    private long shares;
    private long turnNanos; // of the latest turn: the least that a query which joins now starts with
    private long owedNanos;

    /// A task and the query that it takes the time of.
    ///
    /// @param givesWay whether it ends early when a task comes that goes first
    record Turn(QueryShare share, Task task, boolean givesWay) {}

    /// A new query, younger than all before.
    QueryShare newShare() {
        return new QueryShare(shares++);
    }

    void add(QueryShare share, Task task) {
        if (!share.hasWork()) {
            working.add(share);
            share.turnNanos = Math.max(share.turnNanos, turnNanos);
        }
        share.waiting.add(task);
    }

    /// Whether any task waits, also one that may not go on now.
    boolean hasWaiting() {
        return working.stream().anyMatch(share -> !share.waiting.isEmpty());
    }

    /// Whether a task waits for which others give way.
    boolean hasUrgent() {
        return working.stream().anyMatch(FairQueue::isUrgent);
    }

    private static boolean isUrgent(QueryShare share) {
        return !share.waiting.isEmpty() && (share.stopping || share.isFirst());
    }

    /// Takes the task whose turn it is; [#ended] follows.
    ///
    /// @param tight whether memory is
    /// @return      null where no task waits, or none that may go on
    Turn next(boolean tight) {
        QueryShare stopping = waiting(share -> share.stopping, LEAST_TIME);
        if (stopping != null) {
            return start(stopping, true);
        }
        QueryShare first = waiting(QueryShare::isFirst, LEAST_TIME);
        QueryShare other = nextInTurn(tight);
        boolean owed = first != null && other != null && owedNanos >= TimeSlice.NANOS;
        if (first != null && !owed) {
            return start(first, true);
        }
        if (other == null) {
            return null;
        }
        if (owed) {
            owedNanos -= TimeSlice.NANOS;
        }
        other.turnNanos = Math.max(other.turnNanos, turnNanos - MOST_LAG_NANOS);
        turnNanos = Math.max(turnNanos, other.turnNanos);
        return start(other, !owed);
    }

    private QueryShare nextInTurn(boolean tight) {
        QueryShare eldest = tight ? least(working, ELDEST) : null;
        return waiting(share -> !share.isFirst() && (!tight || share == eldest), NEXT_TURN);
    }

    private QueryShare waiting(Predicate<QueryShare> kind, Comparator<QueryShare> order) {
        return least(
                working.stream()
                        .filter(share -> !share.waiting.isEmpty() && kind.test(share))
                        .toList(),
                order);
    }

    private static QueryShare least(List<QueryShare> shares, Comparator<QueryShare> order) {
        return shares.stream().min(order).orElse(null);
    }

    private Turn start(QueryShare share, boolean givesWay) {
        Task task = share.waiting.remove();
        share.running++;
        working.remove(share);
        working.add(share);
        return new Turn(share, task, givesWay);
    }

    /// Counts the time of a turn. Where its task comes back, [#add] follows.
    void ended(Turn turn, long nanos) {
        QueryShare share = turn.share();
        if (share.isFirst()) {
            owedNanos = Math.min(MOST_OWED_NANOS, owedNanos + nanos / (PARTS - 1));
            share.turnNanos = turnNanos;
        }
        share.turnNanos += nanos;
        share.nanos += nanos;
        share.running--;
        if (!share.hasWork()) {
            working.remove(share);
        }
    }
}
