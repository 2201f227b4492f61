package dev.chert.planner;

import dev.chert.plan.PhysicalPlan;

/// A physical plan as text: one operator a line, inputs below and further right.
public final class PlanText {
    private PlanText() {}

    /// The operators alone.
    public static String of(PhysicalPlan plan) {
        return text(plan, false);
    }

    /// The operators, each with the rows that the planner expects of it, as EXPLAIN prints them: `Filter … (~20 rows)`.
    public static String withEstimates(PhysicalPlan plan) {
        return text(plan, true);
    }

    private static String text(PhysicalPlan plan, boolean estimates) {
        StringBuilder text = new StringBuilder();
        append(plan, 0, estimates, text);
        return text.toString();
    }

    private static void append(PhysicalPlan plan, int depth, boolean estimates, StringBuilder text) {
        text.append("  ".repeat(depth)).append(plan.describe());
        if (estimates && !Double.isNaN(plan.estimatedRows())) {
            text.append("  (~").append(Math.round(plan.estimatedRows())).append(" rows)");
        }
        text.append('\n');
        plan.inputs().forEach(input -> append(input, depth + 1, estimates, text));
    }
}
