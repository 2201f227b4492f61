package dev.chert.operator.join;

import dev.chert.arrow.SpilledBatches;
import dev.chert.batch.Batch;
import dev.chert.batch.Field;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.memory.MemoryManager;
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
/// with the right side until it is short: then rows move to disk, and come back once a left batch.
public final class NestedLoopBuild implements Breaker {
    /// One part in so many of the memory that is free is what right rows may take while the left side passes.
    private static final int RESIDENT_PART = 2;

    private final PhysicalPlan.NestedLoopJoin node;
    private final QueryContext query;
    private final String name;
    private final List<RightPart> parts = new ArrayList<>(); // guards itself
    private Buffer[] matched = {};
    private RightRows rows;
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
        RightPart part = new RightPart(
                node.right().schema().fields().stream().map(Field::type).toList(), query, worker.allocator(name));
        synchronized (parts) {
            parts.add(part);
        }
        part.register();
        return new Sink() {
            @Override
            public void accept(Batch batch) {
                part.add(batch);
            }

            @Override
            public void finish() {
                part.finish();
            }
        };
    }

    @Override
    public int closingParts() {
        return 1;
    }

    /// Moves rows to disk that would leave too little memory for what comes next.
    @Override
    public void closePart(int part) {
        MemoryManager memory = query.memory().manager();
        synchronized (parts) {
            long held = parts.stream().mapToLong(RightPart::spillableBytes).sum();
            long free = memory.limitBytes() - memory.reservedBytes();
            long share = (free + held) / RESIDENT_PART / Math.max(1, parts.size());
            parts.forEach(own -> own.keep(share));
        }
    }

    /// The join, over the left input. Where right rows without a match matter, every worker of the pipeline must
    /// be opened, and read to its end or closed.
    public OperatorFactory probe(OperatorFactory input) {
        return worker -> {
            Operator left = input.open(worker);
            return new NestedLoopJoin(node, rows(), endOf(worker), left, worker, query, worker.allocator(name));
        };
    }

    /// The right side, which stays where it is from the first call on.
    private RightRows rows() {
        synchronized (parts) {
            if (rows == null) {
                rows = settled();
            }
            return rows;
        }
    }

    private RightRows settled() {
        List<Batch> inMemory = new ArrayList<>();
        List<SpilledBatches> onDisk = new ArrayList<>();
        for (RightPart part : parts) {
            part.settle();
            inMemory.addAll(part.inMemory());
            if (part.onDisk() != null) {
                onDisk.add(part.onDisk());
            }
        }
        if (marksRight(node.kind())) {
            Allocator allocator = query.memory().allocator(name);
            RightRows unmarked = RightRows.of(inMemory, onDisk, null);
            matched = new Buffer[unmarked.batchCount()];
            for (int batch = 0; batch < matched.length; batch++) {
                matched[batch] = allocator.allocateZeroed(unmarked.rowCount(batch));
            }
        }
        return RightRows.of(inMemory, onDisk, matched);
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
        synchronized (parts) {
            if (!closed) {
                closed = true;
                parts.forEach(RightPart::close);
                for (Buffer marks : matched) {
                    if (marks != null) {
                        marks.release();
                    }
                }
            }
        }
    }
}
