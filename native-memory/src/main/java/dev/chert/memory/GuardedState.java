package dev.chert.memory;

import dev.chert.error.QueryCancelledException;
import dev.chert.error.ResourceException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// State that one thread at a time works on and that others may ask to spill.
///
/// ```java
/// state.work(() -> {          // a safe point: spills here if memory is tight
///     ... takes one batch ... // only allocates: the headroom above the soft limit is there for that
/// });
/// ```
///
/// A thread whose reservation was refused asks states that nobody is in: it tries the lock, and never waits for it. A
/// state that such work broke off in, since it was itself refused memory, is asked no more: it may be half written,
/// and the query that it belongs to has failed.
public abstract class GuardedState implements Spillable {
    /// What is less is not worth a write, unless `test.spill` is on.
    private static final long LEAST_BYTES = 256 << 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Budget budget;
    private boolean registered; // guarded by lock
    private volatile boolean broken;

    /// @param allocator that of the operator whose state this is
    protected GuardedState(Allocator allocator) {
        this.budget = allocator.budget();
    }

    /// Lets others ask this state to spill.
    public final void register() {
        setRegistered(true);
        budget.addSpillable(this);
    }

    /// Ends the asking: whoever spills this state at the moment has finished when this returns, and nobody else begins.
    public final void unregister() {
        budget.removeSpillable(this);
        setRegistered(false);
    }

    private void setRegistered(boolean value) {
        lock.lock();
        try {
            registered = value;
        } finally {
            lock.unlock();
        }
    }

    /// Works on the state, after it has spilled if memory is tight. Waits while another thread is in. What ends by an
    /// exception may leave the state half written: it never spills again.
    /// @throws dev.chert.error.ResourceException if it had to spill and the disk is full; nothing was done then
    public final void work(Runnable work) {
        workFor(() -> {
            work.run();
            return null;
        });
    }

    /// As [#work].
    /// @return what the work has as its result
    public final <T> T workFor(Supplier<T> work) {
        enter();
        boolean whole = false;
        try {
            T result = work.get();
            whole = true;
            return result;
        } finally {
            broken |= !whole;
            leave();
        }
    }

    /// Begins to work on the state where that cannot be left half done by an exception, to be ended by [#leave] in any
    /// case. The state has spilled before if memory is tight. Waits while another thread is in.
    /// @throws dev.chert.error.ResourceException if it had to spill and the disk is full; nobody is in then
    public final void enter() {
        assert !lock.isHeldByCurrentThread() : "entered twice";
        lock.lock();
        boolean entered = false;
        try {
            safePoint();
            entered = true;
        } finally {
            if (!entered) {
                lock.unlock();
            }
        }
    }

    /// Ends what [#enter] began.
    public final void leave() {
        lock.unlock();
    }

    /// Spills if memory is tight, the query holds more than its fair share and enough would come back; not where the
    /// write itself is refused memory, since nothing forces it now. For long work between [#enter] and [#leave], such
    /// as a merge, at moments when the state may change under it.
    /// @throws dev.chert.error.ResourceException if the disk is full or fails; all state is still there
    public final void safePoint() {
        assert lock.isHeldByCurrentThread();
        if (broken || !budget.isTight()) {
            return;
        }
        long wanted = budget.wantedAtSafePoint();
        long held = wanted > 0 ? heldBytes() : 0;
        if (held >= (budget.spillsAlways() ? 1 : LEAST_BYTES)) {
            budget.whileSpilling(this, () -> releaseIfPossible(Math.max(wanted, LEAST_BYTES)));
        }
    }

    /// Without memory for the write, the work goes on as if memory were not tight: what it needs may fit all the same.
    private long releaseIfPossible(long wantedBytes) {
        try {
            return release(wantedBytes);
        } catch (ResourceException e) {
            if (e.isOfMemory()) {
                return 0; // all state is still there
            }
            throw e;
        }
    }

    @Override
    public final long spillableBytes() {
        return broken ? 0 : heldBytes();
    }

    @Override
    public final long spill(long wantedBytes) {
        if (lock.isHeldByCurrentThread() || !lock.tryLock()) {
            return 0; // in the middle of a batch
        }
        try {
            return registered && spillableBytes() > 0
                    ? release(wantedBytes)
                    : 0; // may have left since the asker looked
        } catch (QueryCancelledException _) {
            return 0; // its query's matter, and no error to the asker, which may be another query
        } finally {
            lock.unlock();
        }
    }

    /// How many bytes [#release] could free; an estimate. Called by any thread at any time, so it must be cheap and
    /// read nothing that only the lock makes safe to read.
    protected abstract long heldBytes();

    /// Writes state out and frees its memory. Called with the lock held, while nobody works on the state. What it
    /// reserves is granted or refused at once. If it throws, all state must still be there, in memory or on disk.
    /// @param wantedBytes how much would help; more is welcome
    /// @return            bytes that came back
    /// @throws QueryCancelledException if its query was cancelled; that is told to nobody else who asks
    protected abstract long release(long wantedBytes);
}
