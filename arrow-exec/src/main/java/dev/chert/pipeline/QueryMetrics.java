package dev.chert.pipeline;

import dev.chert.error.QueryCancelledException;
import dev.chert.memory.Budget;
import dev.chert.operator.scan.ScanMetrics;
import dev.chert.query.QueryContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/// What a query and each of its operators did. Thread-safe; grows while the query runs and stays after its end.
public final class QueryMetrics {
    /// Keeps a query that works on what it has read from looking as if it were done.
    private static final double MOST_BEFORE_THE_END = 0.99;

    /// How a query ended.
    public enum Outcome {
        RUNNING,
        FINISHED,
        FAILED,
        CANCELLED
    }

    /// @param nanos how long the query ran until it ended
    private record End(Outcome outcome, long nanos) {}

    private final String name;
    private final QueryOrigin origin;
    private final Budget memory;
    private final OperatorMetrics top;
    private final List<OperatorMetrics> operators = new ArrayList<>();
    private final long startNanos;
    private final LongAdder rows = new LongAdder();
    private final AtomicReference<End> end = new AtomicReference<>();
    private final QueryRecording recording; // null where nobody records

    /// @param startNanos when the query began, of [System#nanoTime()]
    QueryMetrics(QueryContext query, QueryOrigin origin, OperatorMetrics top, long startNanos) {
        this.name = query.name();
        this.origin = origin;
        this.memory = query.memory().budget();
        this.top = top;
        this.startNanos = startNanos;
        collect(top);
        this.recording = QueryRecording.begin();
    }

    private void collect(OperatorMetrics node) {
        operators.add(node);
        node.inputs().forEach(this::collect);
    }

    void countGiven(int batchRows) {
        rows.add(batchRows);
    }

    /// All rows were made, or the caller has taken the last one.
    void finished() {
        ended(Outcome.FINISHED);
    }

    /// Something stopped the query before its end; says nothing of one that has finished.
    ///
    /// @param failure what it was, or null where it was cancelled
    void stopped(Throwable failure) {
        ended(failure == null || failure instanceof QueryCancelledException ? Outcome.CANCELLED : Outcome.FAILED);
    }

    private void ended(Outcome outcome) {
        boolean first = end.compareAndSet(null, new End(outcome, System.nanoTime() - startNanos));
        if (first && recording != null) {
            recording.end();
        }
    }

    /// Nothing changes any more: the query goes into the flight recordings that were on when it started. Called once.
    void closed() {
        if (recording != null) {
            recording.commit(this);
        }
    }

    /// The query's name, as messages have it.
    public String name() {
        return name;
    }

    /// The statement, or "" where the query was not made of one.
    public String text() {
        return origin.text();
    }

    /// How long it took to make a plan of the text; not part of [#elapsed()].
    public Duration planningTime() {
        return origin.planningTime();
    }

    /// From the start of the plan until now, or until the query has ended. A caller that takes rows slowly makes
    /// it longer.
    public Duration elapsed() {
        End ended = end.get();
        return Duration.ofNanos(ended == null ? System.nanoTime() - startNanos : ended.nanos);
    }

    public Outcome outcome() {
        End ended = end.get();
        return ended == null ? Outcome.RUNNING : ended.outcome;
    }

    /// Rows that the caller has taken.
    public long rows() {
        return rows.sum();
    }

    /// The most bytes that all operators together had reserved at the same time.
    public long memoryPeakBytes() {
        return memory.peak();
    }

    /// Bytes of state that all operators together have written to disk, as they were in memory.
    public long spilledBytes() {
        return operators.stream().mapToLong(OperatorMetrics::spilledBytes).sum();
    }

    /// The plan's top node, which has the others below it.
    public OperatorMetrics top() {
        return top;
    }

    /// All nodes of the plan, each before its inputs.
    public List<OperatorMetrics> operators() {
        return List.copyOf(operators);
    }

    /// The part, from 0 to 1, that a node's own time is of the time of all nodes.
    public double timeShare(OperatorMetrics node) {
        long all = operators.stream().mapToLong(OperatorMetrics::ownNanos).sum();
        return all == 0 ? 0 : Math.min(1, (double) node.ownNanos() / all);
    }

    /// How far the query is.
    public QueryProgress progress() {
        long rowsRead = 0;
        long done = 0;
        long all = 0;
        for (OperatorMetrics operator : operators) {
            ScanMetrics scan = operator.scan().orElse(null);
            if (scan != null) {
                rowsRead += scan.rowsRead();
                done += scan.doneWeight();
                all += scan.weight();
            }
        }
        double fraction =
                outcome() == Outcome.FINISHED ? 1 : Math.min(MOST_BEFORE_THE_END, all == 0 ? 0 : (double) done / all);
        return new QueryProgress(fraction, rowsRead, rows(), spilledBytes(), elapsed());
    }
}
