package dev.chert.bench.stress;

import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicInteger;

/// What went against a promise: counted all, the first ones printed. Thread-safe.
final class Complaints {
    private static final int PRINTED = 20;

    private final PrintStream out;
    private final AtomicInteger count = new AtomicInteger();

    Complaints(PrintStream out) {
        this.out = out;
    }

    void add(String complaint) {
        if (count.incrementAndGet() <= PRINTED) {
            out.println("WRONG  " + complaint);
        }
    }

    int count() {
        return count.get();
    }
}
