package dev.chert.planner;

import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.expression.Expression.Literal;
import dev.chert.planner.catalog.Catalog;
import dev.chert.planner.catalog.CatalogTable;
import dev.chert.source.ColumnPredicate;
import dev.chert.source.PredicateUse;
import dev.chert.source.Statistics;
import dev.chert.source.Statistics.ColumnStatistics;
import dev.chert.source.Statistics.Count;
import dev.chert.source.TableSource;
import java.util.ArrayList;
import java.util.List;

/// A table of a schema and statistics, without rows.
record FixtureTable(String name, Schema schema, Statistics statistics) implements TableSource, CatalogTable {
    @Override
    public TableSource source() {
        return this;
    }

    @Override
    public String describe() {
        return name;
    }

    @Override
    public PredicateUse use(ColumnPredicate predicate) {
        return PredicateUse.PRUNES;
    }

    @Override
    public SplitList splits(ScanRequest request) {
        return new SplitList(List.of(), 0);
    }

    /// A table of columns `name TYPE [min..max]`, with bounds that give distinct counts of whole numbers and
    /// dates.
    static FixtureTable of(String name, long rows, String... columns) {
        List<Field> fields = new ArrayList<>();
        List<ColumnStatistics> statistics = new ArrayList<>();
        for (String column : columns) {
            String[] words = column.split(" ");
            ScalarType type = type(words[1]);
            fields.add(new Field(words[0], type, false));
            ColumnStatistics known = ColumnStatistics.UNKNOWN;
            if (words.length > 2) {
                String[] bounds = words[2].split("\\.\\.");
                known = bounds.length == 1
                        ? new ColumnStatistics(
                                null, null, false, Count.exact(0), Count.exact(Long.parseLong(bounds[0])))
                        : new ColumnStatistics(
                                new Literal(Long.parseLong(bounds[0]), type),
                                new Literal(Long.parseLong(bounds[1]), type),
                                true,
                                Count.exact(0),
                                Count.UNKNOWN);
            }
            statistics.add(known);
        }
        return new FixtureTable(name, new Schema(fields), new Statistics(Count.exact(rows), statistics));
    }

    private static ScalarType type(String name) {
        return switch (name) {
            case "INTEGER" -> ScalarType.INTEGER;
            case "BIGINT" -> ScalarType.BIGINT;
            case "DATE" -> ScalarType.DATE;
            case "DOUBLE" -> ScalarType.DOUBLE;
            case "REAL" -> ScalarType.REAL;
            case "TIMESTAMP" -> ScalarType.timestamp(3);
            case "BOOLEAN" -> ScalarType.BOOLEAN;
            case "VARCHAR" -> ScalarType.VARCHAR;
            case "DECIMAL" -> ScalarType.decimal(15, 2);
            default -> throw new IllegalArgumentException(name);
        };
    }

    /// The tables of TPC-H at scale factor 1, with the bounds that a Parquet footer has.
    static Catalog tpch() {
        Catalog catalog = new Catalog();
        for (FixtureTable table : List.of(
                of("region", 5, "r_regionkey INTEGER 0..4", "r_name VARCHAR 5", "r_comment VARCHAR"),
                of(
                        "nation",
                        25,
                        "n_nationkey INTEGER 0..24",
                        "n_name VARCHAR 25",
                        "n_regionkey INTEGER 0..4",
                        "n_comment VARCHAR"),
                of(
                        "part",
                        200_000,
                        "p_partkey INTEGER 1..200000",
                        "p_name VARCHAR 200000",
                        "p_mfgr VARCHAR 5",
                        "p_brand VARCHAR 25",
                        "p_type VARCHAR 150",
                        "p_size INTEGER 1..50",
                        "p_container VARCHAR 40",
                        "p_retailprice DECIMAL",
                        "p_comment VARCHAR"),
                of(
                        "supplier",
                        10_000,
                        "s_suppkey INTEGER 1..10000",
                        "s_name VARCHAR 10000",
                        "s_address VARCHAR",
                        "s_nationkey INTEGER 0..24",
                        "s_phone VARCHAR",
                        "s_acctbal DECIMAL",
                        "s_comment VARCHAR"),
                of(
                        "partsupp",
                        800_000,
                        "ps_partkey INTEGER 1..200000",
                        "ps_suppkey INTEGER 1..10000",
                        "ps_availqty INTEGER 1..9999",
                        "ps_supplycost DECIMAL",
                        "ps_comment VARCHAR"),
                of(
                        "customer",
                        150_000,
                        "c_custkey INTEGER 1..150000",
                        "c_name VARCHAR",
                        "c_address VARCHAR",
                        "c_nationkey INTEGER 0..24",
                        "c_phone VARCHAR",
                        "c_acctbal DECIMAL",
                        "c_mktsegment VARCHAR 5",
                        "c_comment VARCHAR"),
                of(
                        "orders",
                        1_500_000,
                        "o_orderkey BIGINT 1..6000000",
                        "o_custkey INTEGER 1..149999",
                        "o_orderstatus VARCHAR 3",
                        "o_totalprice DECIMAL",
                        "o_orderdate DATE 8035..10440",
                        "o_orderpriority VARCHAR 5",
                        "o_clerk VARCHAR 1000",
                        "o_shippriority INTEGER 0..0",
                        "o_comment VARCHAR"),
                of(
                        "lineitem",
                        6_001_215,
                        "l_orderkey BIGINT 1..6000000",
                        "l_partkey INTEGER 1..200000",
                        "l_suppkey INTEGER 1..10000",
                        "l_linenumber INTEGER 1..7",
                        "l_quantity DECIMAL 50",
                        "l_extendedprice DECIMAL",
                        "l_discount DECIMAL 11",
                        "l_tax DECIMAL 9",
                        "l_returnflag VARCHAR 3",
                        "l_linestatus VARCHAR 2",
                        "l_shipdate DATE 8037..10561",
                        "l_commitdate DATE 8066..10530",
                        "l_receiptdate DATE 8038..10591",
                        "l_shipinstruct VARCHAR 4",
                        "l_shipmode VARCHAR 7",
                        "l_comment VARCHAR"))) {
            catalog.add(new Catalog.Table(table.name(), table), false);
        }
        return catalog;
    }
}
