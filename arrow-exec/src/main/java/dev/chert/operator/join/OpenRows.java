package dev.chert.operator.join;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.memory.Allocator;
import dev.chert.operator.table.RowPages;
import dev.chert.query.QueryContext;
import java.util.ArrayList;
import java.util.List;

/// Decides, for the three-valued kinds of join, rows that the hash table cannot: those that a NULL key, theirs or
/// a build row's, may leave open. Not thread-safe.
///
/// Compares pairs by the whole condition: a probe row with a NULL key with all build rows, any other with the
/// build rows that have a NULL key. Few rows are expected to come here; the build rows are loaded into batches on
/// first need.
final class OpenRows {
    private final JoinShape shape;
    private final JoinTable table;
    private final ConstantColumns constants;
    private final QueryContext query;
    private final Allocator allocator;
    private final PairCondition condition;
    private final PairSearch search;
    private RightRows all;
    private RightRows nullKeys;

    OpenRows(JoinShape shape, JoinTable table, ConstantColumns constants, QueryContext query, Allocator allocator) {
        this.shape = shape;
        this.table = table;
        this.constants = constants;
        this.query = query;
        this.allocator = allocator;
        this.condition = new PairCondition(shape.openCondition(), query, allocator);
        this.search = new PairSearch(condition, constants, query);
    }

    /// Raises the outcomes of rows that have no match yet; uses up the cursor's rows.
    void decide(Batch left, ProbeCursor cursor, byte[] outcomes) {
        if (cursor.absentCount() > 0) {
            if (all == null) {
                all = load(0, table.scanCount());
            }
            search.decide(left, cursor.absent(), cursor.absentCount(), all, outcomes, true);
        }
        if (table.sawNullKey()) {
            if (nullKeys == null) {
                nullKeys = load(JoinTable.PARTITIONS, table.scanCount());
            }
            search.decide(left, cursor.rows(), cursor.rowCount(), nullKeys, outcomes, true);
        }
    }

    private RightRows load(int firstScan, int endScan) {
        List<Batch> batches = new ArrayList<>();
        long[] places = new long[query.batchSize()];
        for (int s = firstScan; s < endScan; s++) {
            RowPages.Scan scan = table.scan(s);
            for (int count = scan.next(places, places.length); count > 0; count = scan.next(places, places.length)) {
                query.checkCancelled();
                Column[] columns = new Column[shape.rightTypes().size()];
                for (int c = 0; c < columns.length; c++) {
                    columns[c] = shape.fieldOf(c) < 0
                            ? constants.nulls(shape.rightTypes().get(c), count)
                            : table.load(shape.fieldOf(c), places, count, allocator);
                }
                batches.add(new Batch(columns, count));
            }
        }
        return RightRows.of(batches, null);
    }

    void close() {
        condition.close();
        close(all);
        close(nullKeys);
        all = null;
        nullKeys = null;
    }

    private static void close(RightRows rows) {
        if (rows != null) {
            for (Batch batch : rows.batches()) {
                batch.close();
            }
        }
    }
}
