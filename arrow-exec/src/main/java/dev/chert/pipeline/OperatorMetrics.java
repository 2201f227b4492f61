package dev.chert.pipeline;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// What one plan node's operators did, over all workers; grows while the query runs.
public final class OperatorMetrics {
    private final String name;
    private final List<OperatorMetrics> inputs;
    private final LongAdder rows = new LongAdder();
    private final LongAdder batches = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    OperatorMetrics(String name, List<OperatorMetrics> inputs) {
        this.name = name;
        this.inputs = List.copyOf(inputs);
    }

    void count(int batchRows) {
        rows.add(batchRows);
        batches.increment();
    }

    void addNanos(long elapsed) {
        nanos.add(elapsed);
    }

    /// The plan node with its number, as in messages.
    public String name() {
        return name;
    }

    public List<OperatorMetrics> inputs() {
        return inputs;
    }

    /// Rows that came out.
    public long rows() {
        return rows.sum();
    }

    /// Batches that came out.
    public long batches() {
        return batches.sum();
    }

    /// Nanoseconds of all workers in this operator and the streaming operators below it in the same pipeline.
    public long nanos() {
        return nanos.sum();
    }
}
