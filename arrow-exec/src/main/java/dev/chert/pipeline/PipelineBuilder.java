package dev.chert.pipeline;

import dev.chert.expression.Evaluators;
import dev.chert.memory.Allocator;
import dev.chert.operator.Breaker;
import dev.chert.operator.Operator;
import dev.chert.operator.OperatorFactory;
import dev.chert.operator.aggregate.HashAggregateBreaker;
import dev.chert.operator.exchange.BatchQueue;
import dev.chert.operator.filter.FilterOperator;
import dev.chert.operator.join.HashJoinBuild;
import dev.chert.operator.join.NestedLoopBuild;
import dev.chert.operator.limit.LimitOperator;
import dev.chert.operator.limit.RowWindow;
import dev.chert.operator.project.ProjectOperator;
import dev.chert.operator.scan.MorselQueue;
import dev.chert.operator.scan.ScanOperator;
import dev.chert.operator.sort.SortBreaker;
import dev.chert.operator.sort.TopNBreaker;
import dev.chert.operator.union.UnionAllOperator;
import dev.chert.operator.values.ValuesOperator;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.QueryContext;
import dev.chert.source.TableSource.ScanRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Cuts a plan into pipelines at its breakers.
///
/// Walks the plan from the top. Streaming nodes add to the chain of the pipeline being built; a breaker ends a
/// pipeline of its own below it, which the present one then needs, and gives the present one its source.
final class PipelineBuilder {
    /// Batches for each worker that may wait for a slow reader.
    private static final int QUEUED_BATCHES = 4;

    private final Engine engine;
    private final QueryContext query;
    private final List<Pipeline> pipelines = new ArrayList<>();
    private int nodes;
    private boolean inOrder;

    PipelineBuilder(Engine engine, QueryContext query) {
        this.engine = engine;
        this.query = query;
    }

    /// A node's operators and what they do.
    ///
    /// @param pulled whether pulling the chain runs the node's operators, and does not only take what another
    ///               pipeline's workers have put into a queue
    private record Stream(OperatorFactory chain, OperatorMetrics metrics, boolean pulled) {}

    QueryExecution build(PhysicalPlan plan, QueryOrigin origin, long startNanos) {
        inOrder = isLimitedScan(plan);
        int workers = inOrder ? 1 : engine.threads();
        List<Pipeline> needs = new ArrayList<>();
        Stream top = stream(plan, needs);
        BatchQueue results = new BatchQueue(
                QUEUED_BATCHES * workers, workers, 0, query.memory().budget());
        pipelines.add(new Pipeline(top.chain(), results, needs, workers));
        QueryMetrics metrics = new QueryMetrics(query, origin, top.metrics(), startNanos);
        return new QueryExecution(engine, query, plan.schema(), results, pipelines, metrics);
    }

    /// Whether the plan is a LIMIT on the rows of one source as they are: one worker then reads no more than is
    /// wanted, and gives the first rows of a file rather than any.
    private static boolean isLimitedScan(PhysicalPlan plan) {
        boolean limited = false;
        PhysicalPlan node = plan;
        while (node instanceof PhysicalPlan.Limit || node instanceof PhysicalPlan.Project) {
            limited |= node instanceof PhysicalPlan.Limit;
            node = node.inputs().getFirst();
        }
        return limited && node instanceof PhysicalPlan.Scan;
    }

