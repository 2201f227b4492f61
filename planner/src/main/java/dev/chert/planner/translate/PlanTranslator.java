package dev.chert.planner.translate;

import dev.chert.batch.DataType;
import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.error.TableException;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.And;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.expression.Expression.Literal;
import dev.chert.expression.SortKey;
import dev.chert.function.aggregate.AggregateFunctions;
import dev.chert.plan.PhysicalPlan;
import dev.chert.plan.PhysicalPlan.HashAggregate;
import dev.chert.plan.PhysicalPlan.Limit;
import dev.chert.plan.PhysicalPlan.Scan;
import dev.chert.plan.PhysicalPlan.TopN;
import dev.chert.plan.PhysicalPlan.UnionAll;
import dev.chert.planner.parse.ParseErrors;
import dev.chert.planner.statistics.Estimate;
import dev.chert.planner.statistics.Estimator;
import dev.chert.planner.types.TypeMapping;
import dev.chert.planner.validate.Operators;
import dev.chert.source.ColumnPredicate;
import dev.chert.source.PredicateUse;
import dev.chert.source.TableSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelFieldCollation.NullDirection;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Intersect;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/// Makes the physical plan of an optimized query, one operator after the other.
public final class PlanTranslator {
    private final RexBuilder rex;
    private final ExpressionTranslator expressions;
    private final JoinTranslator joins;
    private final Estimator estimator = new Estimator();

    public PlanTranslator(RexBuilder rex) {
        this.rex = rex;
        this.expressions = new ExpressionTranslator(rex);
        this.joins = new JoinTranslator(rex, expressions, estimator);
    }

    public PhysicalPlan translate(RelNode rel) {
        Leaf leaf = Leaf.of(rel);
        if (leaf != null) {
            return new Scan(leaf.source, leaf.columns, List.of(), estimatedRows(rel));
        }
        return switch (rel) {
            case Filter filter -> filter(filter);
            case Project project -> project(project);
            case Join join -> joins.translate(join, translate(join.getLeft()), translate(join.getRight()));
            case Aggregate aggregate -> aggregate(aggregate);
            case Sort sort -> sort(sort);
            case Union union -> union(union);
            case Values values -> values(values);
            case Intersect all -> throw new TableException("INTERSECT ALL is not supported");
            case Minus all -> throw new TableException("EXCEPT ALL is not supported");
            default -> throw new TableException("the operation " + rel.getRelTypeName() + " is not supported");
        };
    }

    /// A scan under projections that only choose columns.
    ///
    /// @param columns the source's column of each output column
    private record Leaf(RelNode rel, TableSource source, List<Integer> columns) {
        static Leaf of(RelNode rel) {
            if (rel instanceof TableScan scan) {
                TableSource source = scan.getTable().unwrap(TableSource.class);
                if (source == null) {
                    throw new IllegalStateException("a table without a source: " + scan.getTable());
                }
                return new Leaf(
                        rel,
                        source,
                        IntStream.range(0, source.schema().size()).boxed().toList());
            }
            if (rel instanceof Project project
                    && project.getProjects().stream().allMatch(RexInputRef.class::isInstance)) {
                Leaf input = of(project.getInput());
                return input == null
                        ? null
                        : new Leaf(
                                rel,
                                input.source,
                                project.getProjects().stream()
                                        .map(e -> input.columns.get(((RexInputRef) e).getIndex()))
                                        .toList());
            }
            return null;
        }
    }

    private PhysicalPlan filter(Filter filter) {
        Leaf leaf = Leaf.of(filter.getInput());
        if (leaf != null) {
            return filteredScan(filter, leaf);
        }
        if (filter.getInput() instanceof Join join && join.getJoinType() == JoinRelType.LEFT_MARK) {
            PhysicalPlan anti = antiJoin(filter, join);
            if (anti != null) {
                return anti;
            }
        }
        return filtered(
                translate(filter.getInput()), RelOptUtil.conjunctions(filter.getCondition()), estimatedRows(filter));
    }

    private double estimatedRows(RelNode rel) {
        return estimator.estimate(rel).rows();
    }

