package dev.chert.bench.tpch;

import io.trino.tpch.TpchEntity;
import java.util.List;
import java.util.Locale;

/// The eight tables of TPC-H: where their rows come from and the types they have in our files.
///
/// Source: TPC-H 3.0.1, section 1.4. Fixed text is VARCHAR here, since Parquet has no padded strings.
public enum TpchTable {
    REGION(io.trino.tpch.TpchTable.REGION, "r_regionkey INTEGER", "r_name VARCHAR", "r_comment VARCHAR"),
    NATION(
            io.trino.tpch.TpchTable.NATION,
            "n_nationkey INTEGER",
            "n_name VARCHAR",
            "n_regionkey INTEGER",
            "n_comment VARCHAR"),
    SUPPLIER(
            io.trino.tpch.TpchTable.SUPPLIER,
            "s_suppkey INTEGER",
            "s_name VARCHAR",
            "s_address VARCHAR",
            "s_nationkey INTEGER",
            "s_phone VARCHAR",
            "s_acctbal DECIMAL(15,2)",
            "s_comment VARCHAR"),
    PART(
            io.trino.tpch.TpchTable.PART,
            "p_partkey INTEGER",
            "p_name VARCHAR",
            "p_mfgr VARCHAR",
            "p_brand VARCHAR",
            "p_type VARCHAR",
            "p_size INTEGER",
            "p_container VARCHAR",
            "p_retailprice DECIMAL(15,2)",
            "p_comment VARCHAR"),
    PARTSUPP(
            io.trino.tpch.TpchTable.PART_SUPPLIER,
            "ps_partkey INTEGER",
            "ps_suppkey INTEGER",
            "ps_availqty INTEGER",
            "ps_supplycost DECIMAL(15,2)",
            "ps_comment VARCHAR"),
    CUSTOMER(
            io.trino.tpch.TpchTable.CUSTOMER,
            "c_custkey INTEGER",
            "c_name VARCHAR",
            "c_address VARCHAR",
            "c_nationkey INTEGER",
            "c_phone VARCHAR",
            "c_acctbal DECIMAL(15,2)",
            "c_mktsegment VARCHAR",
            "c_comment VARCHAR"),
    ORDERS(
            io.trino.tpch.TpchTable.ORDERS,
            "o_orderkey BIGINT",
            "o_custkey INTEGER",
            "o_orderstatus VARCHAR",
            "o_totalprice DECIMAL(15,2)",
            "o_orderdate DATE",
            "o_orderpriority VARCHAR",
            "o_clerk VARCHAR",
            "o_shippriority INTEGER",
            "o_comment VARCHAR"),
    LINEITEM(
            io.trino.tpch.TpchTable.LINE_ITEM,
            "l_orderkey BIGINT",
            "l_partkey INTEGER",
            "l_suppkey INTEGER",
            "l_linenumber INTEGER",
            "l_quantity DECIMAL(15,2)",
            "l_extendedprice DECIMAL(15,2)",
            "l_discount DECIMAL(15,2)",
            "l_tax DECIMAL(15,2)",
            "l_returnflag VARCHAR",
            "l_linestatus VARCHAR",
            "l_shipdate DATE",
            "l_commitdate DATE",
            "l_receiptdate DATE",
            "l_shipinstruct VARCHAR",
            "l_shipmode VARCHAR",
            "l_comment VARCHAR");

    private final io.trino.tpch.TpchTable<? extends TpchEntity> generator;
    private final List<String> columns;

    TpchTable(io.trino.tpch.TpchTable<? extends TpchEntity> generator, String... columns) {
        this.generator = generator;
        this.columns = List.of(columns);
    }

    public String tableName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns name and SQL type of each column, as in `l_tax DECIMAL(15,2)`.
    List<String> columns() {
        return columns;
    }

    /// Returns the table's rows in dbgen's order; the same rows as dbgen's.
    Iterable<? extends TpchEntity> rows(double scale) {
        return generator.createGenerator(scale, 1, 1);
    }
}
