package dev.chert.operator.join;

import dev.chert.batch.Batch;
import dev.chert.kernel.BatchCopier;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.operator.Breaker;
import dev.chert.operator.Operator;
import dev.chert.operator.OperatorFactory;
import dev.chert.operator.Sink;
import dev.chert.operator.WorkerContext;
import dev.chert.plan.JoinKind;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.QueryContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Keeps the right side of a join on any condition, for [NestedLoopJoin] to compare with.
///
/// Breaks the pipeline. Keeps batches as they come, dense ones in place of those with a selection. Memory grows
/// with the right side.
public final class NestedLoopBuild implements Breaker {
    private final PhysicalPlan.NestedLoopJoin node;
    private final QueryContext query;
    private final String name;
    private final List<Batch> batches = new ArrayList<>(); // guards itself
    private final List<Buffer> matched = new ArrayList<>();
    private RightRows rows = RightRows.NONE;
    private ProbeEnd probeEnd;
    private boolean closed;

    /// @param operatorName in messages and metrics
    public NestedLoopBuild(PhysicalPlan.NestedLoopJoin node, String operatorName, QueryContext query) {
        this.node = node;
        this.query = Objects.requireNonNull(query);
        this.name = Objects.requireNonNull(operatorName);
    }

    @Override
    public Sink sink(WorkerContext worker) {
        Allocator allocator = worker.allocator(name);
        BatchCopier copier = new BatchCopier(allocator);
        List<Batch> own = new ArrayList<>();
        return new Sink() {
            @Override
            public void accept(Batch batch) {
                if (batch.selectedRows() == 0) {
                    batch.close();
                } else {
                    own.add(dense(batch, copier));
                }
            }

            @Override
            public void finish() {
                copier.close();
                synchronized (batches) {
                    batches.addAll(own);
                    if (marksRight(node.kind())) {
                        own.forEach(batch -> matched.add(allocator.allocateZeroed(batch.rowCount())));
                    }
                }
            }
        };
    }

    private static Batch dense(Batch batch, BatchCopier copier) {
        if (batch.selection() == null) {
            return batch;
        }
        Batch dense = copier.copy(batch);
        batch.close();
        return dense;
    }

    @Override
    public int closingParts() {
        return 1;
    }

    @Override
    public void closePart(int part) {
        rows = RightRows.of(batches, marksRight(node.kind()) ? matched.toArray(Buffer[]::new) : null);
    }

    /// The join, over the left input. Where right rows without a match matter, every worker of the pipeline must
    /// be opened, and read to its end or closed.
    public OperatorFactory probe(OperatorFactory input) {
        return worker -> {
            Operator left = input.open(worker);
            return new NestedLoopJoin(node, rows, endOf(worker), left, worker, query, worker.allocator(name));
        };
    }

    private synchronized ProbeEnd endOf(WorkerContext worker) {
        if (probeEnd == null) {
            probeEnd = new ProbeEnd(worker.workers(), this::close);
        }
        return probeEnd;
    }

    /// Whether a kind needs to know which right rows have a match.
    static boolean marksRight(JoinKind kind) {
        return switch (kind) {
            case RIGHT, FULL, RIGHT_SEMI, RIGHT_ANTI -> true;
            case INNER, LEFT, SEMI, ANTI, NULL_AWARE_ANTI, MARK -> false;
        };
    }

    @Override
    public void close() {
        synchronized (batches) {
            if (!closed) {
                closed = true;
                batches.forEach(Batch::close);
                matched.forEach(Buffer::release);
            }
        }
    }
}
