package dev.chert.pipeline;

/// Work of a query that is done a time slice at a time, by any thread.
interface Task {
    /// Works until it is done, has to wait, or `slice` is over; must not wait itself, but come back.
    void run(TimeSlice slice);
}
