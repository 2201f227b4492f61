package dev.chert.bench.run;

import dev.chert.bench.engine.Answer;
import dev.chert.bench.engine.EngineProcess;
import dev.chert.bench.result.PublishedAnswer;
import dev.chert.bench.result.QueryResult;
import dev.chert.bench.result.ResultComparison;
import dev.chert.bench.suite.Query;
import dev.chert.bench.suite.Suite;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Runs queries on several engines in turn, so that what else the machine does meets all of them alike.
///
/// The first round of a query brings its rows, which are compared with the published answer and with the first
/// engine's; it and the other warm-up rounds are not counted. In every second round the engines go in the opposite
/// order.
public final class SideBySide {
    private final Suite suite;
    private final List<EngineProcess> engines;
    private final int warmUps;
    private final int runs;

    /// @param engines stay the caller's
    /// @param warmUps rounds that are not counted, at least 1
    /// @param runs    rounds that are counted, at least 1
    public SideBySide(Suite suite, List<EngineProcess> engines, int warmUps, int runs) {
        this.suite = suite;
        this.engines = List.copyOf(engines);
        this.warmUps = warmUps;
        this.runs = runs;
    }

    /// @throws IOException if an engine's JVM ends
    public Outcome run(Query query) throws IOException {
        Optional<PublishedAnswer> published = suite.answer(query);
        List<String> complaints = new ArrayList<>();
        QueryResult reference = null;
        for (EngineProcess engine : engines) {
            switch (engine.fetch(query.sql())) {
                case Answer.Failure(String reason) -> complaints.add(engine.label() + ": " + reason);
                case Answer.Rows(long _, QueryResult result) -> {
                    published
                            .flatMap(answer -> ResultComparison.difference(answer, result))
                            .ifPresent(difference -> complaints.add(
                                    "%s departs from the published answer: %s".formatted(engine.label(), difference)));
                    if (reference == null) {
                        reference = result;
                    } else {
                        ResultComparison.difference(reference, result)
                                .ifPresent(difference -> complaints.add("%s departs from %s: %s"
                                        .formatted(
                                                engine.label(),
                                                engines.getFirst().label(),
                                                difference)));
                    }
                }
            }
        }
        int rows = reference == null ? 0 : reference.rows().size();
        double[] medians = complaints.isEmpty() ? medians(query) : new double[0];
        return new Outcome(query.name(), rows, published.isPresent(), medians, complaints);
    }

    private double[] medians(Query query) throws IOException {
        double[][] millis = new double[engines.size()][runs];
        for (int round = 1; round < warmUps + runs; round++) { // round 0 was the comparison
            for (int turn = 0; turn < engines.size(); turn++) {
                int engine = round % 2 == 0 ? turn : engines.size() - 1 - turn;
                double taken = millis(query, engines.get(engine));
                if (round >= warmUps) {
                    millis[engine][round - warmUps] = taken;
                }
            }
        }
        return Arrays.stream(millis).mapToDouble(SideBySide::median).toArray();
    }

    private static double millis(Query query, EngineProcess engine) throws IOException {
        return switch (engine.time(query.sql())) {
            case Answer.Rows(long nanos, var _) -> nanos / 1e6;
            case Answer.Failure(String reason) ->
                throw new IOException(
                        "%s ran %s before and now fails: %s".formatted(engine.label(), query.name(), reason));
        };
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /// What came of one query.
    ///
    /// @param published  whether there was a published answer to compare with
    /// @param medians    milliseconds by engine, empty where the engines do not agree
    /// @param complaints failures and differences, one line each
    public record Outcome(String query, int rows, boolean published, double[] medians, List<String> complaints) {
        public boolean agreed() {
            return complaints.isEmpty();
        }
    }
}
