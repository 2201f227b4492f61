package dev.chert.memory;

/// Spreads threads over the parts of a structure that is split so that they seldom meet. Which part a thread has is a
/// matter of speed only.
final class PerThread {
    /// How many parts such a structure has: a power of two, as many as there are cores, at most 16.
    static final int PARTS =
            Integer.highestOneBit(Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 16));

    private PerThread() {}

    /// The current thread's part for `step` 0; all the others for steps 1 to `PARTS - 1`.
    static int part(int step) {
        return (int) (Thread.currentThread().threadId() + step) & PARTS - 1;
    }
}
