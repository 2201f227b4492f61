package dev.chert.memory;

import dev.chert.error.ResourceException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/// How many bytes a holder may have and has: a node of the tree engine -> query -> operator.
///
/// A reservation is entered in every node from here up to the engine, or in none. One that does not fit first
/// asks the query's [Spillable]s, largest first, to give memory back, then those of other queries that hold more than
/// their fair share; only then it is refused. No lock is held anywhere, so any thread may reserve and release.
///
/// ```
/// 0            soft limit           limit
/// |---------------|-------------------|
///    all is well    tight: holders spill at their next safe point; what a batch in hand needs still fits
/// ```
public final class Budget {
    private static final long CLOSED = Long.MIN_VALUE;

    /// Ends the asking when holders claim to have spilled and yet nothing fits.
    static final int MAX_SPILL_ROUNDS = 100;

    /// A worker that is in its state comes to a safe point after some milliseconds. Much more would delay the end of a
    /// query that was cancelled.
    private static final int MAX_WAITS = 100;

    private static final long WAIT_NANOS = 1_000_000;

    /// Bound while a thread runs a [Spillable]: what that reserves asks nobody in turn.
    private static final ScopedValue<Spillable> SPILLING = ScopedValue.newInstance();

    /// Part of a limit that lies above the soft one, unless the engine's headroom is less.
    private static final int HEADROOM_PART = 4;

    /// What the queries of an engine have in common.
    ///
    /// @param headroom     bytes between its soft limit and its limit, at most
    /// @param spillsAlways whether memory is called tight at all times
    /// @param queries      those that share the memory
    /// @param own          accounts of the engine and of tables, whose memory nobody can spill
    /// @param relaxation   who waits for memory
    private record Shared(
            long headroom, boolean spillsAlways, Set<Budget> queries, Set<Budget> own, Relaxation relaxation) {}

    private final String name;
    private final Budget parent;
    private final long limit;
    private final long softLimit;
    private final Budget query;
    private final Shared shared;
    private final List<Spillable> spillables;
    private final AtomicLong reserved = new AtomicLong();
    private final AtomicLong peak = new AtomicLong();

    /// Of a query: held for reading by threads of other queries that make its holders spill, for writing to wait for
    /// them when it closes.
    private final ReentrantReadWriteLock visits;

    private volatile boolean visitable = true;

    private Budget(String name, Budget parent, long limit, boolean ofQuery, Shared shared) {
        this.name = name;
        this.parent = parent;
        this.limit = limit;
        this.softLimit = limit - Math.min(limit / HEADROOM_PART, shared.headroom);
        this.query = ofQuery || parent == null ? this : parent.query;
        this.shared = shared;
        this.spillables = query == this ? new CopyOnWriteArrayList<>() : query.spillables;
        this.visits = ofQuery ? new ReentrantReadWriteLock() : null;
    }

    static Budget ofEngine(long limit) {
        return ofEngine(limit, Long.MAX_VALUE, false);
    }

    /// @param headroom     bytes between the soft limit and the limit, if they are less than a quarter of it
    /// @param spillsAlways whether memory is called tight at all times
    static Budget ofEngine(long limit, long headroom, boolean spillsAlways) {
        Shared shared = new Shared(
                headroom, spillsAlways, ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet(), new Relaxation());
        return new Budget("engine", null, limit, false, shared);
    }

    /// A child of the engine's budget.
    Budget ofQuery(String name, long limit) {
        Budget budget = new Budget(name, this, limit, true, shared);
        shared.queries.add(budget);
        return budget;
    }

    /// A child of the engine's budget that takes no part in the sharing of memory among queries.
    Budget ofEnginesOwn(String name) {
        Budget budget = new Budget(name, this, Long.MAX_VALUE, true, shared);
        shared.own.add(budget);
        return budget;
    }

    /// A child of a query's budget; it has no limit of its own.
    Budget ofOperator(String name) {
        return new Budget(name, this, Long.MAX_VALUE, false, shared);
    }

    public String name() {
        return name;
    }

