package dev.chert.source.memory;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.Schema;
import dev.chert.batch.Step;
import dev.chert.kernel.ColumnGather;
import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;
import dev.chert.source.ColumnPredicate;
import dev.chert.source.LocalReference;
import dev.chert.source.PredicateUse;
import dev.chert.source.Split;
import dev.chert.source.SplitReader;
import dev.chert.source.Statistics;
import dev.chert.source.Statistics.ColumnStatistics;
import dev.chert.source.Statistics.Count;
import dev.chert.source.TableSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A table in memory as it was at one moment.
///
/// Readers hand out the table's own columns, whole where the query's batches are as large. Whoever runs a plan
/// while the table may change pins it first.
public final class MemorySource implements TableSource {
    private static final long serialVersionUID = 1;
    private static final int BATCHES_A_SPLIT = 16;

    private final Schema schema;
    private final LocalReference<Snapshot> snapshot;

    /// What a source refers to.
    private record Snapshot(MemoryTable table, MemoryTable.Contents contents) {}

    MemorySource(MemoryTable table, MemoryTable.Contents contents) {
        this.schema = table.schema();
        this.snapshot = LocalReference.to(new Snapshot(table, contents));
    }

    /// The table that it is a moment of.
    public MemoryTable table() {
        return snapshot.get().table();
    }

    /// Keeps what this source reads in memory until [#unpin()].
    ///
    /// @return false where some of it is gone already: the plan is stale and is to be made again
    /// @throws dev.chert.error.ValidationException where the table was dropped
    public boolean pin() {
        return table().pin(snapshot.get().contents());
    }

    /// Lets go; called once for each [#pin()] that was granted, after the query was closed.
    public void unpin() {
        table().unpin(snapshot.get().contents());
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public Statistics statistics() {
        List<ColumnStatistics> columns = Arrays.stream(snapshot.get().contents().bounds())
                .map(ColumnBounds::statistics)
                .toList();
        return new Statistics(Count.exact(snapshot.get().contents().rowCount()), columns);
    }

    @Override
    public String describe() {
        return "memory table " + table().name();
    }

    @Override
    public PredicateUse use(ColumnPredicate predicate) {
        return PredicateUse.IGNORED;
    }

    @Override
    public SplitList splits(ScanRequest request) {
        int batches = snapshot.get().contents().batches().size();
        List<Split> splits = new ArrayList<>();
        for (int from = 0; from < batches; from += BATCHES_A_SPLIT) {
            splits.add(new BatchRange(this, from, Math.min(batches, from + BATCHES_A_SPLIT)));
        }
        return new SplitList(splits, splits.size());
    }

    /// Some of the batches.
    ///
    /// @param from first
    /// @param to   after the last
    private record BatchRange(MemorySource source, int from, int to) implements Split {
        List<Batch> batches() {
            return source.snapshot.get().contents().batches().subList(from, to);
        }

        @Override
        public SplitReader open(ScanRequest request, QueryContext query, Allocator allocator) {
            return new Reader(batches(), request.columns(), query.batchSize(), allocator);
        }

        @Override
        public long rowCount() {
            return batches().stream().mapToLong(Batch::rowCount).sum();
        }
    }

    private static final class Reader implements SplitReader {
        private final List<Batch> batches;
        private final List<Integer> columns;
        private final int batchSize;
        private final Allocator allocator;
        private int batch;
        private int row;

        Reader(List<Batch> batches, List<Integer> columns, int batchSize, Allocator allocator) {
            this.batches = batches;
            this.columns = columns;
            this.batchSize = batchSize;
            this.allocator = allocator;
        }

        @Override
        public Step next() {
            if (batch == batches.size()) {
                return Step.END;
            }
            Batch from = batches.get(batch);
            int count = Math.min(batchSize, from.rowCount() - row);
            Batch read = count == from.rowCount() ? whole(from) : part(from, row, count);
            row += count;
            if (row == from.rowCount()) {
                batch++;
                row = 0;
            }
            return read;
        }

        private Batch whole(Batch from) {
            Column[] read = new Column[columns.size()];
            for (int c = 0; c < read.length; c++) {
                read[c] = from.column(columns.get(c));
                read[c].retain();
            }
            return new Batch(read, from.rowCount());
        }

        private Batch part(Batch from, int first, int count) {
            int[] rows = new int[count];
            for (int i = 0; i < count; i++) {
                rows[i] = first + i;
            }
            Column[] read = new Column[columns.size()];
            for (int c = 0; c < read.length; c++) {
                read[c] = ColumnGather.take(from.column(columns.get(c)), rows, count, allocator);
            }
            return new Batch(read, count);
        }

        @Override
        public void close() {
            // the columns are the table's
        }
    }
}
