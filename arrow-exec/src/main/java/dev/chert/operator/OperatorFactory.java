package dev.chert.operator;

/// Makes a worker's own chain of operators, from its source up.
@FunctionalInterface
public interface OperatorFactory {
    /// @return the top of the chain; the caller closes it, which closes all of it
    Operator open(WorkerContext worker);
}
