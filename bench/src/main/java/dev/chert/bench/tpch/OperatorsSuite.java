package dev.chert.bench.tpch;

import dev.chert.bench.result.PublishedAnswer;
import dev.chert.bench.suite.Query;
import dev.chert.bench.suite.Suite;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One large operator a query, over lineitem: a sort, an aggregation and two joins whose state is about as large as the
/// table, each reduced to one row. What a memory limit is tried with.
///
/// @param data the table's files
public record OperatorsSuite(TpchData data) implements Suite {
    /// The rows behind the middle of the order, so that a wrong order gives other sums; every column is read.
    private static final String SORT = """
            SELECT count(*), sum(l_orderkey), sum(l_partkey), sum(l_suppkey), sum(l_linenumber), sum(l_quantity),
                   sum(l_extendedprice), sum(l_discount), sum(l_tax), max(l_returnflag), max(l_linestatus),
                   max(l_shipdate), max(l_commitdate), max(l_receiptdate), max(l_shipinstruct), max(l_shipmode),
                   min(l_comment)
            FROM (SELECT * FROM lineitem
                  ORDER BY l_comment, l_orderkey, l_linenumber LIMIT 1000000000 OFFSET %d) AS t
            """;

    private static final String GROUP = """
            SELECT count(*), sum(n), max(n), sum(q), min(l_comment), max(l_comment)
            FROM (SELECT l_orderkey, l_comment, count(*) AS n, sum(l_quantity) AS q
                  FROM lineitem GROUP BY l_orderkey, l_comment) AS t
            """;

    private static final String INNER = """
            SELECT count(*), sum(a.l_quantity), sum(b.l_extendedprice), min(a.l_comment), max(b.l_comment)
            FROM lineitem AS a JOIN lineitem AS b ON a.l_orderkey = b.l_orderkey
            """;

    private static final String FULL = """
            SELECT count(*), count(a.l_orderkey), count(b.l_orderkey), sum(a.l_quantity), sum(b.l_extendedprice),
                   min(a.l_comment), max(b.l_comment)
            FROM lineitem AS a FULL JOIN lineitem AS b ON a.l_orderkey = b.l_orderkey + 1
            """;

    private static final double LINEITEMS_OF_SCALE_1 = 6_001_215;

    @Override
    public String name() {
        return "operators-parquet";
    }

    @Override
    public String dataDescription() {
        return "scale factor " + data.scale().toPlainString();
    }

    @Override
    public Map<String, Path> tables() {
        return Map.of(TpchTable.LINEITEM.tableName(), data.file(TpchTable.LINEITEM));
    }

    @Override
    public List<Query> queries() {
        long middle = Math.round(data.scale().doubleValue() * LINEITEMS_OF_SCALE_1 / 2);
        return List.of(
                new Query("sort", SORT.formatted(middle)),
                new Query("group", GROUP),
                new Query("inner", INNER),
                new Query("full", FULL));
    }

    @Override
    public Optional<PublishedAnswer> answer(Query query) {
        return Optional.empty();
    }
}
