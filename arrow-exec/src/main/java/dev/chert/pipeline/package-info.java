/// Runs plans: cuts them into pipelines at their breakers and schedules the workers of all queries on one set of
/// threads.
///
/// Start with [Engine], which owns memory and threads and lives as long as the program wants; [Engine#execute]
/// makes a [QueryExecution]. [PipelineBuilder] turns a [dev.chert.plan.PhysicalPlan] into [Pipeline]s; a
/// [WorkerTask] is one worker of one pipeline.
///
/// ```text
/// plan      HashJoin(probe: Filter(Scan a), build: Scan b), then HashAggregate, then the caller
///
/// pipeline  0  Scan b ────────────────────────────> join table
///           1  Scan a ─> Filter ─> probe ─────────> group table      needs 0
///           2  groups ────────────────────────────> results          needs 1
/// ```
///
/// A task runs until its input ends, its time slice is over, or an operator or sink answers
/// [dev.chert.batch.Step.Paused]; it then gives up its thread and goes back to the queue, at once or when what it
/// waits for wakes it. Nothing is bound to a thread, so any thread resumes it, and no thread ever waits for a
/// query. [FairQueue] has the rules by which queries share the threads of a [Scheduler].
///
/// A pipeline whose needs have finished starts once fewer tasks of its query run than there are threads, the
/// lower numbered one first, so that two builds are not open at once where one keeps all threads busy. Tasks that
/// wait for something other than a thread do not count, so whatever they wait for can start: the producers of a
/// queue between pipelines, a caller who reads slowly. All workers of a pipeline start together, since at the end of
/// a probe they wait for each other.
///
/// However a query ends, its chains and breakers are closed and then its memory account, which takes back
/// whatever an interrupted operator still held. An operator needs no clean-up code for exceptions.
///
/// What a query does is measured between its operators, by [MeteredOperator] and [MeteredBreaker], into one
/// [OperatorMetrics] a plan node: counters that workers add to without a lock, two readings of the clock a step.
/// [QueryMetrics] has those of all nodes and the query's own; EXPLAIN ANALYZE, progress and [QueryRecording], which
/// writes the events of JDK Flight Recorder, all read them.
package dev.chert.pipeline;
