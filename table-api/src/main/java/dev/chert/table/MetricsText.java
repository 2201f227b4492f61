package dev.chert.table;

import dev.chert.memory.ByteSize;
import dev.chert.operator.scan.ScanMetrics;
import dev.chert.pipeline.OperatorMetrics;
import dev.chert.pipeline.QueryMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What a query did, as EXPLAIN ANALYZE prints it: a table with a line for each node of the plan, then the whole query.
///
/// The figures stand before the tree, so that they stay in columns however long the node's text is.
final class MetricsText {
    private static final double NANOS_A_MILLI = 1e6;
    private static final String LINE = "%12s %12s %8s %12s %6s %11s %11s  %s";

    private MetricsText() {}

    static List<String> lines(QueryMetrics metrics) {
        List<String> lines = new ArrayList<>();
        lines.add(LINE.formatted("rows", "(estimated)", "batches", "time", "share", "memory", "spilled", "operator"));
        append(metrics.top(), metrics, 0, lines);
        lines.add("whole query: %s, planning %s, memory %s, spilled %s"
                .formatted(
                        milliseconds(metrics.elapsed()),
                        milliseconds(metrics.planningTime()),
                        ByteSize.format(metrics.memoryPeakBytes()),
                        ByteSize.format(metrics.spilledBytes())));
        return lines;
    }

    private static void append(OperatorMetrics node, QueryMetrics query, int depth, List<String> lines) {
        double estimate = node.estimatedRows();
        lines.add(LINE.formatted(
                node.rows(),
                Double.isNaN(estimate) ? "" : "(" + Math.round(estimate) + ")",
                node.batches(),
                milliseconds(node.ownTime()),
                Math.round(query.timeShare(node) * 100) + " %",
                ByteSize.format(node.memoryPeakBytes()),
                ByteSize.format(node.spilledBytes()),
                "  ".repeat(depth) + operator(node)));
        node.inputs().forEach(input -> append(input, query, depth + 1, lines));
    }

    /// The node as EXPLAIN shows it, with the number that messages name it by, and what was read of a source.
    private static String operator(OperatorMetrics node) {
        String detail = node.detail();
        int kind = detail.indexOf(' ');
        String numbered = node.name() + (kind < 0 ? "" : detail.substring(kind));
        return numbered + node.scan().map(MetricsText::reading).orElse("");
    }

    private static String reading(ScanMetrics scan) {
        String splits =
                " splits=%d of %d pruned=%d".formatted(scan.readSplits(), scan.totalSplits(), scan.prunedSplits());
        return scan.bytesRead() == 0
                ? splits
                : splits + " pages=" + scan.pagesRead() + " read=" + ByteSize.format(scan.bytesRead());
    }

    private static String milliseconds(Duration time) {
        return String.format(Locale.ROOT, "%.2f ms", time.toNanos() / NANOS_A_MILLI);
    }
}
