package dev.chert.planner;

import dev.chert.batch.DataType;
import dev.chert.batch.Field;
import dev.chert.batch.Schema;
import dev.chert.error.TableException;
import dev.chert.error.ValidationException;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.expression.Expression.Literal;
import dev.chert.plan.PhysicalPlan;
import dev.chert.planner.catalog.Catalog;
import dev.chert.planner.catalog.FileTables;
import dev.chert.planner.parse.ParseErrors;
import dev.chert.planner.parse.SqlText;
import dev.chert.planner.parse.Statement;
import dev.chert.planner.parse.StatementParser;
import dev.chert.planner.translate.PlanTranslator;
import dev.chert.planner.types.TypeMapping;
import dev.chert.planner.validate.Conformance;
import dev.chert.query.NearestName;
import dev.chert.query.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;

/// Plans statements. Thread-safe: what a statement needs lives as long as its planning.
public final class Planner {
    private final Catalog catalog;
    private final FileTables files;
    private final StatementParser parser = new StatementParser(Conformance.INSTANCE);

    /// @param files null where paths are no tables
    public Planner(Catalog catalog, FileTables files) {
        this.catalog = catalog;
        this.files = files;
    }

    /// Plans one statement; nothing is changed yet.
    ///
    /// @throws ValidationException where the statement is wrong, with its place
    /// @throws TableException      where it asks for what there is not
    public Planned plan(SqlText sql, Settings settings) {
        Statement statement = parser.parse(sql);
        return new Run(sql, settings).plan(statement);
    }

    /// One statement on its way.
    private final class Run {
        private final SqlText sql;
        private final RelPlanner relations;

        Run(SqlText sql, Settings settings) {
            this.sql = sql;
            this.relations = new RelPlanner(catalog, files, settings);
        }

        Planned plan(Statement statement) {
            return switch (statement) {
                case Statement.Query query ->
                    new Planned.Query(optimized(query.query()).plan());
                case Statement.Explain explain -> explain(explain);
                case Statement.Describe describe -> new Planned.Describe(schema(describe.what()));
                case Statement.ShowTables _ -> new Planned.ShowTables();
                case Statement.SetOption set -> new Planned.SetOption(set.key(), set.value());
                case Statement.ResetOption reset -> new Planned.ResetOption(reset.key());
                case Statement.CreateTable create -> createTable(create);
                case Statement.Insert insert -> insert(insert.insert());
                case Statement.DropTable drop -> new Planned.DropTable(name(drop.name()), drop.ifExists());
                case Statement.CreateView create -> createView(create);
                case Statement.DropView drop -> new Planned.DropView(name(drop.name()), drop.ifExists());
                case Statement.Unsupported unsupported ->
                    throw new TableException(
                            unsupported.what() + " is not supported", ParseErrors.position(unsupported.place()));
            };
        }

        /// @param logical the algebra that the plan was made of
        private record Optimized(RelNode logical, PhysicalPlan plan) {}

        private Optimized optimized(SqlNode query) {
            OutputNames names = OutputNames.of(query, sql);
            RelRoot root = relations.convert(query);
            RelNode rel = relations.optimize(root);
            PhysicalPlan plan = new PlanTranslator(rel.getCluster().getRexBuilder()).translate(rel);
            return new Optimized(rel, named(plan, names.over(root.validatedRowType.getFieldNames())));
        }

        /// The plan under the names that the query gives its columns.
        private static PhysicalPlan named(PhysicalPlan plan, List<String> names) {
            Schema schema = plan.schema();
            List<Field> fields = new ArrayList<>();
            List<Expression> columns = new ArrayList<>();
            boolean same = true;
            for (int i = 0; i < schema.size(); i++) {
                Field field = schema.field(i);
                same &= field.name().equals(names.get(i));
                fields.add(new Field(names.get(i), field.type(), field.nullable()));
                columns.add(new InputColumn(i, field.type()));
            }
            if (same) {
                return plan;
            }
            return plan instanceof PhysicalPlan.Project top
                    ? new PhysicalPlan.Project(top.input(), top.expressions(), new Schema(fields))
                    : new PhysicalPlan.Project(plan, columns, new Schema(fields));
        }

        private Planned explain(Statement.Explain explain) {
            if (explain.explained() instanceof SqlInsert insert) {
                Planned.Insert planned = insert(insert);
                return new Planned.Explain("", planned.source(), explain.analyze());
            }
            Optimized optimized = optimized(explain.explained());
            return new Planned.Explain(RelOptUtil.toString(optimized.logical()), optimized.plan(), explain.analyze());
        }

        private Schema schema(SqlNode what) {
            return what instanceof SqlIdentifier name
                    ? TypeMapping.schema(relations.validator().rowType(name))
                    : TypeMapping.schema(relations.convert(what).validatedRowType);
        }

        private Planned createTable(Statement.CreateTable create) {
            PhysicalPlan source =
                    create.query() == null ? null : optimized(create.query()).plan();
            List<Field> fields = new ArrayList<>();
            if (source != null
                    && !create.columns().isEmpty()
                    && create.columns().size() != source.schema().size()) {
                throw new ValidationException(
                        "the table has " + create.columns().size() + " columns, its query gives "
                                + source.schema().size(),
                        ParseErrors.position(create.name().getParserPosition()));
            }
            for (int i = 0; i < create.columns().size(); i++) {
                Statement.ColumnDefinition column = create.columns().get(i);
                if (column.defaultValue() != null) {
                    throw new TableException(
                            "a DEFAULT value is not supported",
                            ParseErrors.position(column.defaultValue().getParserPosition()));
                }
                fields.add(new Field(column.name().getSimple(), type(column, source, i), column.nullable()));
            }
            if (create.columns().isEmpty()) {
                source.schema().fields().forEach(f -> fields.add(new Field(f.name(), f.type(), true)));
            }
            unique(fields, create.name());
            Schema schema = new Schema(fields);
            return new Planned.CreateTable(
                    name(create.name()),
                    schema,
                    create.replace(),
                    create.ifNotExists(),
                    source == null ? null : PlanTranslator.cast(source, schema));
        }

