package dev.chert.operator;

/// State that ends a pipeline: every worker fills it through a sink of its own, then its closing work is done in
/// parts, then the pipelines that need it start.
///
/// The hash table of a join or an aggregation, the runs of a sort, the queue of results.
public interface Breaker extends AutoCloseable {
    /// Makes one worker's sink.
    Sink sink(WorkerContext worker);

    /// The parts of the closing work, asked once every sink has finished; each is done by some worker, in
    /// parallel.
    default int closingParts() {
        return 0;
    }

    /// Does one part of the closing work.
    default void closePart(int part) {
        throw new IllegalStateException("no closing work, part " + part);
    }

    /// Whether the workers may stop early because nobody wants more.
    default boolean isSatisfied() {
        return false;
    }

    /// Gives back what it holds; called once, when the query ends or when all who read it are done.
    @Override
    void close();
}
