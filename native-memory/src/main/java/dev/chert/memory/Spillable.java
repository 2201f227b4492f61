package dev.chert.memory;

/// A holder of memory that can move what it holds to disk when its query runs short.
///
/// Registered with [Budget#addSpillable]. Asked by the thread whose reservation did not fit, which may be any
/// worker of any query and may hold locks of its own operator. So an implementation must not wait for a lock
/// that a worker may hold while it reserves: it tries the lock, and answers 0 where it cannot have it. What it
/// reserves while it spills is granted or refused at once; it never asks others to spill. [GuardedState] does all
/// this.
public interface Spillable {
    /// How many bytes could be given back now; an estimate, asked often, so it must be cheap.
    long spillableBytes();

    /// Moves state to disk and releases its memory. If it throws a [dev.chert.error.ResourceException], since the disk
    /// is full, the state must be as usable as before; another holder is asked then.
    /// @param wantedBytes how much would help; more is welcome, less is better than nothing
    /// @return how many bytes of budget were released, 0 if none
    long spill(long wantedBytes);
}