    private PhysicalPlan filtered(PhysicalPlan input, List<RexNode> conjuncts, double estimatedRows) {
        if (conjuncts.isEmpty()) {
            return input;
        }
        return new PhysicalPlan.Filter(
                input,
                conjuncts.size() == 1
                        ? expressions.translate(conjuncts.getFirst())
                        : new And(expressions.translate(conjuncts)),
                estimatedRows);
    }

    /// Hands the source what its statistics may answer; what it answers exactly is not asked again.
    private PhysicalPlan filteredScan(Filter filter, Leaf leaf) {
        List<ColumnPredicate> predicates = new ArrayList<>();
        List<RexNode> answered = new ArrayList<>();
        List<RexNode> rest = new ArrayList<>();
        for (RexNode conjunct : RelOptUtil.conjunctions(filter.getCondition())) {
            List<ColumnPredicate> said = Predicates.of(conjunct, leaf.columns);
            boolean exact = !said.isEmpty() && Predicates.isWhole(conjunct);
            for (ColumnPredicate predicate : said) {
                PredicateUse use = leaf.source.use(predicate);
                if (use != PredicateUse.IGNORED) {
                    predicates.add(predicate);
                }
                exact &= use == PredicateUse.EXACT;
            }
            (exact ? answered : rest).add(conjunct);
        }
        Estimate input = estimator.estimate(leaf.rel);
        double scanned = answered.isEmpty()
                ? input.rows()
                : Estimator.filter(input, RexUtil.composeConjunction(rex, answered))
                        .rows();
        Scan scan = new Scan(leaf.source, leaf.columns, predicates, scanned);
        return filtered(scan, rest, estimatedRows(filter));
    }

