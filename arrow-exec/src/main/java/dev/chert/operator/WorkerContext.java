package dev.chert.operator;

import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;

/// What one worker's chain of operators is given when it is made.
public interface WorkerContext {
    QueryContext query();

    /// This worker's number among the pipeline's workers, from 0.
    int worker();

    /// Workers of the pipeline.
    int workers();

    /// The allocator of one operator; all workers of a pipeline get the same for the same name.
    ///
    /// @param operator the name in messages, as `HashJoin 3, build side`
    default Allocator allocator(String operator) {
        return query().memory().allocator(operator);
    }

    /// True once this worker's time slice is over: a source then answers [dev.chert.batch.Step.Paused#YIELD].
    boolean sliceOver();
}
