package dev.chert.bench.run;

import dev.chert.memory.ByteSize;
import java.io.PrintStream;
import java.util.Locale;
import java.util.OptionalLong;

/// What a memory limit may cost: each query's time against the unlimited engine's, and the peak of the whole JVM.
///
/// The limited engine is the first of a run. Its JVM has a small heap, so that what it holds beside the limit is heap,
/// code and metadata of a known size.
final class LimitCheck {
    static final String LABEL = "limited";
    static final String HEAP_OPTION = "-Xmx256m";

    private static final double MOST_TIMES = 4;
    private static final long MOST_BESIDE_LIMIT = 500L << 20;

    private final long limitBytes;
    private final int unlimited;
    private double worst;
    private String worstQuery = "no query";

    /// @param unlimited the unlimited engine's number in the run
    LimitCheck(long limitBytes, int unlimited) {
        this.limitBytes = limitBytes;
        this.unlimited = unlimited;
    }

    void add(SideBySide.Outcome outcome) {
        if (outcome.agreed()) {
            double ratio = outcome.medians()[0] / outcome.medians()[unlimited];
            if (ratio > worst) {
                worst = ratio;
                worstQuery = outcome.query();
            }
        }
    }

    /// Prints both figures.
    /// @param peakResident of the limited engine's JVM; empty where the system does not tell, which passes
    /// @return whether both are what they may be
    boolean close(OptionalLong peakResident, PrintStream out) {
        out.println(String.format(
                Locale.ROOT,
                "slowest under the limit: %s, %.2f times the unlimited time (at most %.0f)",
                worstQuery,
                worst,
                MOST_TIMES));
        if (peakResident.isEmpty()) {
            out.println("peak of the limited JVM: this system does not tell");
            return worst <= MOST_TIMES;
        }
        long peak = peakResident.getAsLong();
        out.println("peak of the limited JVM: %s, the limit %s %s (at most %s)"
                .formatted(
                        ByteSize.format(peak),
                        peak < limitBytes ? "less" : "and",
                        ByteSize.format(Math.abs(peak - limitBytes)),
                        ByteSize.format(MOST_BESIDE_LIMIT)));
        return worst <= MOST_TIMES && peak <= limitBytes + MOST_BESIDE_LIMIT;
    }
}