    /// NOT mark over a mark that may be NULL is a null-aware anti join, whose mark above it is FALSE. Null for other
    /// filters.
    private PhysicalPlan antiJoin(Filter filter, Join join) {
        int mark = join.getRowType().getFieldCount() - 1;
        boolean negated = false;
        List<RexNode> rest = new ArrayList<>();
        for (RexNode conjunct : RelOptUtil.conjunctions(filter.getCondition())) {
            if (conjunct.getKind() == SqlKind.NOT
                    && ((RexCall) conjunct).getOperands().get(0) instanceof RexInputRef reference
                    && reference.getIndex() == mark) {
                negated = true;
            } else if (RelOptUtil.InputFinder.bits(conjunct).get(mark)) {
                return null;
            } else {
                rest.add(conjunct);
            }
        }
        if (!negated) {
            return null;
        }
        PhysicalPlan anti = joins.nullAwareAnti(join, translate(join.getLeft()), translate(join.getRight()));
        List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < mark; i++) {
            columns.add(new InputColumn(i, anti.schema().type(i)));
        }
        columns.add(Literal.FALSE);
        return project(filtered(anti, rest, estimatedRows(filter)), columns, TypeMapping.schema(join.getRowType()));
    }

    private PhysicalPlan project(Project project) {
        return project(
                translate(project.getInput()),
                expressions.translate(project.getProjects()),
                TypeMapping.schema(project.getRowType()));
    }

    /// A projection; of one that only chooses columns and constants, the columns and constants themselves.
    private static PhysicalPlan project(PhysicalPlan input, List<Expression> columns, Schema schema) {
        if (input instanceof PhysicalPlan.Project below
                && below.expressions().stream().allMatch(e -> e instanceof InputColumn || e instanceof Literal)) {
            List<Expression> merged = columns.stream()
                    .map(e -> Columns.replaced(e, c -> below.expressions().get(c.index())))
                    .toList();
            return project(below.input(), merged, schema);
        }
        Set<Integer> used = new TreeSet<>();
        columns.forEach(e -> Columns.collect(e, used));
        PhysicalPlan narrow = ColumnPruning.keep(input, List.copyOf(used));
        if (narrow != null) {
            List<Integer> kept = List.copyOf(used);
            List<Expression> moved = columns.stream()
                    .map(e -> Columns.renumbered(e, kept::indexOf))
                    .toList();
            return project(narrow, moved, schema);
        }
        return isIdentity(columns, input.schema()) && names(schema).equals(names(input.schema()))
                ? input
                : new PhysicalPlan.Project(input, columns, schema);
    }

    private static boolean isIdentity(List<Expression> columns, Schema input) {
        return columns.size() == input.size()
                && IntStream.range(0, columns.size())
                        .allMatch(i -> columns.get(i) instanceof InputColumn column && column.index() == i);
    }

    private static List<String> names(Schema schema) {
        return schema.fields().stream().map(Field::name).toList();
    }

    private PhysicalPlan aggregate(Aggregate aggregate) {
        PhysicalPlan input = translate(aggregate.getInput());
        if (aggregate.getGroupSets().size() == 1) {
            return aggregate(aggregate, input, aggregate.getGroupSet(), TypeMapping.schema(aggregate.getRowType()));
        }
        List<PhysicalPlan> parts = new ArrayList<>();
        Schema schema = TypeMapping.schema(aggregate.getRowType());
        for (ImmutableBitSet set : aggregate.getGroupSets()) {
            parts.add(groupingSet(aggregate, input, set, schema));
        }
        return new UnionAll(parts, schema);
    }

    /// One grouping set: grouped by its keys, with NULL for the others and constants for GROUPING.
    private PhysicalPlan groupingSet(Aggregate aggregate, PhysicalPlan input, ImmutableBitSet set, Schema schema) {
        List<Field> fields = new ArrayList<>();
        List<Expression> output = new ArrayList<>();
        int key = 0;
        for (int column : aggregate.getGroupSet()) {
            Field field = schema.field(key++);
            if (set.get(column)) {
                output.add(new InputColumn(fields.size(), field.type()));
                fields.add(field);
            } else {
                output.add(new Literal(null, field.type()));
            }
        }
        for (AggregateCall call : aggregate.getAggCallList()) {
            Field field = schema.field(output.size());
            if (call.getAggregation().getKind() == SqlKind.GROUPING) {
                output.add(new Literal(grouping(call.getArgList(), set), field.type()));
            } else {
                output.add(new InputColumn(fields.size(), field.type()));
                fields.add(field);
            }
        }
        return new PhysicalPlan.Project(aggregate(aggregate, input, set, new Schema(fields)), output, schema);
    }

    /// A bit for each argument, the last one lowest: 1 where it is not grouped by.
    private static long grouping(List<Integer> arguments, ImmutableBitSet set) {
        long bits = 0;
        for (int argument : arguments) {
            bits = bits << 1 | (set.get(argument) ? 0 : 1);
        }
        return bits;
    }

    private PhysicalPlan aggregate(Aggregate aggregate, PhysicalPlan input, ImmutableBitSet keys, Schema schema) {
        List<Expression> keyColumns = new ArrayList<>();
        for (int key : keys) {
            keyColumns.add(column(input, key));
        }
        List<dev.chert.expression.AggregateCall> calls = new ArrayList<>();
        for (AggregateCall call : aggregate.getAggCallList()) {
            if (call.getAggregation().getKind() != SqlKind.GROUPING) {
                calls.add(call(call, input));
            } else if (aggregate.getGroupSets().size() == 1) {
                throw new TableException("GROUPING without several grouping sets is not supported");
            }
        }
        double groups = Estimator.groups(estimator.estimate(aggregate.getInput()), keys);
        return narrowed(new HashAggregate(input, keyColumns, calls, schema, groups));
    }

    /// The aggregate over an input without the columns that it does not use: COUNT(*) uses none.
    private static PhysicalPlan narrowed(HashAggregate aggregate) {
        Set<Integer> used = new TreeSet<>();
        aggregate.keys().forEach(e -> Columns.collect(e, used));
        for (dev.chert.expression.AggregateCall call : aggregate.aggregates()) {
            call.arguments().forEach(e -> Columns.collect(e, used));
            if (call.filter() != null) {
                Columns.collect(call.filter(), used);
            }
        }
        List<Integer> kept = List.copyOf(used);
        PhysicalPlan narrow = ColumnPruning.keep(aggregate.input(), kept);
        if (narrow == null) {
            return aggregate;
        }
        return new HashAggregate(
                narrow,
                aggregate.keys().stream()
                        .map(e -> Columns.renumbered(e, kept::indexOf))
                        .toList(),
                aggregate.aggregates().stream()
                        .map(call -> new dev.chert.expression.AggregateCall(
                                call.function(),
                                call.arguments().stream()
                                        .map(e -> Columns.renumbered(e, kept::indexOf))
                                        .toList(),
                                call.distinct(),
                                call.filter() == null ? null : Columns.renumbered(call.filter(), kept::indexOf),
                                call.type(),
                                call.position()))
                        .toList(),
                aggregate.schema(),
                aggregate.estimatedRows());
    }

    private static InputColumn column(PhysicalPlan input, int index) {
        return new InputColumn(index, input.schema().type(index));
    }

    private static dev.chert.expression.AggregateCall call(AggregateCall call, PhysicalPlan input) {
        String name = Operators.name(call.getAggregation());
        if (name == null
                || call.ignoreNulls()
                || call.distinctKeys != null
                || !call.getCollation().getFieldCollations().isEmpty()) {
            throw new TableException(
                    "the aggregate " + call + " is not supported", ParseErrors.position(call.getParserPosition()));
        }
        boolean distinctMatters =
                call.isDistinct() && !AggregateFunctions.find(name).ignoresDistinct();
        return new dev.chert.expression.AggregateCall(
                name,
                call.getArgList().stream()
                        .map(i -> (Expression) column(input, i))
                        .toList(),
                distinctMatters,
                call.hasFilter() ? column(input, call.filterArg) : null,
                TypeMapping.dataType(call.getType()),
                ParseErrors.position(call.getParserPosition()));
    }

    private PhysicalPlan sort(Sort sort) {
        PhysicalPlan input = translate(sort.getInput());
        long offset = sort.offset == null ? 0 : count(sort.offset, "OFFSET");
        long fetch = sort.fetch == null ? Long.MAX_VALUE : count(sort.fetch, "LIMIT");
        List<SortKey> keys = new ArrayList<>();
        for (RelFieldCollation field : sort.getCollation().getFieldCollations()) {
            keys.add(new SortKey(
                    column(input, field.getFieldIndex()),
                    !field.getDirection().isDescending(),
                    field.nullDirection == NullDirection.FIRST));
        }
        if (keys.isEmpty()) {
            return offset == 0 && fetch == Long.MAX_VALUE ? input : new Limit(input, offset, fetch);
        }
        if (fetch != Long.MAX_VALUE) {
            return new TopN(input, keys, offset, fetch);
        }
        PhysicalPlan sorted = new PhysicalPlan.Sort(input, keys);
        return offset == 0 ? sorted : new Limit(sorted, offset, fetch);
    }

    private static long count(RexNode node, String what) {
        if (node instanceof RexLiteral literal) {
            return literal.getValueAs(Long.class);
        }
        throw new TableException(what + " must be a number");
    }

    private PhysicalPlan union(Union union) {
        if (!union.all) {
            throw new IllegalStateException("UNION is an aggregate over UNION ALL by now");
        }
        Schema schema = TypeMapping.schema(union.getRowType());
        return new UnionAll(
                union.getInputs().stream()
                        .map(input -> cast(translate(input), schema))
                        .toList(),
                schema);
    }

    /// The same columns, each of the type that the schema wants, under its name.
    public static PhysicalPlan cast(PhysicalPlan input, Schema schema) {
        List<Expression> columns = new ArrayList<>();
        boolean same = true;
        for (int i = 0; i < schema.size(); i++) {
            InputColumn column = column(input, i);
            DataType wanted = schema.type(i);
            same &= column.type().equals(wanted);
            columns.add(column.type().equals(wanted) ? column : FunctionCalls.cast(column, wanted, false, null));
        }
        return same ? input : project(input, columns, schema);
    }

    private static PhysicalPlan values(Values values) {
        Schema schema = TypeMapping.schema(values.getRowType());
        List<List<Literal>> rows = new ArrayList<>();
        for (List<RexLiteral> tuple : values.getTuples()) {
            List<Literal> row = new ArrayList<>();
            for (int i = 0; i < tuple.size(); i++) {
                DataType type = schema.type(i);
                row.add(
                        tuple.get(i).isNull() || type.equals(ScalarType.NULL)
                                ? new Literal(null, type)
                                : Literals.of(tuple.get(i), type));
            }
            rows.add(row);
        }
        return new PhysicalPlan.Values(schema, rows);
    }
}