    /// Bytes that are reserved here and below; 0 once the query is closed.
    public long reserved() {
        return Math.max(0, reserved.get());
    }

    /// The most bytes that were ever reserved at the same time.
    public long peak() {
        return peak.get();
    }

    /// The most bytes that may be reserved; `Long.MAX_VALUE` where only the budgets above limit it.
    public long limit() {
        return limit;
    }

    /// Whether holders of spillable state should spill at their next safe point: the engine's or the query's
    /// reservations are above the soft limit, or `test.spill` is on. Costs two volatile reads.
    public boolean isTight() {
        return shared.spillsAlways || excess() > 0;
    }

    /// Bytes that may still be reserved here before this query has to spill: up to the soft limit, and to its fair
    /// share. None where `test.spill` is on.
    public long spareBytes() {
        return shared.spillsAlways ? 0 : Math.max(0, Math.min(-excess(), fairShare() - query.reserved()));
    }

    boolean spillsAlways() {
        return shared.spillsAlways;
    }

    /// Whether the reservations here are above the soft limit.
    boolean isOverSoftLimit() {
        return reserved.get() > softLimit;
    }

    /// Bytes above the soft limit, of the query or of the engine; 0 or less if neither is above.
    private long excess() {
        long excess = Long.MIN_VALUE;
        for (Budget budget = query; budget != null; budget = budget.parent) {
            excess = Math.max(excess, budget.reserved.get() - budget.softLimit);
        }
        return excess;
    }

    /// How much a holder of this query should free now, at a safe point; 0 if it is for others to do so.
    ///
    /// Somewhat more than the excess, so that the next batch does not spill again.
    long wantedAtSafePoint() {
        if (shared.spillsAlways) {
            return Long.MAX_VALUE;
        }
        long excess = excess();
        boolean ofQuery = query.isOverSoftLimit();
        return excess > 0 && (ofQuery || query.reserved() > fairShare())
                ? excess + Math.min(limitAbove() / HEADROOM_PART, shared.headroom) / HEADROOM_PART
                : 0;
    }

    /// The lowest limit that applies here.
    private long limitAbove() {
        long lowest = limit;
        for (Budget budget = parent; budget != null; budget = budget.parent) {
            lowest = Math.min(lowest, budget.limit);
        }
        return lowest;
    }

    /// What each query may hold while memory is tight: the engine's soft limit, less what it and its tables hold,
    /// shared by the queries that hold anything.
    private long fairShare() {
        Budget engine = query.parent == null ? query : query.parent;
        long shareable = engine.softLimit;
        for (Budget own : shared.own) {
            shareable -= own.reserved();
        }
        int holding = 0;
        for (Budget other : shared.queries) {
            holding += other.reserved() > 0 ? 1 : 0;
        }
        return Math.max(0, shareable) / Math.max(1, holding);
    }

    /// Runs something when the engine's reservations are at most the soft limit: now, or on the thread that releases,
    /// so it must be short. May run it earlier, when a query ends.
    void whenRelaxed(Runnable waiter) {
        Budget engine = query.parent == null ? query : query.parent;
        shared.relaxation.add(waiter);
        if (!engine.isOverSoftLimit()) {
            shared.relaxation.wakeAll();
        }
    }

    /// Reserves bytes here and in every budget above. May run [Spillable]s, and waits for a moment where others hold
    /// what they may give back: states that a worker is in, or other queries.
    /// @throws ResourceException if they do not fit, also after others have spilled what they can
    /// @throws IllegalStateException if the query is closed
    public void reserve(long bytes) {
        Budget refusing = admit(bytes);
        if (refusing != null) {
            reserveAfterOthers(bytes, refusing);
        }
    }

