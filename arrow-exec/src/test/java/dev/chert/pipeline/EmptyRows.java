package dev.chert.pipeline;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.Schema;
import dev.chert.batch.Step;
import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;
import dev.chert.source.ColumnPredicate;
import dev.chert.source.PredicateUse;
import dev.chert.source.ReadMetrics;
import dev.chert.source.Split;
import dev.chert.source.SplitReader;
import dev.chert.source.Statistics;
import dev.chert.source.TableSource;
import java.util.Iterator;
import java.util.List;

/// A source of rows without columns, cut into splits that tests make.
///
/// @param pruned splits that were there beside those that are given
record EmptyRows(List<Rows> kept, int pruned) implements TableSource {
    static final Schema SCHEMA = new Schema(List.of());

    /// Is asked before each step of a split.
    interface Gate {
        void pass() throws InterruptedException;
    }

    /// @param rowCount what the split says of itself
    /// @param batches  the rows of each batch that it gives
    /// @param read     what it says that it has read
    record Rows(long rowCount, List<Integer> batches, ReadMetrics read, Gate gate) implements Split {
        @Override
        public SplitReader open(ScanRequest request, QueryContext query, Allocator allocator) {
            Iterator<Integer> left = batches.iterator();
            return new SplitReader() {
                @Override
                public Step next() {
                    try {
                        gate.pass();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    return left.hasNext() ? new Batch(new Column[0], left.next()) : Step.END;
                }

                @Override
                public ReadMetrics metrics() {
                    return read;
                }

                @Override
                public void close() {
                    // holds nothing
                }
            };
        }
    }

    @Override
    public Schema schema() {
        return SCHEMA;
    }

    @Override
    public Statistics statistics() {
        return Statistics.unknown(0);
    }

    @Override
    public String describe() {
        return "empty rows";
    }

    @Override
    public PredicateUse use(ColumnPredicate predicate) {
        return PredicateUse.IGNORED;
    }

    @Override
    public SplitList splits(ScanRequest request) {
        return new SplitList(kept, kept.size() + pruned);
    }
}
