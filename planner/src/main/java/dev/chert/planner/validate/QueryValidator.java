package dev.chert.planner.validate;

import dev.chert.error.ChertException;
import dev.chert.error.TableException;
import dev.chert.error.ValidationException;
import dev.chert.planner.catalog.Catalog;
import dev.chert.planner.catalog.FileTables;
import dev.chert.planner.parse.Features;
import dev.chert.planner.parse.ParseErrors;
import dev.chert.planner.parse.SqlText;
import dev.chert.planner.parse.Statement;
import dev.chert.planner.parse.StatementParser;
import dev.chert.planner.types.ChertTypeFactory;
import dev.chert.query.Settings;
import dev.chert.query.Settings.NullOrdering;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable.ViewExpander;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUserDefinedTypeNameSpec;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql2rel.SqlToRelConverter;

/// Validates the queries of one statement and turns them into algebra.
public final class QueryValidator {
    private final Catalog catalog;
    private final ChertTypeFactory factory;
    private final RelOptCluster cluster;
    private final SqlValidator.Config config;
    private final CatalogSchema schema;
    private final ReaderOfCatalog reader;
    private final List<String> viewsInExpansion = new ArrayList<>();

    /// @param files   null where paths are no tables
    /// @param cluster of the statement
    public QueryValidator(
            Catalog catalog, FileTables files, Settings settings, ChertTypeFactory factory, RelOptCluster cluster) {
        this.catalog = catalog;
        this.factory = factory;
        this.cluster = cluster;
        this.config = SqlValidator.Config.DEFAULT
                .withConformance(Conformance.INSTANCE)
                .withDefaultNullCollation(nullCollation(settings.get(Settings.NULL_ORDERING)))
                .withTypeCoercionFactory(Coercion::new)
                .withIdentifierExpansion(true);
        this.schema = new CatalogSchema(catalog, files, new Views());
        this.reader = new ReaderOfCatalog(schema, factory);
    }

    private static NullCollation nullCollation(NullOrdering ordering) {
        return switch (ordering) {
            case HIGH -> NullCollation.HIGH;
            case LOW -> NullCollation.LOW;
            case FIRST -> NullCollation.FIRST;
            case LAST -> NullCollation.LAST;
        };
    }

    /// A query's algebra, whose sub-queries are still expressions, with its row type as the query names it.
    public RelRoot convert(SqlNode query) {
        Features.demandKnown(query);
        Validator validator = new Validator();
        try {
            new FilesInFrom(catalog, schema).open(query);
            SqlNode validated = validator.validate(query);
            return converter(validator).convertQuery(validated, false, true);
        } catch (RuntimeException e) {
            throw errors().worded(e);
        } catch (AssertionError e) { // how Calcite's converter says that it does not know a form
            throw new TableException(
                    "the query has a form that is not supported (" + e.getMessage()
                            + "); write the sub-queries in its SELECT list as joins",
                    null,
                    e);
        }
    }

    /// The type that a column definition names.
    public RelDataType type(Statement.ColumnDefinition column) {
        SqlIdentifier name = column.type().getTypeName();
        boolean named = column.type().getTypeNameSpec() instanceof SqlUserDefinedTypeNameSpec;
        if (named && reader.getNamedType(name) == null) {
            throw new ValidationException(
                    "unknown type '" + name + "'", ParseErrors.position(name.getParserPosition()));
        }
        try {
            RelDataType type = column.type().deriveType(new Validator());
            return factory.createTypeWithNullability(type, column.nullable());
        } catch (RuntimeException e) {
            throw errors().worded(e);
        }
    }

    /// The table that a name in the FROM clause stands for.
    public RelDataType rowType(SqlIdentifier name) {
        try {
            var table = reader.getTable(name.names);
            if (table == null) {
                throw errors().unknownTable(String.join(".", name.names), name.getParserPosition());
            }
            return table.getRowType();
        } catch (ChertException e) {
            throw e.withPosition(ParseErrors.position(name.getParserPosition()));
        } catch (RuntimeException e) {
            throw errors().worded(e);
        }
    }

    private ValidationErrors errors() {
        return new ValidationErrors(catalog, schema.columns());
    }

    private SqlToRelConverter converter(Validator validator) {
        ViewExpander noViews = (rowType, text, path, viewPath) -> {
            throw new UnsupportedOperationException("views are expanded by their tables");
        };
        return new SqlToRelConverter(
                noViews,
                validator,
                reader,
                cluster,
                CutCasts.INSTANCE,
                SqlToRelConverter.config()
                        .withExpand(false)
                        .withDecorrelationEnabled(false)
                        .withTrimUnusedFields(false)
                        .withInSubQueryThreshold(Integer.MAX_VALUE)
                        .withRelBuilderConfigTransform(c -> c.withBloat(-1).withPruneInputOfAggregate(false)));
    }

    private final class Validator extends SqlValidatorImpl {
        Validator() {
            super(Operators.TABLE, reader, QueryValidator.this.factory, QueryValidator.this.config);
        }

        @Override
        public SqlTypeMappingRule getTypeMappingRule() {
            return CastRules.RULE;
        }
    }

    private final class Views implements CatalogSchema.ViewExpansion {
        @Override
        public RelDataType rowType(Catalog.View view) {
            return expand(view).getRowType();
        }

        @Override
        public RelNode expand(Catalog.View view) {
            if (viewsInExpansion.contains(view.name())) {
                throw new ValidationException(
                        "view '" + view.name() + "' is defined by itself: " + String.join(", ", viewsInExpansion));
            }
            viewsInExpansion.add(view.name());
            try {
                SqlText text = view.query();
                Statement statement = new StatementParser(Conformance.INSTANCE).parse(text);
                RelRoot root = convert(((Statement.Query) statement).query());
                RelNode rel = root.project();
                if (view.columns().isEmpty()) {
                    return renamed(rel, root.validatedRowType.getFieldNames());
                }
                if (view.columns().size() != rel.getRowType().getFieldCount()) {
                    throw new ValidationException("view '" + view.name() + "' names "
                            + view.columns().size() + " columns, its query gives "
                            + rel.getRowType().getFieldCount());
                }
                return renamed(rel, view.columns());
            } finally {
                viewsInExpansion.removeLast();
            }
        }
    }

    private RelNode renamed(RelNode rel, List<String> names) {
        if (rel.getRowType().getFieldNames().equals(names)) {
            return rel;
        }
        List<RexNode> fields = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            fields.add(cluster.getRexBuilder().makeInputRef(rel, i));
        }
        return LogicalProject.create(rel, List.of(), fields, names, Set.of());
    }
}
