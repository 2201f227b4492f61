package dev.chert.operator.values;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.DataType;
import dev.chert.batch.Physical;
import dev.chert.batch.Schema;
import dev.chert.batch.Step;
import dev.chert.expression.Expression.Literal;
import dev.chert.expression.LiteralWriter;
import dev.chert.memory.Allocator;
import dev.chert.operator.Operator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Gives literal rows in batches.
///
/// A source: the workers share `nextRow` and take ranges of rows. Memory: one batch.
public final class ValuesOperator implements Operator {
    private final Schema schema;
    private final List<List<Literal>> rows;
    private final AtomicInteger nextRow;
    private final int batchSize;
    private final Allocator allocator;

    /// @param nextRow the first row that no worker has taken yet, shared by the workers
    public ValuesOperator(
            Schema schema, List<List<Literal>> rows, AtomicInteger nextRow, int batchSize, Allocator allocator) {
        this.schema = schema;
        this.rows = rows;
        this.nextRow = nextRow;
        this.batchSize = batchSize;
        this.allocator = allocator;
    }

    @Override
    public Step next() {
        int from = nextRow.getAndAccumulate(batchSize, (row, size) -> Math.min(rows.size(), row + size));
        int count = Math.min(batchSize, rows.size() - from);
        if (count <= 0) {
            return Step.END;
        }
        Column[] columns = new Column[schema.size()];
        for (int c = 0; c < columns.length; c++) {
            columns[c] = column(c, from, count);
        }
        return new Batch(columns, count);
    }

    private Column column(int c, int from, int count) {
        DataType type = schema.type(c);
        Physical physical = type.physical();
        for (int r = from; r < from + count; r++) {
            Literal value = rows.get(r).get(c);
            if (physical == Physical.INT64 && !value.isNull() && LiteralWriter.physicalOf(value) == Physical.INT128) {
                physical = Physical.INT128;
            }
        }
        ColumnWriter writer = new ColumnWriter(type, physical, count, allocator);
        for (int r = 0; r < count; r++) {
            LiteralWriter.put(rows.get(from + r).get(c), writer, r);
        }
        return writer.seal(count);
    }

    @Override
    public void close() {
        // what it gave out belongs to others
    }
}