        private DataType type(Statement.ColumnDefinition column, PhysicalPlan source, int index) {
            if (column.type() != null) {
                RelDataType type = relations.validator().type(column);
                return TypeMapping.dataType(type);
            }
            if (source == null) {
                throw new ValidationException(
                        "column '" + column.name().getSimple() + "' needs a type",
                        ParseErrors.position(column.name().getParserPosition()));
            }
            return source.schema().type(index);
        }

        private static void unique(List<Field> fields, SqlIdentifier table) {
            for (int i = 0; i < fields.size(); i++) {
                for (int j = 0; j < i; j++) {
                    if (fields.get(i).name().equalsIgnoreCase(fields.get(j).name())) {
                        throw new ValidationException(
                                "table '" + table + "' would have two columns '"
                                        + fields.get(i).name() + "'; rename one, as in SELECT x AS y",
                                ParseErrors.position(table.getParserPosition()));
                    }
                }
            }
        }

        private Planned.Insert insert(SqlInsert insert) {
            SqlIdentifier name = (SqlIdentifier) insert.getTargetTable();
            Catalog.Entry entry = catalog.find(name(name))
                    .orElseThrow(() -> new ValidationException(
                            "unknown table '" + name + "'"
                                    + (catalog.nearest(name.toString()) == null
                                            ? ""
                                            : "; did you mean '" + catalog.nearest(name.toString()) + "'?"),
                            ParseErrors.position(name.getParserPosition())));
            if (!(entry instanceof Catalog.Table table)) {
                throw new ValidationException(
                        "'" + name + "' is a view; rows go into tables",
                        ParseErrors.position(name.getParserPosition()));
            }
            Schema target = table.table().schema();
            int[] columns = targetColumns(insert, target);
            PhysicalPlan source = optimized(insert.getSource()).plan();
            if (source.schema().size() != columns.length) {
                throw new ValidationException(
                        "INSERT into '" + table.name() + "' names " + columns.length + " columns, found "
                                + source.schema().size() + " values",
                        ParseErrors.position(insert.getSource().getParserPosition()));
            }
            return new Planned.Insert(table.name(), table.table(), arranged(source, columns, target));
        }

        /// The table's column of each value.
        private int[] targetColumns(SqlInsert insert, Schema target) {
            if (insert.getTargetColumnList() == null) {
                int[] all = new int[target.size()];
                Arrays.setAll(all, i -> i);
                return all;
            }
            List<Integer> columns = new ArrayList<>();
            for (SqlNode node : insert.getTargetColumnList()) {
                SqlIdentifier column = (SqlIdentifier) node;
                int index = index(target, column);
                if (columns.contains(index)) {
                    throw new ValidationException(
                            "column '" + column + "' is named twice", ParseErrors.position(column.getParserPosition()));
                }
                columns.add(index);
            }
            return columns.stream().mapToInt(i -> i).toArray();
        }

        private int index(Schema target, SqlIdentifier column) {
            int similar = -1;
            for (int i = 0; i < target.size(); i++) {
                String name = target.field(i).name();
                if (name.equals(column.getSimple())) {
                    return i;
                }
                if (name.equalsIgnoreCase(column.getSimple())) {
                    similar = i;
                }
            }
            if (similar < 0) {
                String nearest = NearestName.of(
                        column.getSimple(),
                        target.fields().stream().map(Field::name).toList());
                throw new ValidationException(
                        "unknown column '" + column + "'"
                                + (nearest == null ? "" : "; did you mean '" + nearest + "'?"),
                        ParseErrors.position(column.getParserPosition()));
            }
            return similar;
        }

        /// Values in the order of the table's columns, NULL where there is none, then in the columns' types.
        private static PhysicalPlan arranged(PhysicalPlan source, int[] columns, Schema target) {
            List<Expression> expressions = new ArrayList<>();
            List<Field> fields = new ArrayList<>();
            boolean identity = columns.length == target.size();
            for (int i = 0; i < target.size(); i++) {
                int from = -1;
                for (int j = 0; j < columns.length; j++) {
                    from = columns[j] == i ? j : from;
                }
                identity &= from == i;
                DataType type = from < 0 ? target.type(i) : source.schema().type(from);
                expressions.add(from < 0 ? new Literal(null, type) : new InputColumn(from, type));
                fields.add(new Field(target.field(i).name(), type, true));
            }
            PhysicalPlan arranged =
                    identity ? source : new PhysicalPlan.Project(source, expressions, new Schema(fields));
            return PlanTranslator.cast(arranged, target);
        }

        private Planned createView(Statement.CreateView create) {
            relations.convert(create.query());
            List<String> columns = new ArrayList<>();
            for (SqlNode column : create.columns()) {
                columns.add(((SqlIdentifier) column).getSimple());
            }
            Catalog.View view = new Catalog.View(name(create.name()), columns, StatementParser.queryText(sql, create));
            return new Planned.CreateView(view, create.replace(), create.ifNotExists());
        }

        private static String name(SqlIdentifier name) {
            return String.join(".", name.names);
        }
    }
}
