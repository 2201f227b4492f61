package dev.chert.operator.union;

import dev.chert.batch.Step;
import dev.chert.operator.Operator;
import java.util.List;

/// Gives all batches of one input after the other.
///
/// Streams; keeps the order of each input. Memory: nothing. An input's [Step.Paused] is handed on, although a
/// later input may be ready: order among inputs is kept within a worker.
public final class UnionAllOperator implements Operator {
    private final List<Operator> inputs;
    private int current;

    /// @param inputs given: closed with this operator, each as soon as it ends
    public UnionAllOperator(List<Operator> inputs) {
        this.inputs = inputs;
    }

    @Override
    public Step next() {
        while (current < inputs.size()) {
            Step step = inputs.get(current).next();
            if (!(step instanceof Step.End)) {
                return step;
            }
            inputs.get(current).close();
            current++;
        }
        return Step.END;
    }

    @Override
    public void close() {
        while (current < inputs.size()) {
            inputs.get(current++).close();
        }
    }
}
