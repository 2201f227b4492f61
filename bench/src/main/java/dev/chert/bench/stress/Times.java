package dev.chert.bench.stress;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Measured times, to be asked for their percentiles. Thread-safe.
final class Times {
    private final List<Long> nanos = new ArrayList<>();

    synchronized void add(long measured) {
        nanos.add(measured);
    }

    synchronized int count() {
        return nanos.size();
    }

    /// Milliseconds that this part of the times did not exceed; 0 where there are none.
    ///
    /// @param part 0.5 for the median, 1 for the maximum
    synchronized double millis(double part) {
        if (nanos.isEmpty()) {
            return 0;
        }
        List<Long> sorted = new ArrayList<>(nanos);
        Collections.sort(sorted);
        int index = (int) Math.ceil(part * sorted.size()) - 1;
        return sorted.get(Math.clamp(index, 0, sorted.size() - 1)) / 1e6;
    }
}
