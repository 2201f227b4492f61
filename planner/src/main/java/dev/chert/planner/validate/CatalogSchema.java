package dev.chert.planner.validate;

import dev.chert.planner.catalog.Catalog;
import dev.chert.planner.catalog.Catalog.Entry;
import dev.chert.planner.catalog.CatalogTable;
import dev.chert.planner.catalog.FileTables;
import dev.chert.planner.types.ChertTypeFactory;
import dev.chert.planner.types.TypeMapping;
import dev.chert.source.Statistics.Count;
import dev.chert.source.TableSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Schema.TableType;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.schema.lookup.LikePattern;
import org.apache.calcite.schema.lookup.Lookup;
import org.apache.calcite.schema.lookup.Named;

/// Shows a catalog, and behind it the files, to Calcite for the length of one statement: a table is looked up once.
final class CatalogSchema extends AbstractSchema {
    private final Catalog catalog;
    private final FileTables files;
    private final ViewExpansion views;
    private final Map<String, Table> found = new HashMap<>();
    private final Set<String> columns = new TreeSet<>();

    /// How a view becomes algebra.
    interface ViewExpansion {
        /// The types of the view's columns.
        RelDataType rowType(Catalog.View view);

        /// The view's query.
        RelNode expand(Catalog.View view);
    }

    /// @param files null where paths are no tables
    CatalogSchema(Catalog catalog, FileTables files, ViewExpansion views) {
        this.catalog = catalog;
        this.files = files;
        this.views = views;
    }

    /// The names of all columns of tables that were looked up, for hints.
    Set<String> columns() {
        return columns;
    }

    @Override
    public Lookup<Table> tables() {
        return new Lookup<>() {
            @Override
            public Table get(String name) {
                return table(name);
            }

            @Override
            public Named<Table> getIgnoreCase(String name) {
                Table table = table(name);
                return table == null ? null : new Named<>(name, table);
            }

            @Override
            public Set<String> getNames(LikePattern pattern) {
                return Set.copyOf(catalog.names());
            }
        };
    }

    private Table table(String name) {
        Table known = found.get(name);
        if (known != null) {
            return known;
        }
        Optional<Entry> entry = catalog.find(name);
        Table table = null;
        if (entry.isPresent()) {
            table = switch (entry.get()) {
                case Catalog.Table base -> new BaseTable(base.table());
                case Catalog.View view -> new ViewTable(view, views.rowType(view));
            };
        } else if (files != null && FileTables.looksLikePath(name)) {
            table = new BaseTable(files.open(name));
        }
        if (table != null) {
            found.put(name, table);
            columns.addAll(table.getRowType(new ChertTypeFactory()).getFieldNames());
        }
        return table;
    }

    /// A table with rows of its own.
    static final class BaseTable extends AbstractTable {
        private final TableSource source;

        BaseTable(CatalogTable table) {
            this.source = table.source();
        }

        @Override
        public RelDataType getRowType(RelDataTypeFactory factory) {
            return TypeMapping.relType((ChertTypeFactory) factory, source.schema());
        }

        @Override
        public Statistic getStatistic() {
            Count rows = source.statistics().rowCount();
            return rows.isKnown() ? Statistics.of(rows.value(), List.of()) : Statistics.UNKNOWN;
        }

        @Override
        public <C> C unwrap(Class<C> type) {
            return type.isInstance(source) ? type.cast(source) : super.unwrap(type);
        }
    }

    /// A view, which is its query wherever it stands.
    private final class ViewTable extends AbstractTable implements TranslatableTable {
        private final Catalog.View view;
        private final RelDataType rowType;

        ViewTable(Catalog.View view, RelDataType rowType) {
            this.view = view;
            this.rowType = rowType;
        }

        @Override
        public RelDataType getRowType(RelDataTypeFactory factory) {
            return rowType;
        }

        @Override
        public TableType getJdbcTableType() {
            return TableType.VIEW;
        }

        @Override
        public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
            return views.expand(view);
        }
    }
}
