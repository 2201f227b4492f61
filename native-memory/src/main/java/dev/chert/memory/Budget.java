package dev.chert.memory;

import dev.chert.error.ResourceException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/// How many bytes a holder may have and has: a node of the tree engine -> query -> operator.
///
/// A reservation is entered in every node from here up to the engine, or in none. One that does not fit first
/// asks the query's [Spillable]s, largest first, to give memory back; only then it is refused. No lock is held
/// anywhere, so any thread may reserve and release.
public final class Budget {
    private static final long CLOSED = Long.MIN_VALUE;

    /// Ends the asking when holders claim to have spilled and yet nothing fits.
    static final int MAX_SPILL_ROUNDS = 100;

    /// Bound while a thread runs a [Spillable]: what that reserves asks nobody in turn.
    private static final ScopedValue<Spillable> SPILLING = ScopedValue.newInstance();

    private final String name;
    private final Budget parent;
    private final long limit;
    private final Budget query;
    private final List<Spillable> spillables;
    private final AtomicLong reserved = new AtomicLong();
    private final AtomicLong peak = new AtomicLong();

    private Budget(String name, Budget parent, long limit, boolean ofQuery) {
        this.name = name;
        this.parent = parent;
        this.limit = limit;
        this.query = ofQuery || parent == null ? this : parent.query;
        this.spillables = query == this ? new CopyOnWriteArrayList<>() : query.spillables;
    }

    static Budget ofEngine(long limit) {
        return new Budget("engine", null, limit, false);
    }

    /// A child of the engine's budget.
    Budget ofQuery(String name, long limit) {
        return new Budget(name, this, limit, true);
    }

    /// A child of a query's budget; it has no limit of its own.
    Budget ofOperator(String name) {
        return new Budget(name, this, Long.MAX_VALUE, false);
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

    /// Reserves bytes here and in every budget above. May run [Spillable]s of the query.
    /// @throws ResourceException if they do not fit, also after the query has spilled what it can
    /// @throws IllegalStateException if the query is closed
    public void reserve(long bytes) {
        Budget refusing = admit(bytes, null);
        for (int round = 0; refusing != null; round++) {
            long wanted = bytes - (refusing.limit - refusing.reserved()); // 0 or less if others made room meanwhile
            if (bytes > refusing.limit || round == MAX_SPILL_ROUNDS || (wanted > 0 && !spill(wanted))) {
                throw refusal(refusing, bytes);
            }
            refusing = admit(bytes, null);
        }
    }

    /// Reserves bytes if they fit now; asks nobody to spill.
    /// @throws IllegalStateException if the query is closed
    public boolean tryReserve(long bytes) {
        return admit(bytes, null) == null;
    }

    /// Gives reserved bytes back. Does nothing once the query is closed, which gave back all that it had.
    public void release(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(name + " releases " + bytes + " bytes");
        }
        giveBack(bytes, null);
    }

    /// Lets the query ask a holder to spill. Holders are the query's, whichever of its budgets they are
    /// registered with.
    public void addSpillable(Spillable spillable) {
        spillables.add(spillable);
    }

    public void removeSpillable(Spillable spillable) {
        spillables.remove(spillable);
    }

    /// Asks the query's holders, largest first, until about `wanted` bytes came back.
    /// @return whether any did
    boolean spill(long wanted) {
        if (SPILLING.isBound()) {
            return false;
        }
        record Holder(Spillable spillable, long bytes) {}
        List<Holder> largestFirst = spillables.stream()
                .map(spillable -> new Holder(spillable, spillable.spillableBytes()))
                .filter(holder -> holder.bytes > 0)
                .sorted(Comparator.comparingLong(Holder::bytes).reversed())
                .toList();
        long freed = 0;
        for (Holder holder : largestFirst) {
            if (freed >= wanted) {
                break;
            }
            long rest = wanted - freed;
            freed += ScopedValue.where(SPILLING, holder.spillable).call(() -> holder.spillable.spill(rest));
        }
        return freed > 0;
    }

    /// Moves reserved bytes from here to another budget of the same engine; what both have above them stays
    /// untouched.
    /// @throws ResourceException if they do not fit there
    void transfer(long bytes, Budget target) {
        Budget shared = this;
        while (!shared.isAboveOrSame(target)) {
            shared = shared.parent;
        }
        Budget refusing = target.admit(bytes, shared);
        if (refusing != null) {
            throw target.refusal(refusing, bytes);
        }
        giveBack(bytes, shared);
    }

    /// Gives back all that is still reserved here and refuses whatever comes after.
    void close() {
        long rest = reserved.getAndSet(CLOSED);
        if (rest != CLOSED && parent != null) {
            parent.release(rest);
        }
        spillables.clear();
    }

    private ResourceException refusal(Budget refusing, long bytes) {
        String owner = refusing.parent == null ? "the engine's" : refusing.name + "'s";
        return new ResourceException(name + ": needs " + ByteSize.format(bytes) + " more, "
                + ByteSize.formatPart(refusing.reserved(), refusing.limit)
                + " are reserved; raise memory.limit (the limit is " + owner + "; " + holdings() + ")");
    }

    /// Who holds what on the way from here to the engine: `query 7 holds 440 MiB, 300 MiB of it this operator`.
    String holdings() {
        String ofQuery = query.name + " holds " + ByteSize.format(query.reserved());
        return query == this ? ofQuery : ofQuery + ", " + ByteSize.format(reserved()) + " of it this operator";
    }

    /// Enters bytes in every budget from here up to, not including, `end`, or in none.
    /// @return the budget that refused; null if none did
    private Budget admit(long bytes, Budget end) {
        if (bytes < 0) {
            throw new IllegalArgumentException(name + " reserves " + bytes + " bytes");
        }
        Budget refusing = withoutRoom(bytes, end);
        if (refusing == null) {
            refusing = enter(bytes, end);
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
    private Budget withoutRoom(long bytes, Budget end) {
        for (Budget budget = this; budget != end; budget = budget.parent) {
            if (!budget.hasRoom(budget.reserved.get(), bytes)) {
                return budget;
            }
        }
        return null;
    }

    /// From the top down, so that a budget never has more than the one above it, also while a query is being
    /// closed.
    private Budget enter(long bytes, Budget end) {
        if (this == end) {
            return null;
        }
        Budget refusing = parent == end ? null : parent.enter(bytes, end);
        if (refusing == null && !take(bytes)) {
            if (parent != end) {
                parent.giveBack(bytes, end);
            }
            return this;
        }
        return refusing;
    }

    /// Takes bytes back from here up to, not including, `end`. Stops at a closed budget: closing it settled all
    /// above.
    private void giveBack(long bytes, Budget end) {
        Budget budget = this;
        while (budget != end && budget.give(bytes)) {
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

    private boolean isAboveOrSame(Budget other) {
        for (Budget budget = other; budget != null; budget = budget.parent) {
            if (budget == this) {
                return true;
            }
        }
        return false;
    }
}