    /// @param needs gets the pipelines that the one being built has to wait for
    private Stream stream(PhysicalPlan node, List<Pipeline> needs) {
        String name = node.getClass().getSimpleName() + " " + nodes++;
        Allocator allocator = query.memory().allocator(name);
        OperatorMetrics metrics = new OperatorMetrics(node, name, allocator);
        return switch (node) {
            case PhysicalPlan.Scan scan -> scan(scan, metrics, allocator);
            case PhysicalPlan.Values values -> {
                AtomicInteger nextRow = new AtomicInteger();
                yield metered(
                        metrics,
                        List.of(),
                        _ -> new ValuesOperator(values.schema(), values.rows(), nextRow, query.batchSize(), allocator));
            }
            case PhysicalPlan.Filter filter -> {
                Stream input = stream(filter.input(), needs);
                yield metered(
                        metrics,
                        List.of(input),
                        worker -> new FilterOperator(
                                input.chain().open(worker), Evaluators.filter(filter.predicate(), query, allocator)));
            }
            case PhysicalPlan.Project project -> {
                Stream input = stream(project.input(), needs);
                yield metered(
                        metrics,
                        List.of(input),
                        worker -> new ProjectOperator(
                                input.chain().open(worker),
                                Evaluators.project(project.expressions(), query, allocator)));
            }
            case PhysicalPlan.Limit limit -> {
                Stream input = stream(limit.input(), needs);
                RowWindow window = new RowWindow(limit.offset(), limit.fetch());
                yield metered(
                        metrics,
                        List.of(input),
                        worker -> new LimitOperator(input.chain().open(worker), window, query.selections()));
            }
            case PhysicalPlan.UnionAll union -> {
                List<Stream> inputs = union.inputs().stream()
                        .map(input -> stream(input, needs))
                        .toList();
                yield metered(metrics, inputs, worker -> {
                    List<Operator> chains = new ArrayList<>();
                    inputs.forEach(input -> chains.add(input.chain().open(worker)));
                    return new UnionAllOperator(chains);
                });
            }
            case PhysicalPlan.HashAggregate aggregate -> {
                HashAggregateBreaker groups = new HashAggregateBreaker(aggregate, name, query, engine.threads());
                Stream input = fill(groups, metrics, aggregate.input(), needs);
                yield metered(metrics, List.of(input), groups.source());
            }
            case PhysicalPlan.Sort sort -> {
                SortBreaker runs = new SortBreaker(sort, name, query);
                Stream input = fill(runs, metrics, sort.input(), needs);
                yield metered(metrics, List.of(input), runs.source());
            }
            case PhysicalPlan.TopN topN -> {
                TopNBreaker rows = new TopNBreaker(topN, name, query);
                Stream input = fill(rows, metrics, topN.input(), needs);
                yield metered(metrics, List.of(input), rows.source());
            }
            case PhysicalPlan.HashJoin join -> {
                HashJoinBuild table = new HashJoinBuild(join, name, query, engine.threads());
                Stream build = fill(table, metrics, join.build(), needs);
                Stream probe = stream(join.probe(), needs);
                yield metered(metrics, List.of(probe, build), table.probe(probe.chain()));
            }
            case PhysicalPlan.NestedLoopJoin join -> {
                NestedLoopBuild rows = new NestedLoopBuild(join, name, query);
                Stream right = fill(rows, metrics, join.right(), needs);
                Stream left = stream(join.left(), needs);
                yield metered(metrics, List.of(left, right), rows.probe(left.chain()));
            }
            case PhysicalPlan.Exchange exchange -> exchange(exchange, metrics);
        };
    }

    private Stream scan(PhysicalPlan.Scan scan, OperatorMetrics metrics, Allocator allocator) {
        ScanRequest request = new ScanRequest(scan.columns(), scan.predicates());
        MorselQueue morsels = new MorselQueue(request, scan.source().splits(request));
        metrics.setScan(morsels.metrics());
        Stream read = metered(metrics, List.of(), worker -> new ScanOperator(morsels, worker, allocator));
        boolean fewMorsels = !inOrder && morsels.size() > 0 && morsels.size() < engine.threads();
        return fewMorsels && morsels.rowCount() >= query.batchSize() * 2L * engine.threads()
                ? spread(read, Math.min(morsels.size(), engine.threads()))
                : read;
    }

    /// A local exchange hands each row to whoever asks next, and so meets any distribution but a single
    /// consumer's, which on one machine is what a breaker is.
    private Stream exchange(PhysicalPlan.Exchange exchange, OperatorMetrics metrics) {
        List<Pipeline> needs = new ArrayList<>();
        Stream input = stream(exchange.input(), needs);
        BatchQueue queue = new BatchQueue(
                QUEUED_BATCHES * engine.threads(),
                engine.threads(),
                engine.threads(),
                query.memory().budget());
        pipelines.add(new Pipeline(input.chain(), new MeteredBreaker(queue, metrics), needs, engine.threads()));
        return metered(metrics, List.of(queued(input, queue)), queue.source());
    }

    /// Lets all workers share what a few can read.
    private Stream spread(Stream input, int readers) {
        BatchQueue queue = new BatchQueue(
                QUEUED_BATCHES * engine.threads(),
                readers,
                engine.threads(),
                query.memory().budget());
        pipelines.add(new Pipeline(input.chain(), queue, List.of(), readers));
        return queued(input, queue);
    }

    private static Stream queued(Stream input, BatchQueue queue) {
        return new Stream(queue.source(), input.metrics(), false);
    }

    /// Ends a pipeline of the input's operators at a breaker.
    ///
    /// @param metrics the breaker's node's
    private Stream fill(Breaker breaker, OperatorMetrics metrics, PhysicalPlan input, List<Pipeline> needs) {
        List<Pipeline> inputNeeds = new ArrayList<>();
        Stream stream = stream(input, inputNeeds);
        Pipeline pipeline =
                new Pipeline(stream.chain(), new MeteredBreaker(breaker, metrics), inputNeeds, engine.threads());
        pipelines.add(pipeline);
        needs.add(pipeline);
        return new Stream(stream.chain(), stream.metrics(), false);
    }

    private Stream metered(OperatorMetrics metrics, List<Stream> inputs, OperatorFactory factory) {
        metrics.setInputs(
                inputs.stream().map(Stream::metrics).toList(),
                inputs.stream().filter(Stream::pulled).map(Stream::metrics).toList());
        return new Stream(worker -> new MeteredOperator(factory.open(worker), metrics, query), metrics, true);
    }
}
