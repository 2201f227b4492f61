package dev.chert.operator.join;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.expression.Evaluators;
import dev.chert.expression.Projection;
import dev.chert.memory.Allocator;
import dev.chert.operator.Breaker;
import dev.chert.operator.Operator;
import dev.chert.operator.OperatorFactory;
import dev.chert.operator.Sink;
import dev.chert.operator.WorkerContext;
import dev.chert.operator.table.RowValues;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import java.util.Objects;

/// Puts the build side of a hash join into a [JoinTable] for [HashJoinProbe] to look up.
///
/// Breaks the pipeline. Each worker stores its rows by partition, and moves partitions to disk when memory is tight;
/// the closing work links those that stay, in parallel. Memory grows with the build side: its keys, the columns that
/// are wanted of it, and a directory.
public final class HashJoinBuild implements Breaker {
    /// The part of the memory that the rows have or may take: the rest is for the tables of the joins and groups that
    /// the same pipeline goes through.
    private static final double SHARE = 0.5;

    private final JoinShape shape;
    private final QueryContext query;
    private final String name;
    private JoinTable table; // made by the first sink
    private JoinLevel level; // made by the first probe

    /// @param operatorName in messages and metrics
    /// @param workers      of the pipeline that builds
    public HashJoinBuild(PhysicalPlan.HashJoin node, String operatorName, QueryContext query, int workers) {
        assert workers > 0;
        this.shape = new JoinShape(node);
        this.query = Objects.requireNonNull(query);
        this.name = Objects.requireNonNull(operatorName);
    }

    @Override
    public Sink sink(WorkerContext worker) {
        Allocator allocator = worker.allocator(name);
        return new BuildSink(tableIn(allocator).newPart(), allocator);
    }

    private synchronized JoinTable tableIn(Allocator allocator) {
        if (table == null) {
            table = new JoinTable(shape.layout(), shape.keyCount(), allocator, query::checkCancelled);
        }
        return table;
    }

    /// Stores one worker's rows.
    private final class BuildSink implements Sink {
        private final BuildPart part;
        private final Projection projection;
        private final RowValues values =
                new RowValues(shape.layout(), shape.stored().size());
        private final KeyHashes keyHashes =
                new KeyHashes(shape.keyCount(), 0, query.settings().get(Settings.CONSTANT_HASH));
        private int[] rows = {};
        private int[] positions = {};
        private long[] hashes = {};

        BuildSink(BuildPart part, Allocator allocator) {
            this.part = part;
            part.register();
            projection = Evaluators.project(shape.stored(), query, allocator);
        }

        @Override
        public void accept(Batch batch) {
            int count = batch.selectedRows();
            if (count > 0) {
                if (rows.length < count) {
                    int room = Math.max(count, query.batchSize());
                    rows = new int[room];
                    positions = new int[room];
                    hashes = new long[room];
                }
                LeftRows.rows(batch, rows);
                Column[] columns = projection.evaluate(batch);
                store(columns, count);
                for (Column column : columns) {
                    column.release();
                }
            }
            batch.close();
        }

        private void store(Column[] columns, int count) {
            values.pack(columns, rows, count);
            for (int i = 0; i < count; i++) {
                positions[i] = i;
            }
            int present = values.keepPresent(shape.keyCount(), positions, count);
            part.work(() -> {
                if (present > 0) {
                    keyHashes.hash(values, hashes);
                    part.add(values, hashes, positions, present);
                }
                if (present < count) {
                    part.noteNullKey();
                    if (shape.keepsNullKeys()) {
                        part.addNullKeys(values, rows, absentPositions(present, count));
                    }
                }
            });
        }

        /// Writes the positions that are not among the first `present` ones into `rows`, which is used up by
        /// then.
        private int absentPositions(int present, int count) {
            int size = 0;
            int next = 0;
            for (int i = 0; i < count; i++) {
                if (next < present && positions[next] == i) {
                    next++;
                } else {
                    rows[size++] = i;
                }
            }
            return size;
        }

        @Override
        public void finish() {
            projection.close();
            part.finish();
        }
    }

    @Override
    public int closingParts() {
        return JoinTable.CLOSING_PARTS;
    }

    @Override
    public void closePart(int part) {
        table.settle(SHARE, shape.openCondition() != null);
        table.close(part, query::checkCancelled);
    }

    /// The join, over the probe input. Where build rows without a match matter, or build rows are on disk, every
    /// worker of the pipeline must be opened, and read to its end or closed.
    public OperatorFactory probe(OperatorFactory input) {
        return worker -> {
            Operator left = input.open(worker);
            return new HashJoinProbe(levelOf(worker), left, null, worker, worker.allocator(name));
        };
    }

    private synchronized JoinLevel levelOf(WorkerContext worker) {
        if (level == null) {
            table.seal(query::checkCancelled);
            level = new JoinLevel(shape, table, 0, table.sawNullKey(), worker.workers());
        }
        return level;
    }

    @Override
    public synchronized void close() {
        if (level != null) {
            level.release();
        } else if (table != null) {
            table.release();
        }
    }
}
