package dev.chert.pipeline;

import dev.chert.memory.Allocator;
import dev.chert.memory.SpillFile;
import dev.chert.operator.scan.ScanMetrics;
import dev.chert.plan.PhysicalPlan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/// What one plan node's operators did, over all workers.
///
/// The one record that EXPLAIN ANALYZE, progress and flight recordings read. Grows while the query runs and stays
/// after its end. Thread-safe; figures that are read while workers run may be some batches apart.
public final class OperatorMetrics {
    private final PhysicalPlan node;
    private final String name;
    private final Allocator memory;
    private final LongAdder rows = new LongAdder();
    private final LongAdder batches = new LongAdder();
    private final LongAdder stepNanos = new LongAdder();
    private final LongAdder sinkNanos = new LongAdder();
    private ScanMetrics scan; // these three are set before the query starts
    private List<OperatorMetrics> inputs = List.of();
    private List<OperatorMetrics> pulled = List.of();

    /// @param memory what the node's operators allocate with
    OperatorMetrics(PhysicalPlan node, String name, Allocator memory) {
        this.node = node;
        this.name = name;
        this.memory = memory;
    }

    /// Adds what is read of a source, of a node that reads one.
    void setScan(ScanMetrics scan) {
        this.scan = scan;
    }

    /// Puts this node above others.
    ///
    /// @param inputs of the node's inputs, in their order
    /// @param pulled those of them whose operators the node's operators pull, in the same pipeline
    void setInputs(List<OperatorMetrics> inputs, List<OperatorMetrics> pulled) {
        this.inputs = List.copyOf(inputs);
        this.pulled = List.copyOf(pulled);
    }

    void count(int batchRows) {
        rows.add(batchRows);
        batches.increment();
    }

    /// Adds the time of a step, which includes those of the inputs that it pulled.
    void addStepNanos(long elapsed) {
        stepNanos.add(elapsed);
    }

    /// Adds time in the node's sinks and in its closing work.
    void addSinkNanos(long elapsed) {
        sinkNanos.add(elapsed);
    }

    /// The plan node with its number, as messages name it: `HashJoin 3`.
    public String name() {
        return name;
    }

    /// The plan node as EXPLAIN shows it.
    public String detail() {
        return node.describe();
    }

    public List<OperatorMetrics> inputs() {
        return inputs;
    }

    /// Rows that came out.
    public long rows() {
        return rows.sum();
    }

    /// Rows that the planner expected to come out, or NaN where it did not say.
    public double estimatedRows() {
        return node.estimatedRows();
    }

    /// Batches that came out.
    public long batches() {
        return batches.sum();
    }

    /// The time of all workers together in this node's operators and sinks, without that of its inputs.
    public Duration ownTime() {
        return Duration.ofNanos(ownNanos());
    }

    long ownNanos() {
        long below = 0;
        for (OperatorMetrics input : pulled) {
            below += input.stepNanos.sum();
        }
        return Math.max(0, stepNanos.sum() - below) + sinkNanos.sum(); // an input's step is added before this one's
    }

    /// The most bytes that the node's operators had reserved at the same time, its output batches among them.
    public long memoryPeakBytes() {
        return memory.budget().peak();
    }

    /// Bytes of the node's state that were written to disk, as they were in memory; bytes that were written twice count
    /// twice.
    public long spilledBytes() {
        return memory.spillFileIfMade().map(SpillFile::writtenBytes).orElse(0L);
    }

    /// What was read of a source; empty for other nodes.
    public Optional<ScanMetrics> scan() {
        return Optional.ofNullable(scan);
    }
}
