package dev.chert.planner;

import dev.chert.plan.PhysicalPlan;

/// A physical plan as EXPLAIN prints it: one operator a line, inputs below and further right.
public final class PlanText {
    private PlanText() {}

    public static String of(PhysicalPlan plan) {
        StringBuilder text = new StringBuilder();
        append(plan, 0, text);
        return text.toString();
    }

    private static void append(PhysicalPlan plan, int depth, StringBuilder text) {
        text.append("  ".repeat(depth)).append(plan.describe()).append('\n');
        plan.inputs().forEach(input -> append(input, depth + 1, text));
    }
}