    private void reserveAfterOthers(long bytes, Budget firstRefusing) {
        Budget refusing = firstRefusing;
        Asking asking = new Asking();
        int waits = 0;
        for (int round = 0; refusing != null; round++) {
            long wanted = bytes - (refusing.limit - refusing.reserved()); // 0 or less if others made room meanwhile
            if (bytes > refusing.limit || round == MAX_SPILL_ROUNDS + MAX_WAITS) {
                throw refusal(refusing, bytes, asking);
            }
            if (wanted > 0 && !spill(wanted, refusing.parent == null, asking)) {
                if (waits == MAX_WAITS || !mayComeBack(refusing)) {
                    throw refusal(refusing, bytes, asking);
                }
                waits++;
                LockSupport.parkNanos(WAIT_NANOS);
            }
            refusing = admit(bytes);
        }
    }

    /// Whether others than the current thread may soon give back what a budget is short of.
    private boolean mayComeBack(Budget refusing) {
        if (SPILLING.isBound()) {
            return false;
        }
        return spillables.stream().anyMatch(holder -> holder.spillableBytes() > 0)
                || (refusing.parent == null && refusing.reserved() > query.reserved());
    }

    /// Reserves bytes if they fit now; asks nobody to spill.
    /// @throws IllegalStateException if the query is closed
    public boolean tryReserve(long bytes) {
        return admit(bytes) == null;
    }

