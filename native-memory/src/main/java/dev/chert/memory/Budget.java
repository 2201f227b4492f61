package dev.chert.memory;

import dev.chert.error.ResourceException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/// How many bytes a holder may have and has: a node of the tree engine -> query -> operator.
///
/// A reservation is entered in every node from here up to the engine, or in none. One that does not fit first asks the
/// query's [Spillable]s, largest first, to give memory back; only then it is refused. No lock is held anywhere, so any
/// thread may reserve and release.
public final class Budget {
    private static final long CLOSED = Long.MIN_VALUE;

    /// Ends the asking when holders claim to have spilled and yet nothing fits.
    private static final int MAX_SPILL_ROUNDS = 100;

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
        Budget refusing = climb(bytes, null);
        for (int round = 0; refusing != null; round++) {
            long wanted = bytes - Math.max(0, refusing.limit - refusing.reserved());
            if (bytes > refusing.limit || round == MAX_SPILL_ROUNDS || !spill(wanted)) {
                throw refusal(refusing, bytes);
            }
            refusing = climb(bytes, null);
        }
    }

    /// Reserves bytes if they fit now; asks nobody to spill.
    /// @throws IllegalStateException if the query is closed
    public boolean tryReserve(long bytes) {
        return climb(bytes, null) == null;
    }

    /// Gives reserved bytes back. Does nothing once the query is closed, which gave back all that it had.
    public void release(long bytes) {
        descend(bytes, null);
    }

    /// Lets the query ask a holder to spill. Holders are the query's, whichever of its budgets they are registered
    /// with.
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

    /// Moves reserved bytes from here to another budget of the same engine; what both have above them stays untouched.
    /// @throws ResourceException if they do not fit there
    void transfer(long bytes, Budget target) {
        Budget shared = this;
        while (!shared.isAboveOrSame(target)) {
            shared = shared.parent;
        }
        Budget refusing = target.climb(bytes, shared);
        if (refusing != null) {
            throw target.refusal(refusing, bytes);
        }
        descend(bytes, shared);
    }

    /// Gives back all that is still reserved here and refuses whatever comes after.
    void close() {
        long rest = reserved.getAndSet(CLOSED);
        if (rest != CLOSED && parent != null) {
            parent.release(rest);
        }
        spillables.clear();
    }

    /// Words a refusal by `refusing`, which is this budget or one above it.
    private ResourceException refusal(Budget refusing, long bytes) {
        return refusal(
                "needs " + ByteSize.format(bytes) + " more, " + ByteSize.formatPart(refusing.reserved(), refusing.limit)
                        + " are reserved",
                refusing);
    }

    /// Words a refusal: who asked and holds what, and what helps.
    ResourceException refusal(String what, Budget refusing) {
        StringBuilder message =
                new StringBuilder(name).append(": ").append(what).append(" (");
        if (refusing == this) {
            message.append("the limit of ").append(name);
        } else {
            message.append(refusing == query ? "the limit of " + query.name : "the engine's limit");
            if (query != this) {
                if (refusing != query) {
                    message.append("; ").append(query.name).append(" holds ").append(ByteSize.format(query.reserved()));
                }
            }
            message.append("; ").append(name).append(" holds ").append(ByteSize.format(reserved()));
        }
        return new ResourceException(
                message.append("); raise memory.limit or spill.limit").toString());
    }

    /// Enters bytes from here up to, not including, `end`; in all of them or in none.
    /// @return the budget that refused; null if none did
    private Budget climb(long bytes, Budget end) {
        assert bytes >= 0;
        for (Budget budget = this; budget != end; budget = budget.parent) {
            if (!budget.take(bytes)) {
                descend(bytes, budget);
                if (budget.reserved.get() == CLOSED) {
                    throw new IllegalStateException(
                            budget.name + " is closed: " + name + " cannot reserve " + bytes + " bytes in it");
                }
                return budget;
            }
        }
        return null;
    }

    /// Takes bytes back from here up to, not including, `end`. Stops at a closed budget: closing it settled all above.
    private void descend(long bytes, Budget end) {
        Budget budget = this;
        while (budget != end && budget.give(bytes)) {
            budget = budget.parent;
        }
    }

    private boolean take(long bytes) {
        while (true) {
            long now = reserved.get();
            if (now == CLOSED || bytes > limit - now) {
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
