package dev.chert.planner.translate;

import dev.chert.expression.Expression;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.plan.PhysicalPlan;
import dev.chert.plan.PhysicalPlan.Filter;
import dev.chert.plan.PhysicalPlan.Project;
import dev.chert.plan.PhysicalPlan.Scan;
import java.util.List;
import java.util.TreeSet;

/// Takes columns that nobody above uses out of scans, and of the projections and filters over them.
///
/// Calcite trims fields by projections that it then merges with those above, so what a scan need not read is only seen
/// here.
final class ColumnPruning {
    private ColumnPruning() {}

    /// The plan with these columns of its output alone, in this order, or null where that would not spare anything.
    ///
    /// @param columns ascending
    static PhysicalPlan keep(PhysicalPlan plan, List<Integer> columns) {
        if (columns.size() == plan.schema().size()) {
            return null;
        }
        return switch (plan) {
            case Scan scan ->
                new Scan(
                        scan.source(),
                        columns.stream().map(scan.columns()::get).toList(),
                        scan.predicates(),
                        scan.estimatedRows());
            case Project project -> project(project, columns);
            case Filter filter -> filter(filter, columns);
            default -> null;
        };
    }

    private static PhysicalPlan project(Project project, List<Integer> columns) {
        List<Expression> expressions =
                columns.stream().map(project.expressions()::get).toList();
        TreeSet<Integer> used = new TreeSet<>();
        expressions.forEach(e -> Columns.collect(e, used));
        List<Integer> kept = List.copyOf(used);
        PhysicalPlan input = keep(project.input(), kept);
        if (input == null) {
            return new Project(project.input(), expressions, project.schema().select(columns));
        }
        if (expressions.isEmpty()) {
            return input;
        }
        return new Project(
                input,
                expressions.stream()
                        .map(e -> Columns.renumbered(e, kept::indexOf))
                        .toList(),
                project.schema().select(columns));
    }

    /// A filter needs its own columns too; those that only it uses are dropped above it.
    private static PhysicalPlan filter(Filter filter, List<Integer> columns) {
        TreeSet<Integer> used = new TreeSet<>(columns);
        Columns.collect(filter.predicate(), used);
        List<Integer> kept = List.copyOf(used);
        PhysicalPlan input = keep(filter.input(), kept);
        if (input == null) {
            return null;
        }
        Filter narrow =
                new Filter(input, Columns.renumbered(filter.predicate(), kept::indexOf), filter.estimatedRows());
        if (kept.size() == columns.size()) {
            return narrow;
        }
        List<Expression> output = columns.stream()
                .map(c -> (Expression)
                        new InputColumn(kept.indexOf(c), filter.schema().type(c)))
                .toList();
        return new Project(narrow, output, filter.schema().select(columns));
    }
}
