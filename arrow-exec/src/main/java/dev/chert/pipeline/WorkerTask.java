package dev.chert.pipeline;

import dev.chert.batch.Batch;
import dev.chert.batch.Step;
import dev.chert.error.TableException;
import dev.chert.operator.Operator;
import dev.chert.operator.Sink;
import dev.chert.operator.WorkerContext;
import dev.chert.query.QueryContext;
import java.util.concurrent.atomic.AtomicReference;

/// One worker of one pipeline: pulls its chain of operators and feeds its sink, a time slice at a time.
final class WorkerTask implements Task, WorkerContext {
    private enum State {
        QUEUED,
        RUNNING,
        PAUSED,
        DONE
    }

    private final QueryExecution execution;
    private final Pipeline pipeline;
    private final int worker;
    private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);
    private Operator chain;
    private Sink sink;
    private TimeSlice slice;
    private boolean waits; // for something other than a thread, while paused

    WorkerTask(QueryExecution execution, Pipeline pipeline, int worker) {
        this.execution = execution;
        this.pipeline = pipeline;
        this.worker = worker;
    }

    Pipeline pipeline() {
        return pipeline;
    }

    @Override
    public QueryContext query() {
        return execution.query();
    }

    @Override
    public int worker() {
        return worker;
    }

    @Override
    public int workers() {
        return pipeline.workers();
    }

    @Override
    public boolean sliceOver() {
        return slice.isOver();
    }

    @Override
    public void run(TimeSlice turn) {
        state.set(State.RUNNING);
        slice = turn;
        try {
            Step.Paused pause = runSlice();
            if (pause != null) {
                suspend(pause);
                return;
            }
        } catch (Throwable e) {
            fail(e);
            return;
        }
        try {
            finish();
        } catch (Throwable e) {
            execution.taskFailed(e);
            return;
        }
        execution.taskFinished(this);
    }

    /// Gives up the thread until `pause` is over. From then on any thread may run this task.
    private void suspend(Step.Paused pause) {
        waits = !pause.wake().isDone(); // else only the slice is over
        if (waits) {
            execution.taskWaits();
        }
        state.set(State.PAUSED);
        try {
            pause.wake().whenComplete((_, _) -> wake());
            if (query().isCancelled()) {
                wake();
            }
        } catch (Throwable e) {
            if (endPause(State.RUNNING)) { // else somebody else has woken it
                fail(e);
            }
        }
    }

    /// Leaves the pause, which one thread alone can do.
    private boolean endPause(State next) {
        if (!state.compareAndSet(State.PAUSED, next)) {
            return false;
        }
        if (waits) {
            waits = false;
            execution.taskResumes();
        }
        return true;
    }

    /// Ends this worker with an error; what closing the chain adds to it goes along.
    private void fail(Throwable error) {
        try {
            finish();
        } catch (Throwable e) {
            if (e != error) {
                error.addSuppressed(e);
            }
        }
        execution.taskFailed(error);
    }

    /// @return what to wait for, or null where this worker is done
    private Step.Paused runSlice() {
        query().checkCancelled();
        if (chain == null) {
            sink = pipeline.sink().sink(this);
            chain = pipeline.chain().open(this);
        }
        while (true) {
            Step.Paused full = sink.ready();
            if (full != null) {
                return full;
            }
            Step step = pipeline.sink().isSatisfied() ? Step.END : chain.next();
            switch (step) {
                case Batch batch -> sink.accept(batch);
                case Step.End _ -> {
                    Step.Paused unready = sink.readyToFinish();
                    if (unready == null) {
                        sink.finish();
                    }
                    return unready;
                }
                case Step.Paused paused -> {
                    return paused;
                }
                case Step.Watermark _ ->
                    throw new TableException("a watermark reached the end of a pipeline: unbounded sources can be"
                            + " queried once streams are there; use a bounded source");
            }
            if (sliceOver()) {
                return Step.Paused.YIELD;
            }
        }
    }

    /// Queues the task again if it pauses; any thread.
    void wake() {
        if (endPause(State.QUEUED)) {
            try {
                execution.submit(this);
            } catch (Throwable e) {
                fail(e);
            }
        }
    }

    private void finish() {
        state.set(State.DONE);
        if (chain != null) {
            Operator open = chain;
            chain = null;
            open.close();
        }
    }
}
