package dev.chert.bench.run;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The table of a side-by-side run, printed as it grows, and its closing lines.
public final class Report {
    private final PrintStream out;
    private final String suite;
    private final List<String> engines;
    private final List<SideBySide.Outcome> outcomes = new ArrayList<>();

    /// @param suite   the name in the closing lines
    /// @param engines column heads; ratios are of the first to each of the others
    public Report(PrintStream out, String suite, List<String> engines) {
        this.out = out;
        this.suite = suite;
        this.engines = List.copyOf(engines);
    }

    public void header() {
        StringBuilder line = new StringBuilder("%-8s %8s".formatted("query", "rows"));
        for (String engine : engines) {
            line.append("%14s".formatted(engine + " ms"));
        }
        for (String other : others()) {
            line.append("%16s".formatted(engines.getFirst() + "/" + other));
        }
        out.println(line.append("  checked against"));
    }

    public void add(SideBySide.Outcome outcome) {
        outcomes.add(outcome);
        if (!outcome.agreed()) {
            out.println("%-8s DIFFERS".formatted(outcome.query()));
            outcome.complaints().forEach(complaint -> out.println("         " + complaint));
            return;
        }
        StringBuilder line = new StringBuilder("%-8s %8d".formatted(outcome.query(), outcome.rows()));
        for (double median : outcome.medians()) {
            line.append(String.format(Locale.ROOT, "%14.1f", median));
        }
        for (int other = 1; other < engines.size(); other++) {
            line.append(String.format(Locale.ROOT, "%16.2f", outcome.medians()[0] / outcome.medians()[other]));
        }
        out.println(line.append("  ").append(checkedAgainst(outcome)));
    }

    private String checkedAgainst(SideBySide.Outcome outcome) {
        if (outcome.published()) {
            return "published answer";
        }
        return engines.size() > 1 ? "each other" : "nothing";
    }

    /// Prints the closing lines.
    /// @return whether all engines agreed on all queries
    public boolean close() {
        List<SideBySide.Outcome> agreed =
                outcomes.stream().filter(SideBySide.Outcome::agreed).toList();
        StringBuilder sums = new StringBuilder("%-8s %8s".formatted("sum", ""));
        for (int i = 0; i < engines.size(); i++) {
            int engine = i;
            sums.append(String.format(
                    Locale.ROOT,
                    "%14.1f",
                    agreed.stream()
                            .mapToDouble(outcome -> outcome.medians()[engine])
                            .sum()));
        }
        out.println(sums);
        out.println("%d of %d queries agree".formatted(agreed.size(), outcomes.size()));
        for (int other = 1; other < engines.size(); other++) {
            out.println(String.format(
                    Locale.ROOT,
                    "geomean %s %s/%s %.2f",
                    suite,
                    engines.getFirst(),
                    engines.get(other),
                    geometricMean(agreed, other)));
        }
        return agreed.size() == outcomes.size();
    }

    private static double geometricMean(List<SideBySide.Outcome> agreed, int other) {
        double logarithms = agreed.stream()
                .mapToDouble(outcome -> Math.log(outcome.medians()[0] / outcome.medians()[other]))
                .average()
                .orElse(Double.NaN);
        return Math.exp(logarithms);
    }

    private List<String> others() {
        return engines.subList(1, engines.size());
    }
}
