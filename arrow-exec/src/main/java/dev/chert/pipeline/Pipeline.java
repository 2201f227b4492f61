package dev.chert.pipeline;

import dev.chert.operator.Breaker;
import dev.chert.operator.OperatorFactory;
import java.util.List;

/// A source and streaming operators that end in a breaker.
///
/// @param chain   makes a worker's operators
/// @param sink    what the workers fill; owned by the query
/// @param needs   pipelines that must have finished before this one starts
/// @param workers how many workers it has
record Pipeline(OperatorFactory chain, Breaker sink, List<Pipeline> needs, int workers) {
    Pipeline {
        needs = List.copyOf(needs);
    }
}
