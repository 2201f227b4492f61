package dev.chert.table;

import dev.chert.pipeline.OperatorMetrics;
import dev.chert.plan.PhysicalPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A plan with what its operators did, as EXPLAIN ANALYZE prints it: one operator a line.
final class MetricsText {
    private static final double NANOS_A_MILLI = 1e6;

    private MetricsText() {}

    static List<String> lines(PhysicalPlan plan, OperatorMetrics metrics) {
        List<String> lines = new ArrayList<>();
        append(plan, metrics, 1, lines);
        return lines;
    }

    private static void append(PhysicalPlan plan, OperatorMetrics metrics, int depth, List<String> lines) {
        lines.add(String.format(
                Locale.ROOT,
                "%s%s  (%d rows, %d batches, %.2f ms)",
                "  ".repeat(depth),
                plan.describe(),
                metrics.rows(),
                metrics.batches(),
                metrics.nanos() / NANOS_A_MILLI));
        for (int i = 0; i < plan.inputs().size(); i++) {
            append(plan.inputs().get(i), metrics.inputs().get(i), depth + 1, lines);
        }
    }
}