    /// Gives reserved bytes back. Does nothing once the query is closed, which gave back all that it had.
    public void release(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(name + " releases " + bytes + " bytes");
        }
        giveBack(bytes);
    }

    /// Lets the query ask a holder to spill. Holders are the query's, whichever of its budgets they are
    /// registered with.
    public void addSpillable(Spillable spillable) {
        spillables.add(spillable);
    }

    public void removeSpillable(Spillable spillable) {
        spillables.remove(spillable);
    }

    /// What came of asking holders to spill.
    static final class Asking {
        private ResourceException failure;

        /// What kept a holder from spilling; null if nothing did.
        ResourceException failure() {
            return failure;
        }

        /// The end of a message about a refusal.
        String explain() {
            return failure == null ? "" : "; nothing could be spilled: " + failure.getMessage();
        }
    }

    /// Asks the query's holders, largest first, until about `wanted` bytes came back; then those of the queries that
    /// hold more than their fair share, if others can help.
    /// @return whether any did
    boolean spill(long wanted, boolean othersHelp, Asking asking) {
        if (SPILLING.isBound()) {
            return false;
        }
        long freed = query.spillHolders(wanted, asking);
        if (freed >= wanted || !othersHelp) {
            return freed > 0;
        }
        long share = fairShare();
        List<Budget> largestFirst = ranked(shared.queries, Budget::reserved, share);
        for (Budget other : largestFirst) {
            if (freed >= wanted) {
                break;
            }
            if (other != query && other.visits.readLock().tryLock()) {
                try {
                    freed += other.visitable ? other.spillHolders(wanted - freed, asking) : 0;
                } finally {
                    other.visits.readLock().unlock();
                }
            }
        }
        return freed > 0;
    }

    private long spillHolders(long wanted, Asking asking) {
        long freed = 0;
        for (Spillable holder : ranked(spillables, Spillable::spillableBytes, 0)) {
            if (freed >= wanted) {
                break;
            }
            long rest = wanted - freed;
            try {
                freed += whileSpilling(holder, () -> holder.spill(rest));
            } catch (ResourceException e) {
                asking.failure = e; // the state is as it was; another holder may have what is needed
            }
        }
        return freed;
    }

    /// Those with more than `least`, largest first, by sizes that are looked at once.
    private static <T> List<T> ranked(Collection<T> all, ToLongFunction<T> size, long least) {
        record Sized<T>(T value, long bytes) {}
        return all.stream()
                .map(value -> new Sized<>(value, size.applyAsLong(value)))
                .filter(sized -> sized.bytes > least)
                .sorted(Comparator.comparingLong((Sized<T> sized) -> sized.bytes)
                        .reversed())
                .map(Sized::value)
                .toList();
    }

    /// Runs what a holder does to spill: nothing that it reserves makes others spill.
    long whileSpilling(Spillable holder, LongSupplier spilling) {
        return ScopedValue.where(SPILLING, holder).call(spilling::getAsLong);
    }

    /// Lets no other query ask the holders here any more; waits for those that do at the moment.
    void endVisits() {
        visitable = false;
        visits.writeLock().lock();
        visits.writeLock().unlock();
    }

    /// Gives back all that is still reserved here and refuses whatever comes after.
    void close() {
        long rest = reserved.getAndSet(CLOSED);
        if (rest != CLOSED && parent != null) {
            parent.release(rest);
        }
        shared.queries.remove(this);
        shared.own.remove(this);
        spillables.clear();
        shared.relaxation.wakeAll(); // also where memory is still tight: who waits may be the next in turn
    }

    private ResourceException refusal(Budget refusing, long bytes, Asking asking) {
        String owner = refusing.parent == null ? "the engine's" : refusing.name + "'s";
        return ResourceException.ofMemory(
                name + ": needs " + ByteSize.format(bytes) + " more, "
                        + ByteSize.formatPart(refusing.reserved(), refusing.limit)
                        + " are reserved; raise memory.limit (the limit is " + owner + "; " + holdings()
                        + asking.explain() + ")",
                asking.failure());
    }

    /// Who holds what on the way from here to the engine: `query 7 holds 440 MiB, 300 MiB of it this operator`.
    String holdings() {
        String ofQuery = query.name + " holds " + ByteSize.format(query.reserved());
        return query == this ? ofQuery : ofQuery + ", " + ByteSize.format(reserved()) + " of it this operator";
    }

    /// Enters bytes in every budget from here up, or in none.
    /// @return the budget that refused; null if none did
    private Budget admit(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(name + " reserves " + bytes + " bytes");
        }
        Budget refusing = withoutRoom(bytes);
        if (refusing == null) {
            refusing = enter(bytes);
        }
        if (refusing != null && refusing.reserved.get() == CLOSED) {
            throw new IllegalStateException(
                    refusing.name + " is closed: " + name + " cannot reserve " + bytes + " bytes in it");
        }
        return refusing;
    }

    /// Looks before anything is entered, so that a query at its own limit does not take room in the engine, even for
    /// a moment, from the others.
    /// @return the lowest budget that has no room; null if all have
    private Budget withoutRoom(long bytes) {
        for (Budget budget = this; budget != null; budget = budget.parent) {
            if (!budget.hasRoom(budget.reserved.get(), bytes)) {
                return budget;
            }
        }
        return null;
    }

    /// From the top down, so that a budget never has more than the one above it, also while a query is being
    /// closed.
    private Budget enter(long bytes) {
        Budget refusing = parent == null ? null : parent.enter(bytes);
        if (refusing == null && !take(bytes)) {
            if (parent != null) {
                parent.giveBack(bytes);
            }
            return this;
        }
        return refusing;
    }

    /// Takes bytes back from here up. Stops at a closed budget: closing it settled all above.
    private void giveBack(long bytes) {
        Budget budget = this;
        while (budget != null && budget.give(bytes)) {
            budget = budget.parent;
        }
    }

    private boolean hasRoom(long now, long bytes) {
        return now != CLOSED && bytes <= limit - now;
    }

    private boolean take(long bytes) {
        while (true) {
            long now = reserved.get();
            if (!hasRoom(now, bytes)) {
                return false;
            }
            if (reserved.compareAndSet(now, now + bytes)) {
                raisePeak(now + bytes);
                return true;
            }
        }
    }

    private boolean give(long bytes) {
        while (true) {
            long now = reserved.get();
            if (now == CLOSED) {
                return false;
            }
            if (bytes > now) {
                throw new IllegalStateException(
                        name + " gives back " + bytes + " bytes, but " + now + " bytes are reserved");
            }
            if (reserved.compareAndSet(now, now - bytes)) {
                if (parent == null && shared.relaxation.anyWaiting() && now - bytes <= softLimit) {
                    shared.relaxation.wakeAll();
                }
                return true;
            }
        }
    }

    private void raisePeak(long candidate) {
        long now = peak.get();
        while (candidate > now && !peak.compareAndSet(now, candidate)) {
            now = peak.get();
        }
    }
}
